/**
 * Work under one name, one after the other, in this process. Between processes the store decides; here it spares two
 * repetitions of a request the race.
 */
const running = new WeakMap<object, Map<string, Promise<unknown>>>();

export async function oneAtATime<T>(owner: object, name: string, work: () => Promise<T>): Promise<T> {
  const names = running.get(owner) ?? new Map<string, Promise<unknown>>();
  running.set(owner, names);
  const before = names.get(name) ?? Promise.resolve();
  const now = before.then(work, work);
  names.set(name, now);
  try {
    return await now;
  } finally {
    if (names.get(name) === now) names.delete(name);
  }
}
