import type { StoreKey } from "../domain/store-key.ts";

/**
 * The store: named bytes. It is the authority for contracts, runs, inbox, proposals and audit (G-3).
 *
 * Every adapter guarantees the following, and the conformance suite proves it:
 * - An object is whole or absent for every reader, at every instant, also after `kill -9` and power loss.
 * - A write that returned is durable. When several writers race for one key, one wins.
 * - A result is final: after `taken` or `moved` the caller can read the object that was in the way.
 * - A write that threw a failure with outcome `none` did not happen. With outcome `unknown` (a lost answer) it may have:
 *   the caller reads back. Therefore every record that matters carries an operation id of its own.
 * - Keys are checked (`storeKey`) before anything is touched. No key may be a folder of another key.
 */
export interface Store {
  get(key: StoreKey): Promise<Stored | undefined>;

  /** Creates the object if the key is free. Otherwise returns `taken`, and the winner's bytes can be read. */
  create(key: StoreKey, bytes: Uint8Array): Promise<Created>;

  /** Compare-and-swap: replaces the object if it still has the expected hash. For files that people edit too (contracts). */
  swap(key: StoreKey, expected: Hash, bytes: Uint8Array): Promise<Swapped>;

  /** Creates or replaces a view. Throws for a key that is not a view (`isViewKey`). */
  put(key: StoreKey, bytes: Uint8Array): Promise<void>;

  /** Removes a view. Idempotent. */
  delete(key: StoreKey): Promise<void>;

  /**
   * Removes any object if it still has the expected hash: for deletions by the owner (an archived agent), and for views that
   * several processes compete for. Nothing of it stays in the store; the caller writes the audit record.
   */
  remove(key: StoreKey, expected: Hash): Promise<Removed>;

  /**
   * Performs writes in order, as if each returned before the next begins: a reader that sees one of them, also after a crash,
   * sees all earlier ones. Adapters may use one sync for all. A write that is marked `beside` has no such order with the write before
   * it: where each write is a request, both are on their way at once. A `create` with `must` whose key is taken ends the list: later
   * writes are not performed. When this throws, a prefix of the writes may have happened, and any of those beside its last one.
   */
  inOrder(writes: readonly Write[]): Promise<readonly WriteResult[]>;

  /**
   * Keys that begin with `prefix`, in order of their UTF-8 bytes, after `after`, at most `limit`. A page is not a
   * snapshot: concurrent writes may or may not show. An object that exists throughout the call is never omitted.
   */
  list(prefix: string, page?: { after?: StoreKey; limit?: number }): Promise<KeyPage>;

  /** State of this store for people: for `bloom status` and `GET /health`. Never throws. */
  health(): Promise<StoreHealth>;

  /** Waits until all completed writes are in the files that people see, and releases the store. */
  close(): Promise<void>;
}

/** The git blob id of the bytes. */
export type Hash = string;

export interface Stored {
  readonly bytes: Uint8Array;
  readonly hash: Hash;
  /** As in a listing; left out where it is not known. */
  readonly version?: string;
}

export type Created = { readonly kind: "created"; readonly hash: Hash } | { readonly kind: "taken" };
export type Swapped =
  | { readonly kind: "swapped"; readonly hash: Hash }
  /** `hash` is the current one; undefined if there is no object. */
  | { readonly kind: "moved"; readonly hash: Hash | undefined };

export type Removed =
  | { readonly kind: "removed" }
  /** `hash` is the current one; undefined if there is no object. */
  | { readonly kind: "moved"; readonly hash: Hash | undefined };

/** One write of `inOrder`, with the meaning of the method of the same name. */
export type Write = (
  | { readonly verb: "create"; readonly key: StoreKey; readonly bytes: Uint8Array; readonly must?: true }
  | { readonly verb: "put"; readonly key: StoreKey; readonly bytes: Uint8Array }
  | { readonly verb: "delete"; readonly key: StoreKey }
) & {
  /** May come before or after the write before it. Without meaning after a `must`, whose answer is waited for. */
  readonly beside?: true;
};

/** Marks that these writes have no order among themselves. */
export const besideEachOther = (writes: readonly Write[]): readonly Write[] =>
  writes.map((write, number) => (number === 0 ? write : { ...write, beside: true }));

/** Result of one write of `inOrder`. Writes after a failed `must` have none. */
export type WriteResult = Created | { readonly kind: "done" };

export interface KeyPage {
  readonly entries: readonly {
    readonly key: StoreKey;
    readonly size: number;
    /** Other content has another version. Left out by stores where a read costs as little as a listing. */
    readonly version?: string;
  }[];
  /** Pass as `after` for the next page; undefined when there is none. */
  readonly next: StoreKey | undefined;
}

export interface StoreHealth {
  readonly ok: boolean;
  /** Location of the bytes, for people: a folder, a bucket. */
  readonly place: string;
  /**
   * `owner`: this process holds the store. `client`: it works through the owner's socket. `reader`: the store cannot be written
   * (read-only media, no permission), so it was opened without a lock, and every write fails with FORBIDDEN.
   */
  readonly role: "owner" | "client" | "reader" | "remote";
  /** Another process uses the store at this moment. */
  readonly shared: boolean;
  /** Problems and repairs, newest last. */
  readonly remarks: readonly { readonly en: string; readonly uk: string }[];
}

export const MAX_LIST_LIMIT = 1000;
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** Every key with a prefix, loaded page by page. */
export async function* everyKey(store: Store, prefix: string): AsyncGenerator<KeyPage["entries"][number]> {
  let after: StoreKey | undefined;
  do {
    const page: KeyPage = await store.list(prefix, after === undefined ? {} : { after });
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
}

/** The writes in groups that have no order inside. */
export function groupsOfWrites(writes: readonly Write[]): readonly (readonly Write[])[] {
  const groups: Write[][] = [];
  for (const write of writes) {
    const last = groups.at(-1)?.at(-1);
    const isFree = write.beside && last !== undefined && !("must" in last && last.must);
    if (isFree) groups.at(-1)!.push(write);
    else groups.push([write]);
  }
  return groups;
}

/** `inOrder` for a store whose writes are requests: those of a group at once, and all of them answered before the next group. */
export async function groupByGroup(
  store: Pick<Store, Write["verb"]>,
  writes: readonly Write[],
): Promise<readonly WriteResult[]> {
  const done: WriteResult[] = [];
  for (const group of groupsOfWrites(writes)) {
    const answers = await Promise.allSettled(group.map((write) => carriedOut(store, write)));
    for (const answer of answers) {
      if (answer.status === "rejected") throw answer.reason;
      done.push(answer.value);
    }
    const last = group.at(-1)!;
    if (done.at(-1)?.kind === "taken" && last.verb === "create" && last.must) break;
  }
  return done;
}

/** `inOrder` for a store that cannot group writes. */
export async function oneByOne(
  store: Pick<Store, Write["verb"]>,
  writes: readonly Write[],
): Promise<readonly WriteResult[]> {
  const done: WriteResult[] = [];
  for (const write of writes) {
    const last = await carriedOut(store, write);
    done.push(last);
    if (last.kind === "taken" && write.verb === "create" && write.must) break;
  }
  return done;
}

async function carriedOut(store: Pick<Store, Write["verb"]>, write: Write): Promise<WriteResult> {
  if (write.verb === "create") return await store.create(write.key, write.bytes);
  await (write.verb === "put" ? store.put(write.key, write.bytes) : store.delete(write.key));
  return { kind: "done" };
}
