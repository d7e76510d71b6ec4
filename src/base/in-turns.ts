/** Calls that are under way at once: requests to a distant bucket take 50 ms each, and one after the other they add up. */
const AT_ONCE = 32;

/** Does the work for every item, some of them side by side, and returns the results in the order of the items. */
export async function inTurns<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < items.length; from += AT_ONCE)
    results.push(...(await Promise.all(items.slice(from, from + AT_ONCE).map(work))));
  return results;
}
