import { type HeatMeasure, heatValueOf, type IconHeat } from "../../../domain/logic/icon-heat.ts";
import { countText, type IconOverlay, type Overlays } from "./overlay.ts";

/** Overlays for one measure: heat relative to the hottest icon, the visit count, and failures or rejections as a badge. */
export function heatOverlays(icons: readonly IconHeat[], by: HeatMeasure): Overlays {
  const most = by === "bad" ? 1 : Math.max(0, ...icons.map(heatValueOf[by]));
  return new Map<string, IconOverlay>(
    icons.map((icon) => {
      const value = heatValueOf[by](icon);
      return [icon.icon, { count: icon.visits, heat: most === 0 ? 0 : value / most, badge: badgeOf(icon, by, value) }];
    }),
  );
}

function badgeOf(icon: IconHeat, by: HeatMeasure, value: number): string {
  if (by === "bad") return icon.good + icon.bad === 0 ? "" : `✗ ${Math.round(value * 100)} %`;
  if (by === "tokens") return value === 0 ? "" : `${countText(value)} tok`;
  if (by === "time") return value === 0 ? "" : `${countText(value / 1000)} s`;
  const [failures, rejected] = [heatValueOf.failures(icon), heatValueOf.rejected(icon)];
  return [failures > 0 ? `✗ ${failures}` : "", rejected > 0 ? `↩ ${rejected}` : ""].filter(Boolean).join("  ");
}
