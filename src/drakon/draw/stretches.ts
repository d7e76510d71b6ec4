import type { Point } from "./picture.ts";

/** Stretches that are drawn already, so that lines which run together are drawn once: twice would look thicker. */
export class Stretches {
  readonly #drawn = new Map<string, [from: number, until: number][]>();

  /** The parts of a line that nothing covers yet, each a run of corners. From then on they are covered. */
  take(points: readonly Point[]): Point[][] {
    const runs: Point[][] = [];
    for (let i = 1; i < points.length; i++) {
      for (const [a, b] of this.#free(points[i - 1]!, points[i]!)) {
        const last = runs.at(-1);
        const end = last?.at(-1);
        if (last && end && end.x === a.x && end.y === a.y) last.push(b);
        else runs.push([a, b]);
      }
    }
    return runs;
  }

  #free(a: Point, b: Point): [Point, Point][] {
    const upright = a.x === b.x;
    const key = upright ? `x${a.x}` : `y${a.y}`;
    const [start, end] = upright ? [a.y, b.y] : [a.x, b.x];
    const [low, high] = [Math.min(start, end), Math.max(start, end)];
    const drawn = this.#drawn.get(key) ?? [];
    const gaps: [number, number][] = [];
    let at = low;
    let [from, until] = [low, high];
    const kept: [number, number][] = [];
    for (const stretch of drawn) {
      if (stretch[1] < low || stretch[0] > high) {
        kept.push(stretch);
        continue;
      }
      if (stretch[0] > at) gaps.push([at, stretch[0]]);
      at = Math.max(at, stretch[1]);
      from = Math.min(from, stretch[0]);
      until = Math.max(until, stretch[1]);
    }
    if (at < high) gaps.push([at, high]);
    kept.push([from, until]);
    this.#drawn.set(
      key,
      kept.toSorted((one, other) => one[0] - other[0]),
    );
    const point = (along: number): Point => (upright ? { x: a.x, y: along } : { x: along, y: a.y });
    const forward = gaps.map(([one, other]): [Point, Point] => [point(one), point(other)]);
    return start < end ? forward : forward.toReversed().map(([one, other]): [Point, Point] => [other, one]);
  }
}
