import { setTimeout as sleep } from "node:timers/promises";

/** Waits, and is handed in, so that a test does not. Ends early, without a word, when the signal is given. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

export const realPause: Pause = (ms, signal) =>
  sleep(ms, undefined, { ref: true, ...(signal && { signal }) }).catch((error: unknown) => {
    if (!signal?.aborted) throw error;
  });
