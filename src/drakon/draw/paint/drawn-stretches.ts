import type { Point } from "../picture.ts";

type Stretch = readonly [from: number, until: number];

/** Stretches already drawn. Overlapping lines are drawn once: twice would look thicker. */
export class DrawnStretches {
  readonly #uprights = new Map<number, Stretch[]>();
  readonly #levels = new Map<number, Stretch[]>();

  /** Returns the parts of a line not drawn yet, each as a list of corners, and marks them as drawn. */
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
    const key = upright ? a.x : a.y;
    const [start, end] = upright ? [a.y, b.y] : [a.x, b.x];
    const [low, high] = [Math.min(start, end), Math.max(start, end)];
    const lines = upright ? this.#uprights : this.#levels;
    const drawn = lines.get(key) ?? [];
    lines.set(key, drawn);
    const gaps: [number, number][] = [];
    let [at, from, until] = [low, low, high];
    const first = firstEndingAt(drawn, low);
    let next = first;
    for (; next < drawn.length && drawn[next]![0] <= high; next++) {
      const [begins, ends] = drawn[next]!;
      if (begins > at) gaps.push([at, begins]);
      at = Math.max(at, ends);
      from = Math.min(from, begins);
      until = Math.max(until, ends);
    }
    if (at < high) gaps.push([at, high]);
    drawn.splice(first, next - first, [from, until]);
    const point = (along: number): Point => (upright ? { x: a.x, y: along } : { x: along, y: a.y });
    const forward = gaps.map(([one, other]): [Point, Point] => [point(one), point(other)]);
    return start < end ? forward : forward.toReversed().map(([one, other]): [Point, Point] => [other, one]);
  }
}

/** Binary search; stretches of one coordinate are disjoint and sorted. */
function firstEndingAt(drawn: readonly Stretch[], place: number): number {
  let low = 0;
  let high = drawn.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (drawn[middle]![1] < place) low = middle + 1;
    else high = middle;
  }
  return low;
}
