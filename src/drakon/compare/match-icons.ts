import { longestIncreasing } from "./longest-increasing.ts";
import type { OutlineEntry } from "./outline.ts";
import { similarity } from "./similarity.ts";

/** Pairs of icons as positions in the two outlines, in both directions. */
export interface IconMatching {
  readonly toAfter: ReadonlyMap<number, number>;
  readonly toBefore: ReadonlyMap<number, number>;
}

/**
 * Pairs the icons of two versions. Ids are trusted only if most of them have the same text: an editor may renumber all icons
 * when it saves. Otherwise icons are matched by text, first where it is unique, then between matched neighbours; finally by
 * similarity within the same gap.
 */
export function matchIcons(before: readonly OutlineEntry[], after: readonly OutlineEntry[]): IconMatching {
  const found = new Pairs(before, after);
  const byId = new Map(after.map(({ icon }, index) => [icon.id, index]));
  const twins = before.flatMap(({ icon }, index) => {
    const other = byId.get(icon.id);
    return other === undefined ? [] : [[index, other] as const];
  });
  const same = twins.filter(([a, b]) => keyOf(before[a]!) === keyOf(after[b]!));
  const believed = same.length * 2 >= twins.length;
  if (believed) for (const [a, b] of same) found.add(a, b);
  found.byKey((key) => hasText(key), true);
  // An icon that got its first text, or lost it, is still the same one.
  if (believed)
    for (const [a, b] of twins)
      if (before[a]!.icon.type === after[b]!.icon.type && !(hasText(keyOf(before[a]!)) && hasText(keyOf(after[b]!))))
        found.add(a, b);
  for (const gap of found.gaps()) found.fromEnds(gap.before, gap.after);
  for (const gap of found.gaps()) found.inOrder(gap.before, gap.after, hasText);
  found.byNeighbours();
  for (const gap of found.gaps()) found.inOrder(gap.before, gap.after);
  found.byKey(() => true, false);
  if (believed) {
    for (const [a, b] of twins) {
      const [x, y] = [before[a]!.icon, after[b]!.icon];
      if (x.type === y.type && similarity(x.text, y.text) >= 0.3) found.add(a, b);
    }
  }
  for (const gap of found.gaps()) found.alike(gap.before, gap.after);
  return found;
}

const keyOf = ({ icon: { type, text, secondary } }: OutlineEntry): string =>
  [type, text, secondary ?? ""].map((part) => part.normalize("NFC").replace(/\s+/g, " ").trim()).join("\n");

/** False for icons without text (arrows, lower ends, most processes): they are matched by their neighbours. */
const hasText = (key: string): boolean => key.includes("\n") && key.slice(key.indexOf("\n")).trim() !== "";

interface Gap {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Limit for pairwise comparison in one gap. */
const MAX_COMPARED = 2500;

class Pairs implements IconMatching {
  readonly toAfter = new Map<number, number>();
  readonly toBefore = new Map<number, number>();
  readonly #before: readonly OutlineEntry[];
  readonly #after: readonly OutlineEntry[];

  constructor(before: readonly OutlineEntry[], after: readonly OutlineEntry[]) {
    this.#before = before;
    this.#after = after;
  }

  add(a: number, b: number): void {
    if (this.toAfter.has(a) || this.toBefore.has(b)) return;
    this.toAfter.set(a, b);
    this.toBefore.set(b, a);
  }

  #open(): Gap {
    return {
      before: [...this.#before.keys()].filter((index) => !this.toAfter.has(index)),
      after: [...this.#after.keys()].filter((index) => !this.toBefore.has(index)),
    };
  }

  /** Matches by type and text anywhere; `unique`: only if each side has one. */
  byKey(fits: (key: string) => boolean, unique: boolean): void {
    const open = this.#open();
    const [x, y] = [grouped(open.before, this.#before), grouped(open.after, this.#after)];
    for (const [key, all] of x) {
      const others = y.get(key) ?? [];
      if (!fits(key)) continue;
      if (unique && (all.length !== 1 || others.length !== 1)) continue;
      for (const [i, index] of all.slice(0, others.length).entries()) this.add(index, others[i]!);
    }
  }

  /** Unmatched icons between matched ones that kept their order. */
  gaps(): Gap[] {
    const pairs = [...this.toAfter].toSorted(([a], [b]) => a - b);
    const spine = longestIncreasing(pairs.map(([, b]) => b)).map((index) => pairs[index]!);
    const gaps: { before: number[]; after: number[] }[] = [];
    let [a, b] = [0, 0];
    for (const [x, y] of [...spine, [this.#before.length, this.#after.length] as const]) {
      const gap = { before: [] as number[], after: [] as number[] };
      for (; a < x; a++) if (!this.toAfter.has(a)) gap.before.push(a);
      for (; b < y; b++) if (!this.toBefore.has(b)) gap.after.push(b);
      if (gap.before.length > 0 && gap.after.length > 0) gaps.push(gap);
    }
    return gaps;
  }

  /** Matches equal neighbours of matched icons, below first, then above. */
  byNeighbours(): void {
    const step = (index: number, by: 1 | -1): void => {
      const next = this.toAfter.get(index + by);
      const [ours, theirs] = [this.#before[index], next === undefined ? undefined : this.#after[next - by]];
      if (ours && theirs && keyOf(ours) === keyOf(theirs)) this.add(index, next! - by);
    };
    for (let index = this.#before.length - 1; index >= 0; index--) step(index, 1);
    for (let index = 0; index < this.#before.length; index++) step(index, -1);
  }

  /** Matches equal icons from the beginning and from the end of a gap: of several equal ones, those at the same place. */
  fromEnds(before: readonly number[], after: readonly number[]): void {
    const equal = (a: number | undefined, b: number | undefined): boolean =>
      a !== undefined && b !== undefined && keyOf(this.#before[a]!) === keyOf(this.#after[b]!);
    let first = 0;
    for (; equal(before[first], after[first]); first++) this.add(before[first]!, after[first]!);
    for (let last = 1; equal(before.at(-last), after.at(-last)); last++) this.add(before.at(-last)!, after.at(-last)!);
  }

  inOrder(before: readonly number[], after: readonly number[], fits: (key: string) => boolean = () => true): void {
    const others = grouped(after, this.#after);
    for (const index of before) {
      const key = keyOf(this.#before[index]!);
      const other = fits(key) ? others.get(key)?.shift() : undefined;
      if (other !== undefined) this.add(index, other);
    }
  }

  /** Matches the most similar first; then, if one of a type is left on each side, those two. */
  alike(before: readonly number[], after: readonly number[]): void {
    const [x, y] = [before, after].map((side, i) => byType(side, i === 0 ? this.#before : this.#after));
    for (const [type, ours] of x!) {
      const theirs = y!.get(type) ?? [];
      const rated =
        ours.length * theirs.length > MAX_COMPARED
          ? []
          : ours.flatMap((a) =>
              theirs.map((b) => [similarity(this.#before[a]!.icon.text, this.#after[b]!.icon.text), a, b] as const),
            );
      for (const [rate, a, b] of rated.toSorted((p, q) => q[0] - p[0])) if (rate >= 0.5) this.add(a, b);
      const left = ours.filter((index) => !this.toAfter.has(index));
      const right = theirs.filter((index) => !this.toBefore.has(index));
      if (left.length === 1 && right.length === 1) this.add(left[0]!, right[0]!);
    }
  }
}

const grouped = (indices: readonly number[], entries: readonly OutlineEntry[]): Map<string, number[]> =>
  Map.groupBy(indices, (index) => keyOf(entries[index]!));
const byType = (indices: readonly number[], entries: readonly OutlineEntry[]): Map<string, number[]> =>
  Map.groupBy(indices, (index) => entries[index]!.icon.type);
