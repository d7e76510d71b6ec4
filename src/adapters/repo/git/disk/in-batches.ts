/**
 * Works on items a group at a time: all at once would open a file for each, and hold the content of all. When one fails,
 * its group comes to an end before that is thrown, so that nothing goes on behind the caller's back.
 */
export async function inBatches<T, R>(items: readonly T[], size: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let at = 0; at < items.length; at += size) {
    const group = await Promise.allSettled(items.slice(at, at + size).map(work));
    for (const each of group) {
      if (each.status === "rejected") throw each.reason;
      results.push(each.value);
    }
  }
  return results;
}
