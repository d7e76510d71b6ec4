import { groupsOfWrites, oneByOne, type Store, type Write, type WriteResult } from "../../../ports/store.ts";

/**
 * A store whose process dies after this many writes: later reads and writes throw, and nothing more is written. Groups of writes are
 * split, because a power cut can leave any prefix of one; writes without an order come in the reverse of theirs.
 */
export function stoppingStore(store: Store, writes: number): Store & { readonly stopped: () => boolean } {
  let [left, isStopped] = [writes, false];
  const read = async <T>(call: () => Promise<T>): Promise<T> => {
    if (isStopped) throw new Error("the process has died");
    return await call();
  };
  const write = async <T>(call: () => Promise<T>): Promise<T> => {
    isStopped ||= left-- === 0;
    return await read(call);
  };
  const verbs: Pick<Store, "create" | "put" | "delete"> = {
    create: (key, bytes) => write(() => store.create(key, bytes)),
    put: (key, bytes) => write(() => store.put(key, bytes)),
    delete: (key) => write(() => store.delete(key)),
  };
  return {
    ...verbs,
    async inOrder(all) {
      const turned = groupsOfWrites(all).flatMap((group) => group.toReversed());
      const done = await oneByOne(verbs, turned);
      const results = new Map<Write, WriteResult>(done.map((result, number) => [turned[number]!, result]));
      return all.flatMap((each) => results.get(each) ?? []);
    },
    swap: (key, expected, bytes) => write(() => store.swap(key, expected, bytes)),
    remove: (key, expected) => write(() => store.remove(key, expected)),
    get: (key) => read(() => store.get(key)),
    list: (prefix, page) => read(() => store.list(prefix, page)),
    health: () => store.health(),
    close: () => store.close(),
    stopped: () => isStopped,
  };
}
