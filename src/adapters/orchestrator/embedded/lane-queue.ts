interface Ordered {
  readonly order: number;
}

interface Lane<T> {
  readonly name: string;
  busy: boolean;
  readonly ready: T[];
}

/**
 * Waiting entries: ready ones by lane, and postponed ones by due time. Lanes take turns, so that a full lane does not starve the
 * others; within a lane the oldest offer comes first. An operation costs what it moves, not what waits.
 */
export class LaneQueue<T extends Ordered> {
  readonly #lanes = new Map<string, Lane<T>>();
  /** Lanes with a ready entry that are not busy, in the order of their turns. */
  readonly #turns = new Set<Lane<T>>();
  /** Postponed entries by due time, then by order. */
  #later: { readonly due: number; readonly entry: T }[] = [];
  #ready = 0;

  get readyCount(): number {
    return this.#ready;
  }

  get firstDue(): number | undefined {
    return this.#later[0]?.due;
  }

  ready(name: string, entry: T): void {
    const lane = this.#lane(name);
    // Nearly always at the end: only a postponed entry returns to a place before others.
    let at = lane.ready.length;
    while (at > 0 && lane.ready[at - 1]!.order > entry.order) at--;
    lane.ready.splice(at, 0, entry);
    this.#ready++;
    if (!lane.busy) this.#turns.add(lane);
  }

  /** Takes the entry whose turn it is. Its lane is busy until `free`. */
  next(): T | undefined {
    for (const lane of this.#turns) {
      this.#turns.delete(lane);
      lane.busy = true;
      this.#ready--;
      return lane.ready.shift()!;
    }
    return undefined;
  }

  free(name: string): void {
    const lane = this.#lane(name);
    lane.busy = false;
    if (lane.ready.length > 0) this.#turns.add(lane);
    else this.#lanes.delete(name);
  }

  postpone(due: number, entry: T): void {
    this.#later.splice(this.#place(due, entry.order), 0, { due, entry });
  }

  withdraw(due: number, entry: T): void {
    const near = this.#place(due, entry.order);
    const at = this.#later[near]?.entry === entry ? near : this.#later.findIndex((one) => one.entry === entry);
    if (at >= 0) this.#later.splice(at, 1);
  }

  /** Removes and returns the postponed entries that are due. */
  takeDue(now: number): T[] {
    let count = 0;
    while (count < this.#later.length && this.#later[count]!.due <= now) count++;
    return this.#later.splice(0, count).map(({ entry }) => entry);
  }

  /** After the clock was set back: makes entries due at `latest(entry)` at the latest. */
  shorten(latest: (entry: T) => number | undefined): void {
    this.#later = this.#later
      .map(({ due, entry }) => ({ due: Math.min(due, latest(entry) ?? due), entry }))
      .toSorted((a, b) => a.due - b.due || a.entry.order - b.entry.order);
  }

  #lane(name: string): Lane<T> {
    const known = this.#lanes.get(name);
    if (known) return known;
    const lane: Lane<T> = { name, busy: false, ready: [] };
    this.#lanes.set(name, lane);
    return lane;
  }

  #place(due: number, order: number): number {
    let low = 0;
    let high = this.#later.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const one = this.#later[middle]!;
      if (one.due < due || (one.due === due && one.entry.order < order)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
