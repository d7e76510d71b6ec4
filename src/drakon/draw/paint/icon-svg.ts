import type { Diagram } from "../../diagram/diagram.ts";
import { lineHeight, type TextBlock } from "../measure/wrap-text.ts";
import type { PlacedIcon } from "../picture.ts";
import { STOP_HEIGHT } from "../place/node-sizes.ts";
import { type AuthorStyle, authorStyles } from "./author-style.ts";
import { shapePaths } from "./icon-shapes.ts";
import { imageSvg } from "./image-data.ts";
import { badgesSvg, heatSvg, type IconOverlay } from "./overlay.ts";
import { familyOf } from "./theme.ts";
import { element, escaped } from "./xml.ts";

export interface IconPen {
  readonly diagram: Diagram;
  readonly styleOf: ReturnType<typeof authorStyles>;
  readonly overlayOf: (icon: PlacedIcon) => IconOverlay;
  readonly isHighlighted: (icon: PlacedIcon) => boolean;
  /** Gives icons a `tabindex` and an `aria-label`. */
  readonly focusable: boolean;
}

/** One icon as a group with `data-icon` for the icon itself, or `data-ref` for a reference to it. */
export function iconSvg(icon: PlacedIcon, pen: IconPen): string {
  const { box } = icon;
  const own = icon.icon === undefined ? undefined : pen.diagram.icons.get(icon.icon);
  if (box.outline === "point") {
    if (icon.icon === undefined) return "";
    return element(
      "g",
      { "data-icon": icon.icon, "data-type": own?.type },
      element("circle", { class: "a", cx: icon.x, cy: icon.y, r: 2.5 }),
    );
  }
  const overlay = pen.overlayOf(icon);
  const author = pen.styleOf(icon.icon);
  const classes: string[] = [familyOf[box.outline]];
  if (overlay.mark) classes.push(overlay.mark);
  if (icon.marks.has("unreachable")) classes.push("u");
  if (pen.isHighlighted(icon)) classes.push("p");
  const spoken = [box.upper?.lines.join(" "), box.text.lines.join(" ")].filter(Boolean).join(": ");
  const focus =
    pen.focusable && icon.icon !== undefined
      ? { tabindex: 0, role: "img", "aria-label": `${own?.type ?? ""}: ${spoken}` }
      : {};
  const place = { transform: `translate(${icon.x} ${icon.y})`, class: classes.join(" ") };
  const names = { "data-icon": icon.icon, "data-ref": icon.refersTo, "data-type": own?.type };
  return element("g", { ...place, ...names, ...focus }, insides(icon, pen, overlay, author));
}

function insides(icon: PlacedIcon, pen: IconPen, overlay: IconOverlay, author: AuthorStyle): string {
  const { box, marks } = icon;
  const { areas, inner } = shapePaths(box);
  const lineClass = box.outline === "bar" ? "b" : "i";
  let svg = "";
  for (const d of areas) svg += element("path", { class: "s", d, style: areaStyle(author) });
  for (const d of inner)
    svg += element("path", { class: lineClass, d, style: box.outline === "bar" ? undefined : edgeStyle(author) });
  svg += heatSvg(overlay, areas);
  if (box.outline === "picture") svg += imageSvg(pen.diagram, icon);
  svg += texts(icon, author);
  if (marks.has("backward")) svg += backwardSvg(icon);
  if (marks.has("final")) svg += stopSvg(icon);
  return svg + badgesSvg(overlay, box);
}

const areaStyle = ({ fill, edge, edgeWidth }: AuthorStyle): string | undefined =>
  joined([fill && `fill:${fill}`, edge && `stroke:${edge}`, edgeWidth !== undefined && `stroke-width:${edgeWidth}`]);
const edgeStyle = ({ edge }: AuthorStyle): string | undefined => joined([edge && `stroke:${edge}`]);
const joined = (rules: readonly (string | false | undefined)[]): string | undefined =>
  rules.filter(Boolean).join(";") || undefined;

function texts({ box }: PlacedIcon, author: AuthorStyle): string {
  const [left, right, above, below] = box.padding;
  const twoBoxes = box.upper !== undefined && box.outline !== "shelf";
  const shift = twoBoxes ? 12 : 0;
  const lower = textSvg(box.text, left, box.width - right - shift, box.storey + above, box.height - below, author);
  if (!box.upper) return lower;
  return (
    textSvg(
      box.upper,
      left + shift - (box.outline === "input" ? 12 : 0),
      box.width - 14,
      above,
      box.storey - below + 2,
      author,
    ) + lower
  );
}

/** Text lines centred in an area. */
function textSvg(
  block: TextBlock,
  left: number,
  right: number,
  top: number,
  bottom: number,
  { ink }: AuthorStyle,
): string {
  if (block.lines.length === 0) return "";
  const step = lineHeight(block.size);
  const middle = (left + right) / 2;
  const x = block.leftAligned ? middle - block.width / 2 : middle;
  const first = (top + bottom) / 2 - block.height / 2 + step / 2 + block.size * 0.36;
  const attributes = {
    x,
    y: first,
    "font-size": block.size,
    "font-weight": block.bold ? 600 : undefined,
    "text-anchor": block.leftAligned ? undefined : "middle",
    style: ink === undefined ? undefined : `fill:${ink}`,
  };
  // Programs without `white-space` support would drop leading spaces.
  const shown = block.lines.map((line) => escaped(line.replace(/^ +/, (spaces) => "\u00a0".repeat(spaces.length))));
  if (shown.length === 1) return element("text", attributes, shown[0]);
  const spans = shown.map((line, at) => (line === "" ? "" : element("tspan", { x, y: first + at * step }, line)));
  return element("text", attributes, spans.join(""));
}

/** A triangle in the corner of an address that leads backward, or of the branch that it leads to. */
function backwardSvg({ box }: PlacedIcon): string {
  const address = box.outline === "address";
  const y = address ? box.height - 5 : 5;
  return element("path", { class: "a", d: `M5 ${y}h10l-5 ${address ? -8 : 8}Z` });
}

/** The stop bar of a final icon. */
function stopSvg({ box }: PlacedIcon): string {
  const middle = box.width / 2;
  const bottom = box.height + STOP_HEIGHT - 4;
  return (
    element("path", { class: "l", d: `M${middle} ${box.height}V${bottom}` }) +
    element("path", { class: "l m", d: `M${middle - 14} ${bottom}H${middle + 14}` })
  );
}
