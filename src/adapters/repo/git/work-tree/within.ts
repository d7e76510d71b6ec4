import { setTimeout as delay } from "node:timers/promises";

export const LATE: unique symbol = Symbol("late");

/** The result of the work. Throws `LATE` if it takes longer than `ms`; the work goes on. */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = delay(ms, undefined, { signal: over.signal }).then(() => {
    throw LATE;
  });
  late.catch(() => undefined); // ended early, or thrown by the race
  return await Promise.race([work, late]).finally(() => over.abort());
}

export const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );
