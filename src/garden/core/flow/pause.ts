/** Resolves after `ms`, or at once when the signal is aborted; never rejects. Injected, so that tests need not wait. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The longest delay of `setTimeout`; a longer pause ends early. */
const LONGEST_MS = 2 ** 31 - 1;

/** Made by hand because `timers/promises` creates an exception for every aborted pause, and each recorded call has one. */
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

/**
 * Calls `late` after a pause, unless the returned function was called before. For the real pause it is a timer alone, without a promise
 * and a signal: every recorded call has one.
 */
export function afterPause(pause: Pause, ms: number, late: () => void): () => void {
  if (pause === realPause) {
    const timer = setTimeout(late, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  }
  const over = new AbortController();
  void pause(ms, over.signal).then(() => over.signal.aborted || late());
  return () => over.abort(OVER);
}

/** The abort reason of pauses beside finished work. Made once: an abort without a reason creates an exception each time. */
export const OVER: unique symbol = Symbol("over");

/** Works after each pause until the signal is aborted. `onError` gets what the work threw; the work goes on at its next turn. */
export async function repeat(
  pause: Pause,
  over: AbortSignal,
  ms: () => number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): Promise<void> {
  for (;;) {
    await pause(ms(), over);
    if (over.aborted) return;
    await work().catch(onError);
  }
}
