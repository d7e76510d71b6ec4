import type { IconId } from "../icon-id.ts";
import {
  behindArrows,
  blockEnding,
  type ExitLabel,
  NOWHERE,
  type Place,
  processEnd,
  type RouteGraph,
  START,
} from "./route-graph.ts";

/** One exit of an icon in both diagrams that leads to another place. */
export interface ExitChange {
  readonly before: Place;
  readonly after: Place;
  readonly label: ExitLabel;
  readonly was: Place;
  readonly is: Place;
}

/** Steps in a row that stand elsewhere; as pairs of icons. */
export type MovedRun = readonly (readonly [before: IconId, after: IconId])[];

export interface RouteChanges {
  readonly exits: readonly ExitChange[];
  readonly moved: readonly MovedRun[];
  /** Questions, by their id before, whose "yes" leads where "no" did and the other way round. */
  readonly swapped: ReadonlySet<IconId>;
}

/** Icons of both diagrams that stand for each other. */
export interface Partners {
  readonly after: ReadonlyMap<IconId, IconId>;
  readonly before: ReadonlyMap<IconId, IconId>;
}

/** Steps without a partner that stand for an equal step of the other diagram. */
interface EqualSteps {
  readonly merged: ReadonlyMap<IconId, IconId>;
  readonly split: ReadonlyMap<IconId, IconId>;
}

/**
 * Compares the exits of matched icons. Added and removed icons are passed through, so that an inserted step changes no exit; a
 * moved run of steps counts as removed and added.
 */
export function routeChanges(
  before: RouteGraph,
  after: RouteGraph,
  partners: Partners,
  equal: EqualSteps,
): RouteChanges {
  const comparison = new ExitComparison(before, after, partners, equal);
  let exits = comparison.changes([]);
  const moved: MovedRun[] = [];
  for (const run of comparison.movableRuns(exits)) {
    const left = comparison.changes([...moved, run]);
    if (left.length + 1 >= exits.length) continue;
    moved.push(run);
    exits = left;
  }
  const swapped = comparison.swapped(exits, moved);
  return { exits: exits.filter((one) => !swapped.has(one.before)), moved, swapped };
}

/** Limit of runs that are tried as moved, each with one more comparison of all exits. */
const MAX_RUNS = 12;

class ExitComparison {
  readonly #before: RouteGraph;
  readonly #after: RouteGraph;
  readonly #partners: Partners;
  readonly #equal: EqualSteps;
  readonly #pairs: readonly (readonly [Place, Place])[];

  constructor(before: RouteGraph, after: RouteGraph, partners: Partners, equal: EqualSteps) {
    this.#equal = equal;
    this.#before = before;
    this.#after = after;
    this.#partners = partners;
    const both = [...partners.after].filter(([a, b]) => before.exits.has(a) && after.exits.has(b));
    this.#pairs = [[START, START], ...both];
  }

  changes(moved: readonly MovedRun[]): ExitChange[] {
    const { old, now } = this.#horizons(moved);
    const skipped = new Set(moved.flatMap((run) => run.map(([a]) => a)));
    const found: ExitChange[] = [];
    for (const [a, b] of this.#pairs) {
      if (skipped.has(a)) continue;
      const others = this.#after.exits.get(b)!;
      for (const { label, to: was } of this.#before.exits.get(a)!) {
        if (label === "case" || label === "process" || label === "again") continue;
        const is = others.find((one) => one.label === label)?.to;
        if (is === undefined || this.#meet(old.of(was), now.of(is))) continue;
        const [from, to] = [behindArrows(this.#before, was), behindArrows(this.#after, is)];
        if (this.#equal.merged.get(from) === to || this.#equal.split.get(to) === from) continue;
        found.push({ before: a, after: b, label, was: from, is: to });
      }
    }
    return found;
  }

  /** Runs of steps that an exit led to and another one leads to now, and whose own exit leads elsewhere. */
  movableRuns(changes: readonly ExitChange[]): MovedRun[] {
    const leaving = new Set(changes.map((change) => change.before));
    const entered = new Set(changes.map(({ is }) => is));
    const runs: MovedRun[] = [];
    for (const start of new Set(changes.map(({ was }) => was))) {
      const run = this.#runFrom(start, leaving, entered);
      if (run && runs.push(run) >= MAX_RUNS) break;
    }
    return runs.toSorted((x, y) => x.length - y.length);
  }

  #runFrom(start: Place, leaving: ReadonlySet<Place>, entered: ReadonlySet<Place>): MovedRun | undefined {
    const run: [IconId, IconId][] = [];
    let at = start;
    for (;;) {
      const other = this.#partners.after.get(at);
      if (other === undefined || run.some(([a]) => a === at)) return undefined;
      if (run.length === 0 && !entered.has(other)) return undefined;
      if (!isStep(this.#before, at) || !isStep(this.#after, other)) return undefined;
      run.push([at, other]);
      if (leaving.has(at)) return run;
      at = behindArrows(this.#before, this.#before.exits.get(at)![0]!.to);
    }
  }

  swapped(changes: readonly ExitChange[], moved: readonly MovedRun[]): Set<IconId> {
    const { old, now } = this.#horizons(moved);
    const asked = Map.groupBy(
      changes.filter(({ label }) => label === "yes" || label === "no"),
      (change) => change.before,
    );
    const found = new Set<IconId>();
    for (const [icon, both] of asked) {
      const [yes, no] = both;
      if (!yes || !no) continue;
      if (this.#meet(old.of(yes.was), now.of(no.is)) && this.#meet(old.of(no.was), now.of(yes.is))) found.add(icon);
    }
    return found;
  }

  #horizons(moved: readonly MovedRun[]): { old: Horizon; now: Horizon } {
    const [left, came] = [new Set<Place>(), new Set<Place>()];
    for (const [a, b] of moved.flat()) {
      left.add(a);
      came.add(b);
    }
    const { before, after } = this.#partners;
    return {
      old: new Horizon(this.#before, (icon) => after.has(icon) && !left.has(icon)),
      now: new Horizon(this.#after, (icon) => before.has(icon) && !came.has(icon)),
    };
  }

  /** True if one of the places before is one of the places after. */
  #meet(old: ReadonlySet<Place> | undefined, now: ReadonlySet<Place> | undefined): boolean {
    if (!old || !now) return true; // a large part was added or removed, and is reported as such
    for (const place of old) if (now.has(this.#placeAfter(place))) return true;
    return false;
  }

  #placeAfter(place: Place): Place {
    const block = blockEnding(place);
    if (block !== undefined) return processEnd(this.#partners.after.get(block) ?? "");
    return this.#partners.after.get(place) ?? place;
  }
}

const isStep = ({ exits }: RouteGraph, place: Place): boolean => {
  const out = exits.get(place);
  return out?.length === 1 && out[0]!.label === "next";
};

/** Limit of added or removed icons that are searched for one exit. */
const MAX_SEARCHED = 200;

/** The first matched places behind an exit; `undefined` if too many icons lie between. */
class Horizon {
  readonly #routes: RouteGraph;
  readonly #matched: (icon: IconId) => boolean;
  readonly #skipped = new Map<Place, Place>();

  constructor(routes: RouteGraph, matched: (icon: IconId) => boolean) {
    this.#routes = routes;
    this.#matched = matched;
  }

  of(from: Place): ReadonlySet<Place> | undefined {
    const start = this.#skip(from);
    if (!this.#passable(start)) return new Set([start]);
    const found = new Set<Place>();
    const passed = new Set<Place>([start]);
    const work: Place[] = [start];
    for (let at = work.pop(); at !== undefined; at = work.pop()) {
      if (passed.size > MAX_SEARCHED) return undefined;
      for (const next of this.#next(at)) {
        const to = this.#skip(next);
        if (!this.#passable(to)) found.add(to);
        else if (!passed.has(to)) {
          passed.add(to);
          work.push(to);
        }
      }
    }
    return found;
  }

  #passable(place: Place): boolean {
    const block = blockEnding(place);
    if (block !== undefined) return !this.#matched(block);
    const icon = this.#routes.diagram.icons.get(place);
    return icon !== undefined && (icon.type === "arrow-loop" || !this.#matched(place));
  }

  #next(place: Place): Place[] {
    const block = blockEnding(place);
    const exits = this.#routes.exits.get(block ?? place) ?? [];
    return exits.filter(({ label }) => block === undefined || label === "next").map(({ to }) => to);
  }

  /** Passes icons with one exit. Remembers every icon on the way, so that long added runs are passed once. */
  #skip(from: Place): Place {
    const way: Place[] = [];
    const seen = new Set<Place>();
    let at = from;
    while (this.#passable(at) && !this.#skipped.has(at)) {
      const next = this.#next(at);
      if (next.length !== 1) break;
      if (seen.has(at)) {
        at = NOWHERE;
        break;
      }
      seen.add(at);
      way.push(at);
      at = next[0]!;
    }
    const found = this.#skipped.get(at) ?? at;
    for (const one of way) this.#skipped.set(one, found);
    return found;
  }
}
