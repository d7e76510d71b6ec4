import { setTimeout as delay } from "node:timers/promises";
import type { Oid } from "../../../../domain/git/git-names.ts";

/** Reads of missing objects in this time share one fetch. */
const PAUSE_MS = 100;
const REMEMBERED_MS = 5_000;

/** Objects that are not here: looked for at the remote once, and not again for a while, whoever asks. */
export class ObjectMisses {
  readonly #fetch: () => Promise<unknown>;
  readonly #asked = new Map<Oid, number>();
  #next: Promise<boolean> | undefined;

  constructor(fetch: () => Promise<unknown>) {
    this.#fetch = fetch;
  }

  /** True after a fetch. False if the object was looked for already, or the remote does not answer. */
  async ask(oid: Oid): Promise<boolean> {
    const now = performance.now();
    for (const [known, at] of this.#asked) if (now - at > REMEMBERED_MS) this.#asked.delete(known);
    if (this.#asked.has(oid)) return false;
    this.#next ??= this.#fetchSoon();
    const isFetched = await this.#next;
    this.#asked.set(oid, performance.now());
    return isFetched;
  }

  async #fetchSoon(): Promise<boolean> {
    await delay(PAUSE_MS);
    this.#next = undefined;
    return this.#fetch().then(
      () => true,
      () => false,
    );
  }
}

/** Calls of `work` that begin after the call: callers that come while one is under way share the next. */
export function startedAfterCall<Input, Answer>(
  work: (input?: Input) => Promise<Answer>,
): (input?: Input) => Promise<Answer> {
  let running: Promise<Answer> | undefined;
  let next: Promise<Answer> | undefined;
  const start = (input?: Input): Promise<Answer> => {
    const mine = work(input).finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  };
  return (input) => {
    if (!running) return start(input);
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return start(input);
      });
    return next;
  };
}
