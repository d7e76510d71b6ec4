import type { Language } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import type { IconId } from "../icon-id.ts";
import { type DrawingWords, drawingWords } from "./drawing-words.ts";
import { type Layout, layOut } from "./layout.ts";
import { authorStyles, authorWidth } from "./paint/author-style.ts";
import { DrawnStretches } from "./paint/drawn-stretches.ts";
import { linesAlong } from "./paint/highlight.ts";
import { type IconPen, iconSvg } from "./paint/icon-svg.ts";
import { lineSvg } from "./paint/line-svg.ts";
import type { Overlays } from "./paint/overlay.ts";
import { type DrawingTheme, themeCss } from "./paint/theme.ts";
import { element, escaped } from "./paint/xml.ts";

export interface DrawOptions {
  readonly language?: Language;
  readonly theme?: DrawingTheme;
  /** For a diagram whose file does not name it. */
  readonly name?: string;
  readonly overlays?: Overlays;
  /** Icons of one path through the diagram, in order. */
  readonly highlight?: readonly IconId[];
  /** Scale factor; 1 is the natural size. */
  readonly scale?: number;
  /** Width in pixels; overrides `scale`. */
  readonly width?: number;
  /** Gives every icon a `tabindex` and an `aria-label`. */
  readonly focusable?: boolean;
  /** Uses the colours that the file gives to its icons (default true). */
  readonly authorColours?: boolean;
}

export interface Drawing extends Layout {
  readonly svg: string;
}

const ICON_WIDTH = 200;

/**
 * Renders a diagram as SVG: valid XML, self-contained, without scripts, and the same bytes for the same diagram and options.
 * Never throws; a broken diagram is drawn as far as it can be read. The findings concern the drawing only (`W-CROSSING`).
 */
export function drawDiagram(diagram: Diagram, options: DrawOptions = {}): Drawing {
  const words = drawingWords[options.language ?? "uk"];
  const name = diagram.name.trim() || options.name?.trim() || "";
  const layout = layOut(diagram, { name, words, maxWidth: authorWidth(diagram, ICON_WIDTH) });
  return { ...layout, svg: svgOf(diagram, layout, name, words, options) };
}

function svgOf(diagram: Diagram, { picture }: Layout, name: string, words: DrawingWords, options: DrawOptions): string {
  const { theme = "light", overlays, highlight = [], focusable = false, authorColours = true } = options;
  const along = linesAlong(picture, highlight);
  const lit = new Set(highlight);
  const pen: IconPen = {
    diagram,
    styleOf: authorColours ? authorStyles(diagram) : () => ({}),
    overlayOf: ({ icon }) => (icon === undefined ? undefined : overlays?.get(icon)) ?? {},
    isHighlighted: ({ icon }) => icon !== undefined && lit.has(icon),
    focusable,
  };
  const { width, height } = picture;
  const parts = [element("rect", { class: "c", width, height })];
  // A shared stretch is drawn by the first line: main lines come first, highlighted ones last and on top.
  const stretches = new DrawnStretches();
  const rank = (line: (typeof picture.lines)[number]): number => (along.has(line) ? 2 : line.weight === "main" ? 0 : 1);
  for (const line of picture.lines.toSorted((a, b) => rank(a) - rank(b)))
    parts.push(lineSvg(line, words, stretches, along.has(line)));
  for (const icon of picture.icons) parts.push(iconSvg(icon, pen));
  for (const { x, y, text } of picture.notes)
    parts.push(element("text", { class: "w", x, y, "font-size": 14, "font-style": "italic" }, escaped(words[text])));
  const title = name || words.unnamed;
  const description = `${words.diagram} «${title}», ${words.icons}: ${picture.icons.filter(({ icon }) => icon !== undefined).length}`;
  const size = sizeOf(width, height, options);
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      class: `drk drk-${theme}`,
      viewBox: `0 0 ${width} ${height}`,
      ...size,
      role: focusable ? "group" : "img",
      "aria-label": description,
    },
    `<title>${escaped(title)}</title><desc>${escaped(description)}</desc><style>${themeCss(theme)}</style>\n${parts.join("\n")}\n`,
  );
}

function sizeOf(width: number, height: number, options: DrawOptions): { width: number; height: number } {
  const wanted = options.width === undefined ? (options.scale ?? 1) : options.width / width;
  const scale = Number.isFinite(wanted) && wanted > 0 ? Math.min(wanted, 100) : 1;
  return { width: width * scale, height: height * scale };
}
