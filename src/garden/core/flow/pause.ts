import type { World } from "../../../base/world.ts";

/** Resolves after `ms`, or at once when the signal is aborted; never rejects. Injected, so that tests need not wait. */
export type Pause = (ms: number, signal?: AbortSignal) => Promise<void>;

/** The longest delay of `setTimeout`; a longer pause ends early. */
const LONGEST_MS = 2 ** 31 - 1;
/** Node prints a warning about a negative delay. */
const delayOf = (ms: number): number => Math.max(0, Math.min(ms, LONGEST_MS));

/** Made by hand because `timers/promises` creates an exception for every aborted pause, and each recorded call has one. */
export const realPause: Pause = (ms, signal) =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delayOf(ms));
    signal?.addEventListener("abort", end, { once: true });
    return undefined;
  });

/**
 * Calls `late` after a pause, unless the returned function was called before. For the real pause it is a timer alone, without a promise
 * and a signal: every recorded call has one.
 */
export function afterPause(pause: Pause, ms: number, late: () => void): () => void {
  if (pause === realPause) {
    const timer = setTimeout(late, delayOf(ms));
    return () => clearTimeout(timer);
  }
  const over = new AbortController();
  void pause(ms, over.signal).then(() => over.signal.aborted || late());
  return () => over.abort(OVER);
}

/** A timer that fires so much too late shows that the process was paused (SIGSTOP, a container that was frozen). */
const PAUSED_MS = 20_000;

/**
 * `afterPause` for the time limit of work. If the process was paused meanwhile, the limit begins again: the time in which nothing ran
 * does not count. So it does after the clock was set forward.
 */
export function afterWork(
  { pause, world }: { readonly pause: Pause; readonly world: Pick<World, "now"> },
  ms: number,
  late: () => void,
): () => void {
  let cancel = (): void => undefined;
  const begin = (): void => {
    const overdue = world.now() + ms + PAUSED_MS;
    cancel = afterPause(pause, ms, () => (world.now() > overdue ? begin() : late()));
  };
  begin();
  return () => cancel();
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
