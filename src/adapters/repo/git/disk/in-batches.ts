import { setImmediate as otherWork } from "node:timers/promises";

/**
 * Runs `work` on items in batches, to bound open files and memory; other work of the process gets a turn in between. If an item fails, its batch still runs to its end before
 * the error is thrown, so that no work continues unobserved.
 */
export async function inBatches<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += size) {
    if (at > 0) await otherWork();
    const batch = await Promise.allSettled(items.slice(at, at + size).map(work));
    for (const each of batch) {
      if (each.status === "rejected") throw each.reason;
      results.push(each.value);
    }
  }
  return results;
}

/** `Promise.all` that throws only when all have ended, so that none runs on unobserved. */
export async function allDone(...work: readonly Promise<unknown>[]): Promise<void> {
  for (const each of await Promise.allSettled(work)) if (each.status === "rejected") throw each.reason;
}
