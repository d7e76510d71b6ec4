/**
 * Runs work under the same name one after another in this process, so that repetitions of a request do not race. Between
 * processes the store decides.
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
