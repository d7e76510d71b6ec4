import type { StoreKey } from "../domain/store-key.ts";

/**
 * The store: named bytes. It is the authority for contracts, runs, inbox, proposals and audit (G-3).
 *
 * What every member of the family promises, and its conformance suite proves:
 * - An object is whole or absent for every reader, at every instant, also after `kill -9` and power loss.
 * - When a write has been answered, it survives power loss. When several writers race for one key, one wins.
 * - An answer is never taken back: who was told `taken` or `moved` can read what stood in the way.
 * - A write that threw a failure with outcome `none` did not happen. With outcome `unknown` (a lost answer) it may have:
 *   the caller reads back. Therefore every record that matters carries an operation id of its own.
 * - Keys are checked (`storeKey`) before anything is touched. No key may be a folder of another key.
 */
export interface Store {
  get(key: StoreKey): Promise<Stored | undefined>;

  /** Makes the object if nothing has that key. The loser learns so, and the winner's bytes are there to read. */
  create(key: StoreKey, bytes: Uint8Array): Promise<Created>;

  /** Replaces the object if it still has the expected hash. For files that people edit too (contracts). */
  swap(key: StoreKey, expected: Hash, bytes: Uint8Array): Promise<Swapped>;

  /** Writes a view, whatever was there. Refused for anything that `isViewKey` does not know as one. */
  put(key: StoreKey, bytes: Uint8Array): Promise<void>;

  /** Removes a view. Removing what is not there is done already. */
  delete(key: StoreKey): Promise<void>;

  /**
   * Removes any object if it still has the expected hash: for what an owner deletes (an archived agent), and for views that
   * are taken in a race. Nothing of it stays in the store; an audit record of what was there is the caller's to leave.
   */
  remove(key: StoreKey, expected: Hash): Promise<Removed>;

  /**
   * Carries out writes in order, as if each were answered before the next begins: whoever finds one of them, also after a
   * crash, finds what came before it. Where one sync can serve all, they cost little more than one. A `create` that says
   * `must` and finds its key taken is the last one: what follows is not done. When this throws, a beginning of them may stand.
   */
  inOrder(writes: readonly Write[]): Promise<readonly Done[]>;

  /**
   * Keys that begin with `prefix`, in order of their UTF-8 bytes, after `after`, at most `limit`. A page is not a
   * snapshot: what is written meanwhile may or may not show. What was there before and stays is never left out.
   */
  list(prefix: string, page?: { after?: StoreKey; limit?: number }): Promise<Page>;

  /** What a person should know about this store now: for `bloom status` and `GET /health`. Never throws. */
  health(): Promise<StoreHealth>;

  /** Waits until all that was answered is in the files that people see, and lets go of the store. */
  close(): Promise<void>;
}

/** The git blob id of the bytes. */
export type Hash = string;

export interface Stored {
  readonly bytes: Uint8Array;
  readonly hash: Hash;
}

export type Created = { readonly kind: "created"; readonly hash: Hash } | { readonly kind: "taken" };
export type Swapped =
  | { readonly kind: "swapped"; readonly hash: Hash }
  /** `hash` is what stands there now; undefined if there is nothing. */
  | { readonly kind: "moved"; readonly hash: Hash | undefined };

export type Removed =
  | { readonly kind: "removed" }
  /** `hash` is what stands there now; undefined if there is nothing. */
  | { readonly kind: "moved"; readonly hash: Hash | undefined };

/** One of several writes: as the verbs of the same names. */
export type Write =
  | { readonly verb: "create"; readonly key: StoreKey; readonly bytes: Uint8Array; readonly must?: true }
  | { readonly verb: "put"; readonly key: StoreKey; readonly bytes: Uint8Array }
  | { readonly verb: "delete"; readonly key: StoreKey };

/** What became of it; those behind a `create` that must and could not have none. */
export type Done = Created | { readonly kind: "done" };

export interface Page {
  readonly entries: readonly { readonly key: StoreKey; readonly size: number }[];
  /** Pass as `after` for the next page; undefined when there is none. */
  readonly next: StoreKey | undefined;
}

export interface StoreHealth {
  readonly ok: boolean;
  /** Where the bytes are, for a person: a folder, a bucket. */
  readonly place: string;
  /** `owner`: this process holds the store. `client`: it works through the owner's socket. */
  readonly role: "owner" | "client" | "remote";
  /** Sentences about what is wrong or was mended, newest last. */
  readonly remarks: readonly { readonly en: string; readonly uk: string }[];
}

export const MAX_LIST_LIMIT = 1000;
export const MAX_OBJECT_BYTES = 64 * 1024 * 1024;

/** Every key with a prefix, page by page. */
export async function* everyKey(store: Store, prefix: string): AsyncGenerator<{ key: StoreKey; size: number }> {
  let after: StoreKey | undefined;
  do {
    const page: Page = await store.list(prefix, after === undefined ? {} : { after });
    yield* page.entries;
    after = page.next;
  } while (after !== undefined);
}

/** `inOrder` for a store in which every write is on its own. */
export async function oneByOne(store: Pick<Store, Write["verb"]>, writes: readonly Write[]): Promise<readonly Done[]> {
  const done: Done[] = [];
  for (const write of writes) {
    const last = await carriedOut(store, write);
    done.push(last);
    if (last.kind === "taken" && write.verb === "create" && write.must) break;
  }
  return done;
}

async function carriedOut(store: Pick<Store, Write["verb"]>, write: Write): Promise<Done> {
  if (write.verb === "create") return await store.create(write.key, write.bytes);
  await (write.verb === "put" ? store.put(write.key, write.bytes) : store.delete(write.key));
  return { kind: "done" };
}
