import type { Icon } from "../../diagram/diagram.ts";
import { roleOf } from "../../diagram/icon-types.ts";
import { FONT_SIZE, type TextBlock, type Wrapping, wrap } from "./wrap-text.ts";

/** Outline of a shape. `PADDING` has one row per outline. */
export type IconOutline =
  | "action"
  | "question"
  | "select"
  | "case"
  | "branch"
  | "address"
  | "loopbegin"
  | "loopend"
  | "header"
  | "end"
  | "insertion"
  | "comment"
  | "simpleinput"
  | "simpleoutput"
  | "shelf"
  | "timer"
  | "pause"
  | "duration"
  | "ctrlstart"
  | "ctrlend"
  | "input"
  | "output"
  | "process"
  | "picture"
  | "params"
  | "elsewhere"
  | "missing"
  | "bar"
  | "point";

/** Space around the text. */
type Padding = readonly [left: number, right: number, top: number, bottom: number];

const PADDING: Readonly<Record<IconOutline, Padding>> = {
  action: [14, 14, 10, 10],
  question: [26, 26, 11, 11],
  select: [24, 24, 11, 11],
  case: [14, 14, 9, 21],
  branch: [16, 16, 10, 22],
  address: [16, 16, 22, 10],
  loopbegin: [20, 20, 11, 10],
  loopend: [20, 20, 10, 11],
  header: [26, 26, 12, 12],
  end: [24, 24, 9, 9],
  insertion: [24, 24, 10, 10],
  comment: [18, 18, 15, 15],
  simpleinput: [26, 14, 10, 10],
  simpleoutput: [14, 26, 10, 10],
  shelf: [14, 14, 8, 8],
  timer: [28, 28, 10, 10],
  pause: [24, 24, 10, 10],
  duration: [16, 16, 7, 7],
  ctrlstart: [18, 18, 13, 9],
  ctrlend: [18, 18, 9, 13],
  input: [26, 14, 8, 8],
  output: [14, 26, 8, 8],
  process: [14, 14, 8, 8],
  picture: [8, 8, 8, 8],
  params: [14, 14, 10, 10],
  elsewhere: [20, 20, 7, 7],
  missing: [8, 8, 5, 5],
  bar: [0, 0, 0, 0],
  point: [0, 0, 0, 0],
};

const MINIMUM: Partial<Record<IconOutline, readonly [width: number, height: number]>> = {
  bar: [28, 8],
  point: [0, 0],
  missing: [26, 24],
  duration: [40, 28],
  end: [90, 36],
  picture: [120, 90],
};

/** Horizontal shift between the two boxes of a two-storey icon. */
export const STOREY_SHIFT = 12;

export interface IconBox {
  readonly outline: IconOutline;
  readonly width: number;
  readonly height: number;
  readonly text: TextBlock;
  /** The upper text of a two-storey icon. */
  readonly upper: TextBlock | undefined;
  /** Height of the upper storey. */
  readonly storey: number;
  readonly padding: Padding;
}

const TWO_STOREYS: ReadonlySet<IconOutline> = new Set<IconOutline>(["shelf", "process", "input", "output"]);
export const isTwoStorey = (outline: IconOutline): boolean => TWO_STOREYS.has(outline);

const isOutline = (type: string): type is IconOutline => Object.hasOwn(PADDING, type);

export function outlineOf(icon: Icon): IconOutline {
  if (icon.type === "parbegin" || icon.type === "parend") return "bar";
  if (icon.type === "arrow-loop") return "point";
  if (icon.type === "drakon-image") return "picture";
  if (icon.type === "sinput") return "simpleinput";
  return isOutline(icon.type) ? icon.type : "action";
}

/** True if a duration can be drawn at the left of the icon. */
export const hasRoomBeside = (icon: Icon): boolean =>
  !["bar", "point", "duration", "branch"].includes(outlineOf(icon)) && roleOf(icon.type) !== "none";

const BOLD: ReadonlySet<IconOutline> = new Set<IconOutline>(["header", "branch", "address", "end"]);

/** Size of an icon for its text. Widths and heights are even, so that centres are integers. */
export function iconBox(outline: IconOutline, text: string, upper: string | undefined, maxWidth: number): IconBox {
  const bold = BOLD.has(outline);
  const wrapping: Wrapping = { maxWidth, bold, size: outline === "header" ? FONT_SIZE + 2 : FONT_SIZE };
  const block = wrap(outline === "bar" || outline === "point" ? "" : text, wrapping);
  const top = isTwoStorey(outline) ? wrap(upper ?? "", wrapping) : undefined;
  const padding = PADDING[outline];
  const [left, right, above, below] = padding;
  const [minWidth, minHeight] = MINIMUM[outline] ?? [80, 38];
  const storey = top ? Math.max(30, even(top.height + above + below)) : 0;
  const shift = top && outline !== "shelf" ? STOREY_SHIFT : 0;
  const width = even(Math.max(minWidth, Math.max(block.width, top?.width ?? 0) + left + right + shift));
  const height = storey + even(Math.max(top ? 30 : minHeight, block.height + above + below));
  return { outline, width, height, text: block, upper: top, storey, padding };
}

export const even = (length: number): number => 2 * Math.ceil(length / 2);
