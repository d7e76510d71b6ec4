import { setImmediate as turn } from "node:timers/promises";
import { Failure } from "../../../base/failure.ts";
import { seeded } from "../../../base/testing/seeded.ts";
import { oneByOne, type Store } from "../../../ports/store.ts";

/**
 * Wraps a real store and injects, by seed, every failure that the port allows, and no other: answers are true, and so is the
 * `outcome` of a failed write.
 *
 *     const store = faultyStore(real, { seed: 7, chance: 0.2 });
 *     const garden = { ...ground, store };
 *     …                        // one of five writes fails, a third of them after they happened
 *     store.faults.off();      // the disk works again: now everything must recover
 *     store.faults.failAt(3);  // or: exactly the third write from now fails, and no other
 */
export interface FaultyStore extends Store {
  readonly faults: Faults;
}

export interface Faults {
  /** Random faults. On from the beginning. */
  on(): void;
  off(): void;
  /**
   * The n-th write from now on (1 is the next) fails once, even if random faults are off. To test every position, count the writes of
   * a run without faults and fail at each in turn.
   */
  failAt(n: number, fault?: Fault): void;
  readonly counts: Readonly<Record<Fault | "writes" | "reads" | "readsFailed", number>>;
}

/** Kinds of failed writes. */
export type Fault = (typeof FAULTS)[number];
export const FAULTS = [
  /** Did not happen, outcome `none`: a full disk. */
  "before",
  /** Did not happen, outcome `unknown`: the owner died before the write. */
  "lost",
  /** Happened, outcome `unknown`: the owner died before the answer. */
  "after",
] as const;

export interface FaultyOptions {
  readonly seed: number;
  /** Probability that a write fails, 0 to 1. Default: 0. */
  readonly chance?: number;
  /** Probability that a `get` or `list` fails. Default: 0. */
  readonly readChance?: number;
  /** Delays calls by random turns of the event loop, so that concurrent ones overtake each other. */
  readonly delays?: boolean;
}

export function faultyStore(store: Store, options: FaultyOptions): FaultyStore {
  const random = seeded(options.seed);
  const counts = { writes: 0, reads: 0, readsFailed: 0, before: 0, lost: 0, after: 0 };
  const planned = new Map<number, Fault>();
  let isOn = true;

  const delayed = async (): Promise<void> => {
    if (options.delays) for (let turns = Math.floor(random() * 4); turns > 0; turns--) await turn();
  };

  function faultNow(): Fault | undefined {
    const fixed = planned.get(++counts.writes);
    if (fixed) return fixed;
    return isOn && random() < (options.chance ?? 0) ? FAULTS[Math.floor(random() * FAULTS.length)] : undefined;
  }

  async function write<T>(call: () => Promise<T>): Promise<T> {
    const fault = faultNow();
    if (fault) counts[fault]++;
    await delayed();
    if (fault === "before" || fault === "lost") throw failed(fault === "before" ? "none" : "unknown");
    const answer = await call();
    await delayed();
    if (fault === "after") throw failed("unknown");
    return answer;
  }

  async function read<T>(call: () => Promise<T>): Promise<T> {
    counts.reads++;
    const fails = isOn && random() < (options.readChance ?? 0);
    await delayed();
    if (!fails) return await call();
    counts.readsFailed++;
    throw failed("none");
  }

  const verbs: Pick<Store, "create" | "put" | "delete"> = {
    create: (key, bytes) => {
      const own = Uint8Array.from(bytes);
      return write(() => store.create(key, own));
    },
    put: (key, bytes) => {
      const own = Uint8Array.from(bytes);
      return write(() => store.put(key, own));
    },
    delete: (key) => write(() => store.delete(key)),
  };
  return {
    ...verbs,
    /** One by one, each with its own fault, so that any prefix of them may be all that was written. */
    inOrder: (writes) => oneByOne(verbs, writes),
    faults: {
      on: () => void (isOn = true),
      off: () => void (isOn = false),
      failAt: (n, fault = "after") => void planned.set(counts.writes + n, fault),
      counts,
    },
    get: (key) => read(() => store.get(key)),
    list: (prefix, page) => read(() => store.list(prefix, page)),
    swap: (key, expected, bytes) => {
      const own = Uint8Array.from(bytes);
      return write(() => store.swap(key, expected, own));
    },
    remove: (key, expected) => write(() => store.remove(key, expected)),
    health: () => store.health(),
    close: () => store.close(),
  };
}

const failed = (outcome: "none" | "unknown"): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "the store fails, as the test wants it",
    uk: "сховище не працює, як того хоче тест",
    details: { part: "store" },
    outcome,
  });
