import type { Picture, PlacedIcon } from "../picture.ts";
import { type Segment, segmentsOf } from "./segments.ts";

/** A defect of a layout. `a` and `b` are keys of icons, or the ends of lines. */
export interface Flaw {
  readonly kind: "icons overlap" | "line meets icon" | "lines cross";
  readonly a: Ends;
  readonly b: Ends;
  readonly x: number;
  readonly y: number;
}

/** Keys of the icons concerned: one for an icon, the ends for a line. */
export type Ends = readonly number[];

/** An active item of the sweep: an icon, or a vertical segment of width 0. */
interface SweepItem {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
  readonly line: Segment | undefined;
  readonly key: number;
}

/** A line may touch the outline of an icon, up to this depth. */
const SKIN = 0.5;

/** The check stops here: crossings can be as many as pairs of lines. */
const MAX_FLAWS = 2_000;

/**
 * Sweep line over the finished picture, from top to bottom. Finds icons that overlap, lines that run through icons, and lines
 * that cross or touch without a common end. About O(n log n) without flaws; stops after `MAX_FLAWS`.
 */
export function flawsOf(picture: Picture): Flaw[] {
  const flaws: Flaw[] = [];
  const { verticals, horizontals } = segmentsOf(picture.lines);
  const standing = [...picture.icons.filter(({ box }) => box.width > 0).map(body), ...verticals.map(upright)];
  const points = new Map(
    picture.icons.filter(({ box }) => box.width === 0).map(({ key, x, y }) => [`${x} ${y}`, key] as const),
  );
  type Event = { readonly y: number; readonly rank: 0 | 1 | 2; readonly what: SweepItem | Segment };
  const events: Event[] = [];
  for (const what of standing) events.push({ y: what.y1, rank: 0, what }, { y: what.y2, rank: 2, what });
  for (const what of horizontals) events.push({ y: what.at, rank: 1, what });
  events.sort((a, b) => a.y - b.y || a.rank - b.rank);

  const active: SweepItem[] = [];
  for (const { rank, what } of events) {
    if (flaws.length > MAX_FLAWS) return flaws;
    if (rank === 0) insert(what as SweepItem);
    else if (rank === 1) across(what as Segment);
    else remove(what as SweepItem);
  }
  return flaws.concat(overlappingHorizontals(horizontals, points));

  function insert(item: SweepItem): void {
    const at = position(active, item.x1);
    for (let i = at; i < active.length && active[i]!.x1 <= item.x2; i++) meet(active[i]!, item);
    // An item that begins to the left may cover several later ones; in a good picture only the nearest can.
    for (let i = at - 1; i >= 0 && (active[i]!.x2 >= item.x1 || i === at - 1); i--) meet(active[i]!, item);
    active.splice(at, 0, item);
  }

  function remove(item: SweepItem): void {
    let at = position(active, item.x1);
    while (active[at] !== item) at++;
    active.splice(at, 1);
  }

  function meet(a: SweepItem, b: SweepItem): void {
    if (a.x2 < b.x1 || b.x2 < a.x1) return;
    const [x, y] = [Math.max(a.x1, b.x1), Math.max(a.y1, b.y1)];
    if (Math.min(a.y2, b.y2) <= y) return;
    if (a.line && b.line) {
      if (!sharesEnd(a.line, b.line)) flaws.push({ kind: "lines cross", a: ends(a.line), b: ends(b.line), x, y });
    } else if (a.line ?? b.line) {
      const line = (a.line ?? b.line)!;
      flaws.push({ kind: "line meets icon", a: ends(line), b: [a.line ? b.key : a.key], x, y });
    } else flaws.push({ kind: "icons overlap", a: [a.key], b: [b.key], x, y });
  }

  function across(line: Segment): void {
    let at = position(active, line.from);
    if (at > 0) at--;
    for (; at < active.length && active[at]!.x1 <= line.until; at++) {
      const { x1, x2, y1, y2, line: vertical, key } = active[at]!;
      if (x2 < line.from) continue;
      if (!vertical) {
        const inside = x1 < line.until && x2 > line.from && y1 < line.at && y2 > line.at;
        if (inside) flaws.push({ kind: "line meets icon", a: ends(line), b: [key], x: x1, y: line.at });
        continue;
      }
      const through = x1 > line.from && x1 < line.until && y1 < line.at && y2 > line.at;
      if (through || !(mayJoin(vertical, line) || meetAt(points.get(`${x1} ${line.at}`), vertical, line)))
        flaws.push({ kind: "lines cross", a: ends(line), b: ends(vertical), x: x1, y: line.at });
    }
  }
}

const body = ({ key, x, y, box }: PlacedIcon): SweepItem => ({
  x1: x + SKIN,
  x2: x + box.width - SKIN,
  y1: y + SKIN,
  y2: y + box.height - SKIN,
  line: undefined,
  key,
});

const upright = (line: Segment): SweepItem => ({
  x1: line.at,
  x2: line.at,
  y1: line.from,
  y2: line.until,
  line,
  key: -1,
});

/** Keys listed per segment; thousands of lines may share one. */
const MAX_NAMED = 40;

const ends = ({ source, target }: Segment): Ends => {
  const named = new Set<number>();
  for (const keys of [target, source]) {
    for (const key of keys) {
      if (named.size >= MAX_NAMED) break;
      named.add(key);
    }
  }
  return [...named];
};

/** Lines with a common source or target may overlap. */
const sharesEnd = (a: Segment, b: Segment): boolean => shared(a.source, b.source) || shared(a.target, b.target);

/** Back edges may also join the line that leaves their meeting point, anywhere along it. */
const mayJoin = (a: Segment, b: Segment): boolean => sharesEnd(a, b) || shared(a.target, b.source);

/** A line may also begin in the point where another one ends. */
const meetAt = (point: number | undefined, a: Segment, b: Segment): boolean =>
  point !== undefined && [a, b].every(({ source, target }) => source.has(point) || target.has(point));

const shared = (a: ReadonlySet<number>, b: ReadonlySet<number>): boolean => {
  const [small, large] = a.size < b.size ? [a, b] : [b, a];
  for (const key of small) if (large.has(key)) return true;
  return false;
};

function position(active: readonly SweepItem[], x: number): number {
  let low = 0;
  let high = active.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (active[middle]!.x1 < x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Horizontal segments at the same height that overlap without a common end. */
function overlappingHorizontals(horizontals: readonly Segment[], points: ReadonlyMap<string, number>): Flaw[] {
  const flaws: Flaw[] = [];
  const sorted = horizontals.toSorted((a, b) => a.at - b.at || a.from - b.from);
  let reach: Segment | undefined;
  for (const line of sorted) {
    const contact = reach && reach.at === line.at && reach.until >= line.from;
    const inPoint =
      contact && reach!.until === line.from && meetAt(points.get(`${line.from} ${line.at}`), reach!, line);
    if (reach && contact && !inPoint && !sharesEnd(reach, line))
      flaws.push({ kind: "lines cross", a: ends(reach), b: ends(line), x: line.from, y: line.at });
    if (!reach || reach.at !== line.at || reach.until < line.until) reach = line;
  }
  return flaws;
}
