import type { Observation, Sign } from "./observation.ts";

/** Cap on the number of decisions counted per run. */
const MOST_DECISIONS = 5;

/** Columns of a row: runs, failed, failed at this icon; then decided and rejected runs by number of decisions. */
const [ALL, FAILED, FAILED_HERE, DECIDED] = [0, 1, 2, 3];
const REJECTED = DECIDED + MOST_DECISIONS;
const WIDTH = REJECTED + MOST_DECISIONS;

/** Counts for one group of runs. */
export type Row = Float64Array;

export const newRow = (): Row => new Float64Array(WIDTH);

export function count(row: Row, { trouble, decisions }: Observation, here: boolean): void {
  row[ALL]!++;
  if (trouble === "failure") {
    row[FAILED]!++;
    if (here) row[FAILED_HERE]!++;
    return;
  }
  const k = Math.min(decisions, MOST_DECISIONS) - 1;
  row[DECIDED + k]!++;
  if (trouble === "rejection") row[REJECTED + k]!++;
}

export function addRow(to: Row, from: Row): void {
  for (let i = 0; i < WIDTH; i++) to[i]! += from[i]!;
}

export const runsIn = (row: Row): number => row[ALL]!;
export const failedIn = (row: Row): number => row[FAILED]!;
export const failedHere = (row: Row): number => row[FAILED_HERE]!;

/** Decided and rejected runs by number of decisions, from 1. */
export const decidedBy = (row: Row): { readonly decisions: number; readonly all: number; readonly bad: number }[] =>
  Array.from({ length: MOST_DECISIONS }, (_, k) => ({
    decisions: k + 1,
    all: row[DECIDED + k]!,
    bad: row[REJECTED + k]!,
  }));

/** Bounds that split sizes, fixed after the first runs. */
export interface Cuts {
  readonly sign: Sign;
  readonly bounds: readonly number[];
  /** By interval between bounds: runs whose smallest, or largest, size lies in it. */
  readonly least: readonly Row[];
  readonly most: readonly Row[];
}

const MOST_CUTS = 12;

export function cutsOf(sign: Sign, seen: readonly number[]): Cuts | undefined {
  const sizes = [...new Set(seen)].toSorted((a, b) => a - b);
  const between = sizes.slice(1).map((size, index) => (size + sizes[index]!) / 2);
  if (between.length === 0) return undefined;
  const every = Math.max(1, between.length / MOST_CUTS);
  const bounds: number[] = [];
  for (let i = every / 2; i < between.length; i += every) bounds.push(between[Math.floor(i)]!);
  const rows = (): Row[] => Array.from({ length: bounds.length + 1 }, newRow);
  return { sign, bounds, least: rows(), most: rows() };
}

/** Number of bounds below a size. */
export function intervalOf(bounds: readonly number[], size: number): number {
  let [low, high] = [0, bounds.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bounds[middle]! < size) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Counts of "at most this bound" and "above it" for each bound. */
export function cutRows({
  bounds,
  least,
  most,
}: Cuts): { readonly bound: number; readonly atMost: Row; readonly above: Row }[] {
  const atMost = newRow();
  const below = bounds.map((_, index) => {
    addRow(atMost, least[index]!);
    return Float64Array.from(atMost);
  });
  const above = newRow();
  const upper = bounds.map((_, index) => {
    addRow(above, most[bounds.length - index]!);
    return Float64Array.from(above);
  });
  return bounds.map((bound, index) => ({ bound, atMost: below[index]!, above: upper[bounds.length - 1 - index]! }));
}
