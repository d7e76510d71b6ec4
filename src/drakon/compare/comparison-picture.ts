import type { Language, Text } from "../../base/text.ts";
import type { Diagram } from "../diagram/diagram.ts";
import { drawDiagram } from "../draw/draw.ts";
import { lineHeight, wrap } from "../draw/measure/wrap-text.ts";
import type { Overlays } from "../draw/paint/overlay.ts";
import { type DrawingTheme, FONTS, palettes } from "../draw/paint/theme.ts";
import { element, escaped } from "../draw/paint/xml.ts";
import { fileDiagramName } from "../insertions.ts";
import type { DiagramComparison } from "./compare.ts";
import type { RiskLevel } from "./fact.ts";

const GAP = 32;
const EDGE = 20;

const risks: Readonly<Record<RiskLevel, Text>> = {
  low: { en: "Low risk", uk: "Низький ризик" },
  medium: { en: "Medium risk", uk: "Середній ризик" },
  high: { en: "High risk", uk: "Високий ризик" },
};

/** SVG of both versions side by side, with a change mark per icon (D-8) and the facts above. */
export function comparisonPicture(
  sides: {
    readonly before: Diagram;
    readonly after: Diagram;
    readonly names: readonly [before: string, after: string];
  },
  comparison: DiagramComparison,
  { language, theme = "light" }: { readonly language: Language; readonly theme?: DrawingTheme },
): string {
  const overlays = (marks: DiagramComparison["marks"]["before"]): Overlays =>
    new Map([...marks].map(([icon, mark]) => [icon, { mark }]));
  const drawn = [
    drawDiagram(sides.before, {
      language,
      theme,
      name: fileDiagramName(sides.names[0]),
      overlays: overlays(comparison.marks.before),
    }),
    drawDiagram(sides.after, {
      language,
      theme,
      name: fileDiagramName(sides.names[1]),
      overlays: overlays(comparison.marks.after),
    }),
  ] as const;
  const [left, right] = drawn;
  const second = left.picture.width + GAP;
  const width = second + right.picture.width;
  const said = comparison.sameMeaning
    ? [comparison.summary[language]]
    : [`${risks[comparison.riskLevel][language]}.`, ...comparison.facts.map(({ text }) => `– ${text[language]}`)];
  const lines = wrap(said.join("\n"), { maxWidth: width - 2 * EDGE }).lines;
  const { canvas, ink } = palettes[theme];
  const write = (text: string, x: number, y: number, weight = 400): string =>
    element("text", { x, y, fill: ink, "font-family": FONTS, "font-size": 14, "font-weight": weight }, escaped(text));
  const names = EDGE + (lines.length + 1) * lineHeight(14);
  const top = names + EDGE;
  const height = top + Math.max(left.picture.height, right.picture.height);
  const at = (svg: string, x: number): string =>
    svg.replace(/^<\?xml[^>]*\?>\s*/, "").replace("<svg ", `<svg x="${x}" y="${top}" `);
  return element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, role: "img" },
    [
      element("title", {}, escaped(`${sides.names.join(" → ")}: ${comparison.summary[language]}`)),
      element("rect", { width, height, fill: canvas }),
      ...lines.map((line, i) => write(line, EDGE, EDGE + i * lineHeight(14))),
      write(sides.names[0], EDGE, names, 600),
      write(sides.names[1], second + EDGE, names, 600),
      at(left.svg, 0),
      at(right.svg, second),
    ].join(""),
  );
}
