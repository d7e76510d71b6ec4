import { setTimeout as delay } from "node:timers/promises";
import type { Oid } from "../../../../domain/git/git-names.ts";

/** Reads of missing objects in this time share one fetch. */
const PAUSE_MS = 100;
/** After an answer, the remote is not asked for the same object again for so long. */
const ANSWERED_MS = 1_000;
/** A read of an object that is not here waits for the remote so long. */
export const MISS_MS = 5_000;
/** Longer than the pause before whoever needs the answer asks again, such as the chore that resumes applying. */
const ASKED_MS = 600_000;
const MAX_ASKED = 1_000;

/** `fetched`: after the object was first asked for. `slow`: the fetch takes longer than `MISS_MS`, and goes on. `away`: it failed. */
export type MissAnswer = "fetched" | "looked-for-already" | "slow" | "away";

interface Asked {
  /** The first read since the last answer in time. */
  since: number;
  answered: number;
}

/**
 * Objects that are not here: looked for at the remote once, and not again for a moment, whoever asks. A read that a slow remote does
 * not answer in time is remembered: a later one gets the answer of the fetch that the first one began.
 */
export class ObjectMisses {
  readonly #fetch: () => Promise<unknown>;
  readonly #asked = new Map<Oid, Asked>();
  #next: Promise<"fetched" | "slow" | "away"> | undefined;
  /** The last fetch that succeeded began then or later. */
  #fetchedFrom = -Infinity;

  constructor(fetch: () => Promise<unknown>) {
    this.#fetch = fetch;
  }

  async ask(oid: Oid): Promise<MissAnswer> {
    const now = performance.now();
    for (const [known, { since }] of this.#asked)
      if (now - since > ASKED_MS || this.#asked.size > MAX_ASKED) this.#asked.delete(known);
    const asked = this.#asked.get(oid) ?? { since: now, answered: -Infinity };
    if (now - asked.answered <= ANSWERED_MS) return "looked-for-already";
    this.#asked.set(oid, asked);
    this.#next ??= this.#fetchSoon();
    const answer = await this.#next;
    if (answer === "away" || (answer === "slow" && asked.since > this.#fetchedFrom)) return answer;
    asked.answered = performance.now();
    if (answer === "fetched") asked.since = asked.answered;
    return "fetched";
  }

  async #fetchSoon(): Promise<"fetched" | "slow" | "away"> {
    await delay(PAUSE_MS);
    this.#next = undefined;
    const from = performance.now();
    // A fetch may take longer than a read waits. It goes on: if each read ended it, a slow remote would never be fetched.
    const over = new AbortController();
    const late = delay(MISS_MS, "slow" as const, { signal: over.signal }).catch(() => "slow" as const);
    const fetched = this.#fetch().then(
      () => {
        this.#fetchedFrom = from;
        return "fetched" as const;
      },
      () => "away" as const,
    );
    return await Promise.race([fetched, late]).finally(() => over.abort());
  }
}

/**
 * Calls of `work` that begin after the call: callers that come while one is under way share the next, with the longest of their limits.
 * Without a limit, that of `work` counts, which is the longest.
 */
export function startedAfterCall<Answer>(
  work: (limitMs?: number) => Promise<Answer>,
): (limitMs?: number) => Promise<Answer> {
  let running: Promise<Answer> | undefined;
  let next: { readonly answer: Promise<Answer>; limitMs: number | undefined } | undefined;
  const start = (limitMs?: number): Promise<Answer> => {
    const mine = work(limitMs).finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  };
  const startNext = (): Promise<Answer> => {
    const limitMs = next?.limitMs;
    next = undefined;
    return start(limitMs);
  };
  return (limitMs) => {
    if (!running) return start(limitMs);
    if (next) next.limitMs = longest(next.limitMs, limitMs);
    else next = { answer: running.catch(() => undefined).then(startNext), limitMs };
    return next.answer;
  };
}

const longest = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? undefined : Math.max(a, b);
