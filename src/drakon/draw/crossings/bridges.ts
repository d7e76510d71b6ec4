import type { DrawnLine, Picture, Point } from "../picture.ts";
import type { Flaw } from "./find-flaws.ts";

/** Half the width of a bridge. */
export const HOP = 6;

/** Puts a bridge on every horizontal line where it crosses a vertical one. */
export function withBridges(picture: Picture, flaws: readonly Flaw[]): Picture {
  const crossings = new Map<number, Point[]>();
  for (const { kind, x, y } of flaws) {
    if (kind !== "lines cross") continue;
    const known = crossings.get(y);
    if (!known) crossings.set(y, [{ x, y }]);
    else if (!known.some((point) => point.x === x)) known.push({ x, y });
  }
  return { ...picture, lines: picture.lines.map((line) => ({ ...line, bridges: onLine(line, crossings) })) };
}

function onLine({ points }: DrawnLine, crossings: ReadonlyMap<number, readonly Point[]>): Point[] {
  const bridges: Point[] = [];
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    if (a.y !== b.y) continue;
    const [left, right] = [Math.min(a.x, b.x), Math.max(a.x, b.x)];
    for (const point of crossings.get(a.y) ?? []) {
      if (point.x > left + HOP && point.x < right - HOP) bridges.push(point);
    }
  }
  return bridges;
}
