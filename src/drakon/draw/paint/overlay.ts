import type { IconId } from "../../icon-id.ts";
import type { IconBox } from "../measure/icon-box.ts";
import { widthOf } from "../measure/wrap-text.ts";
import { element, escaped } from "./xml.ts";

/** `rerouted`: an exit leads elsewhere; `concerned`: reached on other conditions, or another fact names it. */
export type ChangeMark = "added" | "removed" | "changed" | "moved" | "rerouted" | "concerned";

/** Extra marks of one icon, for heat maps and comparisons. */
export interface IconOverlay {
  /** Number of visits. */
  readonly count?: number;
  /** From 0 (cold) to 1 (hot); values outside are clamped. */
  readonly heat?: number;
  readonly mark?: ChangeMark;
  /** A short text at the lower right corner. */
  readonly badge?: string;
}

export type Overlays = ReadonlyMap<IconId, IconOverlay>;

const SIGNS: Readonly<Record<ChangeMark, string>> = {
  added: "+",
  removed: "−",
  changed: "~",
  moved: "↕",
  rerouted: "↪",
  concerned: "≈",
};

/** The heat layer, between outline and text. */
export const heatSvg = ({ heat }: IconOverlay, areas: readonly string[]): string =>
  heat === undefined || !(heat > 0)
    ? ""
    : areas.map((d) => element("path", { class: "h", d, "fill-opacity": 0.65 * Math.min(1, heat) })).join("");

/** The top layer: the change sign at the left, the count at the right, the badge below it. */
export function badgesSvg({ count, mark, badge }: IconOverlay, { width, height }: IconBox): string {
  let svg = "";
  if (mark) {
    svg += element("circle", { class: "k", cx: 0, cy: 0, r: 9 });
    svg += element(
      "text",
      { class: "n", x: 0, y: 5, "font-size": 14, "font-weight": 700, "text-anchor": "middle" },
      SIGNS[mark],
    );
  }
  if (count !== undefined) svg += pill(countText(count), width, 0);
  if (badge !== undefined && badge !== "") svg += pill(badge, width, height);
  return svg;
}

function pill(text: string, right: number, y: number): string {
  const width = Math.ceil(widthOf(text, 11)) + 12;
  const shape = element("rect", { class: "a", x: right - width + 8, y: y - 8, width, height: 16, rx: 8 });
  return (
    shape +
    element(
      "text",
      { class: "n", x: right + 8 - width / 2, y: y + 4, "font-size": 11, "text-anchor": "middle" },
      escaped(text),
    )
  );
}

/** Short number: 1234 → `1.2k`. */
export function countText(count: number): string {
  if (!Number.isFinite(count)) return "?";
  for (const [unit, sign] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (Math.abs(count) >= unit) return `${Math.round(count / (unit / 10)) / 10}${sign}`;
  }
  return String(Math.round(count * 10) / 10);
}
