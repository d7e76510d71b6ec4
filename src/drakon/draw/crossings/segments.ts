import type { DrawnLine } from "../picture.ts";

/** A straight segment of one line, or of several that overlap there. */
export interface Segment {
  /** The fixed coordinate, and the extent along the other axis. */
  readonly at: number;
  readonly from: number;
  until: number;
  /** Keys of the ends of the lines that use the segment. */
  readonly source: Set<number>;
  readonly target: Set<number>;
}

/**
 * Straight segments of all lines. Overlapping segments with the same target (or else the same source) are merged: a thousand
 * joins at one icon would otherwise make a million pairs.
 */
export function segmentsOf(lines: readonly DrawnLine[]): { verticals: Segment[]; horizontals: Segment[] } {
  const verticals: Segment[] = [];
  const horizontals: Segment[] = [];
  for (const { points, from, to } of lines) {
    for (let i = 1; i < points.length; i++) {
      const [a, b] = [points[i - 1]!, points[i]!];
      const [source, target] = [new Set([from]), new Set([to])];
      if (a.x === b.x) verticals.push({ at: a.x, from: Math.min(a.y, b.y), until: Math.max(a.y, b.y), source, target });
      else horizontals.push({ at: a.y, from: Math.min(a.x, b.x), until: Math.max(a.x, b.x), source, target });
    }
  }
  return { verticals: merged(verticals), horizontals: merged(horizontals) };
}

const merged = (segments: readonly Segment[]): Segment[] =>
  mergedBy(
    mergedBy(segments, ({ target }) => target),
    ({ source }) => source,
  );

function mergedBy(segments: readonly Segment[], side: (segment: Segment) => ReadonlySet<number>): Segment[] {
  const groups = new Map<string, Segment[]>();
  const result: Segment[] = [];
  for (const segment of segments) {
    const keys = side(segment);
    if (keys.size !== 1) {
      result.push(segment);
      continue;
    }
    const [key] = keys;
    const name = `${segment.at} ${key}`;
    const group = groups.get(name);
    if (group) group.push(segment);
    else groups.set(name, [segment]);
  }
  for (const group of groups.values()) {
    let last: Segment | undefined;
    for (const segment of group.toSorted((a, b) => a.from - b.from)) {
      if (!last || last.until < segment.from) {
        last = { ...segment, source: new Set(segment.source), target: new Set(segment.target) };
        result.push(last);
        continue;
      }
      last.until = Math.max(last.until, segment.until);
      for (const key of segment.source) last.source.add(key);
      for (const key of segment.target) last.target.add(key);
    }
  }
  return result;
}
