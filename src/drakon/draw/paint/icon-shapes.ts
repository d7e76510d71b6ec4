import { type IconBox, type IconOutline, STOREY_SHIFT } from "../measure/icon-box.ts";

/** Path data of an icon with its corner at 0, 0: filled areas, and lines inside them. */
export interface ShapePaths {
  readonly areas: readonly string[];
  readonly inner: readonly string[];
}

type Size = Pick<IconBox, "width" | "height" | "storey">;

const polygon = (...points: readonly (readonly [number, number])[]): string =>
  `M${points.map(([x, y]) => `${x} ${y}`).join("L")}Z`;
const stroke = (...points: readonly (readonly [number, number])[]): string =>
  `M${points.map(([x, y]) => `${x} ${y}`).join("L")}`;
const box = (x: number, y: number, w: number, h: number): string => `M${x} ${y}h${w}v${h}h${-w}Z`;

/** A rectangle with corner radius `top` above and `bottom` below. */
const rounded = (x: number, y: number, w: number, h: number, top: number, bottom: number): string => {
  const corner = (r: number, dx: number, dy: number): string => (r > 0 ? `a${r} ${r} 0 0 1 ${dx} ${dy}` : "");
  return (
    `M${x + top} ${y}h${w - 2 * top}${corner(top, top, top)}v${h - top - bottom}${corner(bottom, -bottom, bottom)}` +
    `h${2 * bottom - w}${corner(bottom, -bottom, -bottom)}v${top + bottom - h}${corner(top, top, -top)}Z`
  );
};

const plain = ({ width: w, height: h }: Size): ShapePaths => ({ areas: [box(0, 0, w, h)], inner: [] });
const stadium = ({ width: w, height: h }: Size): ShapePaths => {
  const r = Math.min(h / 2, 24);
  return { areas: [rounded(0, 0, w, h, r, r)], inner: [] };
};
const trapezium = ({ width: w, height: h }: Size, inset: number): string =>
  polygon([0, 0], [w, 0], [w - inset, h], [inset, h]);
const notched = (x: number, y: number, w: number, h: number): string =>
  polygon([x, y], [x + w, y], [x + w, y + h], [x, y + h], [x + 12, y + h / 2]);
const pointed = (x: number, y: number, w: number, h: number): string =>
  polygon([x, y], [x + w - 12, y], [x + w, y + h / 2], [x + w - 12, y + h], [x, y + h]);

/** The upper box is drawn behind the lower one and shifted to the right. */
function storeys({ width: w, height: h, storey }: Size, lower: typeof box): ShapePaths {
  const overlap = 5;
  return {
    areas: [box(STOREY_SHIFT, 0, w - STOREY_SHIFT, storey + overlap), lower(0, storey, w - STOREY_SHIFT, h - storey)],
    inner: [],
  };
}

/** One row per outline (`FORMAT` §7): a new outline does not compile until it has its shape. */
const shapes: Readonly<Record<IconOutline, (size: Size) => ShapePaths>> = {
  action: plain,
  params: plain,
  picture: plain,
  question: ({ width: w, height: h }) => {
    const p = Math.min(16, h / 2);
    return { areas: [polygon([p, 0], [w - p, 0], [w, h / 2], [w - p, h], [p, h], [0, h / 2])], inner: [] };
  },
  select: ({ width: w, height: h }) => ({ areas: [polygon([16, 0], [w, 0], [w - 16, h], [0, h])], inner: [] }),
  case: ({ width: w, height: h }) => ({
    areas: [polygon([0, 0], [w, 0], [w, h - 12], [w / 2, h], [0, h - 12])],
    inner: [stroke([0, h - 12], [w, h - 12])],
  }),
  branch: ({ width: w, height: h }) => ({
    areas: [polygon([0, 0], [w, 0], [w, h - 14], [w / 2, h], [0, h - 14])],
    inner: [],
  }),
  address: ({ width: w, height: h }) => ({ areas: [polygon([0, 14], [w / 2, 0], [w, 14], [w, h], [0, h])], inner: [] }),
  loopbegin: ({ width: w, height: h }) => ({
    areas: [polygon([14, 0], [w - 14, 0], [w, 14], [w, h], [0, h], [0, 14])],
    inner: [],
  }),
  loopend: ({ width: w, height: h }) => ({
    areas: [polygon([0, 0], [w, 0], [w, h - 14], [w - 14, h], [14, h], [0, h - 14])],
    inner: [],
  }),
  header: stadium,
  end: stadium,
  elsewhere: stadium,
  insertion: ({ width: w, height: h }) => ({
    areas: [box(0, 0, w, h)],
    inner: [stroke([9, 0], [9, h]), stroke([w - 9, 0], [w - 9, h])],
  }),
  comment: ({ width: w, height: h }) => ({ areas: [box(0, 0, w, h), rounded(6, 6, w - 12, h - 12, 9, 9)], inner: [] }),
  simpleinput: ({ width: w, height: h }) => ({ areas: [notched(0, 0, w, h)], inner: [] }),
  simpleoutput: ({ width: w, height: h }) => ({ areas: [pointed(0, 0, w, h)], inner: [] }),
  shelf: ({ width: w, height: h, storey }) => ({ areas: [box(0, 0, w, h)], inner: [stroke([0, storey], [w, storey])] }),
  timer: (size) => ({
    areas: [trapezium(size, 14)],
    inner: [stroke([9, 0], [23, size.height]), stroke([size.width - 9, 0], [size.width - 23, size.height])],
  }),
  pause: (size) => ({ areas: [trapezium(size, 14)], inner: [] }),
  duration: (size) => ({ areas: [trapezium(size, 9)], inner: [] }),
  ctrlstart: ({ width: w, height: h }) => ({ areas: [rounded(0, 0, w, h, 18, 0)], inner: [] }),
  ctrlend: ({ width: w, height: h }) => ({ areas: [rounded(0, 0, w, h, 0, 18)], inner: [] }),
  input: (size) => storeys(size, notched),
  output: (size) => storeys(size, pointed),
  process: (size) => storeys(size, box),
  missing: ({ width: w, height: h }) => ({ areas: [rounded(0, 0, w, h, h / 2, h / 2)], inner: [] }),
  bar: ({ width: w, height: h }) => ({ areas: [], inner: [stroke([0, 1], [w, 1]), stroke([0, h - 1], [w, h - 1])] }),
  point: () => ({ areas: [], inner: [] }),
};

export const shapePaths = (icon: IconBox): ShapePaths => shapes[icon.outline](icon);
