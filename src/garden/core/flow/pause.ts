/** Waits, and is handed in, so that a test does not. Ends early, without a word, when the signal is given. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/** Timers cannot wait for longer. Whoever pauses for a month looks again then. */
const LONGEST_MS = 2 ** 31 - 1;

/** Every recorded call is waited beside: so no exception is made for a pause that ends early. */
export const realPause: Pause = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_MS));
    signal?.addEventListener("abort", end, { once: true });
    return undefined;
  });

/** Why pauses beside finished work end: made once, because an abort without a reason makes an exception each time. */
export const OVER: unique symbol = Symbol("over");
