import { setTimeout as delay } from "node:timers/promises";
import type { Oid } from "../../../../domain/git/git-names.ts";

/** Reads of missing objects in this time share one fetch. */
const PAUSE_MS = 100;
const REMEMBERED_MS = 1_000;
/** A read of an object that is not here waits for the remote so long. */
const MISS_MS = 5_000;

export type MissAnswer = "fetched" | "looked-for-already" | "unanswered";

/** Objects that are not here: looked for at the remote once, and not again for a moment, whoever asks. */
export class ObjectMisses {
  readonly #fetch: () => Promise<unknown>;
  readonly #asked = new Map<Oid, number>();
  #next: Promise<"fetched" | "unanswered"> | undefined;

  constructor(fetch: () => Promise<unknown>) {
    this.#fetch = fetch;
  }

  async ask(oid: Oid): Promise<MissAnswer> {
    const now = performance.now();
    for (const [known, at] of this.#asked) if (now - at > REMEMBERED_MS) this.#asked.delete(known);
    if (this.#asked.has(oid)) return "looked-for-already";
    this.#next ??= this.#fetchSoon();
    const answer = await this.#next;
    if (answer === "fetched") this.#asked.set(oid, performance.now());
    return answer;
  }

  async #fetchSoon(): Promise<"fetched" | "unanswered"> {
    await delay(PAUSE_MS);
    this.#next = undefined;
    // A fetch may take longer than a read waits. It goes on: if each read ended it, a slow remote would never be fetched.
    const over = new AbortController();
    const late = delay(MISS_MS, "unanswered" as const, { signal: over.signal }).catch(() => "unanswered" as const);
    const fetched = this.#fetch().then(
      () => "fetched" as const,
      () => "unanswered" as const,
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
