import type { Language } from "../../base/text.ts";
import type { Diagram } from "../diagram.ts";
import { drawDiagram } from "../draw/draw.ts";
import type { Overlays } from "../draw/overlay.ts";
import type { Theme } from "../draw/theme.ts";
import { element, escaped } from "../draw/xml.ts";
import type { Comparison } from "./compare.ts";

const GAP = 40;
const HEAD = 56;

/** Both versions in one picture, side by side, each icon marked with what became of it (D-8). */
export function comparisonPicture(
  sides: {
    readonly before: Diagram;
    readonly after: Diagram;
    readonly names: readonly [before: string, after: string];
  },
  comparison: Comparison,
  options: { readonly language: Language; readonly theme?: Theme },
): string {
  const overlays = (marks: Comparison["marks"]["before"]): Overlays =>
    new Map([...marks].map(([icon, mark]) => [icon, { mark }]));
  const left = drawDiagram(sides.before, {
    ...options,
    name: sides.names[0],
    overlays: overlays(comparison.marks.before),
  });
  const right = drawDiagram(sides.after, {
    ...options,
    name: sides.names[1],
    overlays: overlays(comparison.marks.after),
  });
  const width = left.picture.width + GAP + right.picture.width;
  const height = HEAD + Math.max(left.picture.height, right.picture.height);
  const ink = options.theme === "dark" ? "#e8e6e3" : "#222";
  const paper = options.theme === "dark" ? "#17181a" : "#fff";
  const title = (text: string, x: number): string =>
    element(
      "text",
      { x, y: 24, fill: ink, "font-family": "sans-serif", "font-size": 16, "font-weight": 600 },
      escaped(text),
    );
  const at = (svg: string, x: number): string =>
    svg.replace(/^<\?xml[^>]*\?>\s*/, "").replace("<svg ", `<svg x="${x}" y="${HEAD}" `);
  const risk = {
    low: { en: "low risk", uk: "низький ризик" },
    medium: { en: "medium risk", uk: "середній ризик" },
    high: { en: "high risk", uk: "високий ризик" },
  };
  const { language } = options;
  const said = `${comparison.summary[language]} (${risk[comparison.riskLevel][language]})`;
  return element(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      role: "img",
      "aria-label": said,
    },
    [
      element("title", {}, escaped(said)),
      element("rect", { width, height, fill: paper }),
      title(sides.names[0], 16),
      title(sides.names[1], left.picture.width + GAP + 16),
      element("text", { x: 16, y: 44, fill: ink, "font-family": "sans-serif", "font-size": 13 }, escaped(said)),
      at(left.svg, 0),
      at(right.svg, left.picture.width + GAP),
    ].join(""),
  );
}
