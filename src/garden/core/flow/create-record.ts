import { Failure, isFailure, isLostAnswer } from "../../../base/failure.ts";
import { RETRY_PAUSES_MS } from "../../../domain/run/run-step.ts";
import type { Hash, Store, Write, WriteResult } from "../../../ports/store.ts";
import type { Pause } from "./pause.ts";

export interface CreatedRecord {
  /** The stored bytes are ours. Two writers with equal bytes both count as first; records that tell them apart carry an `op`. */
  readonly first: boolean;
  readonly bytes: Uint8Array;
  readonly hash: Hash;
  /** This call created it: no other process has seen it before. False also after a lost answer. */
  readonly isNew?: boolean;
}

const MOST_TRIES = 2;

/**
 * Creates a record, or finds the one that another writer created first. If the store's answer was lost, the key is read back,
 * because the write may have happened, and the write is repeated once if it did not. Throws the store's failure after that.
 * `before` are views that must not be missing once the record exists: written in one group with it, before it.
 */
export async function createOrFind(
  store: Store,
  key: string,
  bytes: Uint8Array,
  before: readonly Write[] = [],
): Promise<CreatedRecord> {
  for (let tries = 1; ; tries++) {
    let failure: Failure | undefined;
    try {
      const made =
        before.length === 0
          ? await store.create(key, bytes)
          : (await store.inOrder([...before, { verb: "create", key, bytes, must: true }])).at(-1);
      if (made?.kind === "created") return { first: true, bytes, hash: made.hash, isNew: true };
    } catch (error) {
      if (!isLostAnswer(error)) throw error;
      failure = error;
    }
    const there = await store.get(key);
    if (there) return { first: Buffer.compare(there.bytes, bytes) === 0, bytes: there.bytes, hash: there.hash };
    if (tries === MOST_TRIES) throw failure ?? takenAndGone(key);
  }
}

/**
 * `createOrFind` for the result of work that must not be done again: while the store is unavailable, it is asked again after
 * each of the retry pauses. `then` are views and records that follow from the record: written after it, if the record is ours; then
 * `after` has their results.
 */
export async function createRecord(
  { store, pause }: { readonly store: Store; readonly pause: Pause },
  key: string,
  bytes: Uint8Array,
  then: readonly Write[] = [],
): Promise<CreatedRecord & { readonly after: readonly WriteResult[] }> {
  let last: Failure | undefined;
  for (const ms of [0, ...RETRY_PAUSES_MS]) {
    if (ms > 0) await pause(ms);
    try {
      const [made, ...after] =
        then.length === 0
          ? [await store.create(key, bytes)]
          : await store.inOrder([{ verb: "create", key, bytes, must: true }, ...then]);
      if (made?.kind === "created") return { first: true, bytes, hash: made.hash, after };
      const there = await store.get(key);
      if (!there) continue;
      const first = Buffer.compare(there.bytes, bytes) === 0;
      const repeated = first && then.length > 0 ? await store.inOrder(then) : [];
      return { first, bytes: there.bytes, hash: there.hash, after: repeated };
    } catch (error) {
      if (!isFailure(error, "UPSTREAM_UNAVAILABLE")) throw error;
      last = error;
    }
  }
  throw last ?? takenAndGone(key);
}

const takenAndGone = (key: string): Failure =>
  new Failure("INTERNAL_ERROR", {
    en: `the record ${key} was created and removed by another process`,
    uk: `запис ${key} створив і видалив інший процес`,
    details: { key },
  });
