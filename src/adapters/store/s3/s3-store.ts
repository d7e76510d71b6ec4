import { blobId } from "../../../base/canonical.ts";
import { asFailure, Failure } from "../../../base/failure.ts";
import { isCreateOnlyKey, isPlainlyNamedKey } from "../../../domain/layout.ts";
import { isReadableKey, keyRefused, type StoreKey, storeKey } from "../../../domain/store-key.ts";
import {
  type Created,
  groupByGroup,
  type Hash,
  type KeyPage,
  MAX_OBJECT_BYTES,
  type Removed,
  type Store,
  type Stored,
  type StoreHealth,
  type Swapped,
  type Write,
  type WriteResult,
} from "../../../ports/store.ts";
import { mustBePrefix, mustBeReadable, mustBeView, objectTooLarge, pageLimit } from "../store-checks.ts";
import type { Bucket } from "./bucket.ts";
import type { BucketEntry } from "./bucket-xml.ts";
import { shownPlace, storeClosed } from "./failures.ts";
import { RecordCache } from "./record-cache.ts";
import { isTombstone, isUsedOnce, TOMBSTONE, TOMBSTONE_MS, tombstoneBySight } from "./tombstone.ts";

/** The version of an object that was seen last: `hash` undefined for a tombstone. */
interface Seen {
  readonly etag: string;
  readonly hash: Hash | undefined;
}

const MAX_SEEN = 10_000;
const MAX_ROUNDS = 50;
const MAX_SWEPT = 20;

/**
 * The store in an S3 bucket. Every write that may lose a race is one conditional put, so that the server decides; nothing is
 * decided from what this process remembers. Create-only records are cached; other objects are read from the bucket each time.
 */
export class S3Store implements Store {
  readonly #bucket: Bucket;
  readonly #conditionalDelete: boolean;
  readonly #records = new RecordCache();
  readonly #seen = new Map<StoreKey, Seen>();
  readonly #running = new Set<Promise<unknown>>();
  #closed = false;
  /** Counts removals, so that a read that began before one does not cache what it found. */
  #removals = 0;

  constructor(bucket: Bucket, conditionalDelete: boolean) {
    this.#bucket = bucket;
    this.#conditionalDelete = conditionalDelete;
  }

  get(key: StoreKey): Promise<Stored | undefined> {
    return this.#run(async () => {
      mustBeReadable(key);
      return this.#records.get(key) ?? (await this.#read(key));
    });
  }

  create(key: StoreKey, bytes: Uint8Array): Promise<Created> {
    const own = Uint8Array.from(bytes);
    return this.#run(async () => {
      this.#checkWrite(key, own);
      await this.#checkFolders(key);
      for (let round = 0; round < MAX_ROUNDS; round++) {
        const seen = this.#seen.get(key);
        const isDead = seen !== undefined && seen.hash === undefined;
        const put = await this.#bucket.put(this.#name(key), own, isDead ? { etag: seen.etag } : "free");
        if (put.kind === "done") return { kind: "created", hash: this.#wrote(key, own, put.etag) };
        this.#seen.delete(key);
        if (await this.#read(key)) return { kind: "taken" };
        // Absent, or a tombstone that is now known: the next round creates the object, or finds another process's.
      }
      throw this.#neverSettles(key);
    });
  }

  swap(key: StoreKey, expected: Hash, bytes: Uint8Array): Promise<Swapped> {
    const own = Uint8Array.from(bytes);
    return this.#run(async () => {
      this.#checkWrite(key, own);
      const put = await this.#replace(key, expected, (name, etag) => this.#bucket.put(name, own, { etag }));
      if (put.kind === "moved") return put;
      return { kind: "swapped", hash: this.#wrote(key, own, put.etag) };
    });
  }

  put(key: StoreKey, bytes: Uint8Array): Promise<void> {
    const own = Uint8Array.from(bytes);
    return this.#run(async () => {
      this.#checkWrite(key, own);
      mustBeView(key);
      await this.#checkFolders(key);
      this.#forget(key);
      const put = await this.#bucket.put(this.#name(key), own);
      if (put.kind === "done") this.#wrote(key, own, put.etag);
    });
  }

  delete(key: StoreKey): Promise<void> {
    return this.#run(async () => {
      this.#checkWrite(key, EMPTY);
      mustBeView(key);
      this.#forget(key);
      await this.#bucket.delete(this.#name(key));
    });
  }

  remove(key: StoreKey, expected: Hash): Promise<Removed> {
    return this.#run(async () => {
      this.#checkWrite(key, EMPTY);
      const done = await this.#replace(key, expected, async (name, etag) => {
        if (!this.#conditionalDelete) return await this.#bucket.put(name, TOMBSTONE, { etag });
        const kind = await this.#bucket.delete(name, { etag });
        return kind === "done" ? { kind, etag: "" } : { kind };
      });
      if (done.kind === "moved") return done;
      this.#removals++;
      this.#forget(key);
      if (done.etag !== "") this.#note(key, { etag: done.etag, hash: undefined });
      return { kind: "removed" };
    });
  }

  /** A group after the other: a bucket has no order among its objects but that of the answers. */
  inOrder(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    const own = writes.map((write) => ("bytes" in write ? { ...write, bytes: Uint8Array.from(write.bytes) } : write));
    return this.#run(() => groupByGroup(this, own));
  }

  list(prefix: string, page: { after?: StoreKey; limit?: number } = {}): Promise<KeyPage> {
    return this.#run(async () => {
      mustBePrefix(prefix);
      const limit = pageLimit(page.limit);
      const entries: { key: StoreKey; size: number; version: string }[] = [];
      let after = page.after ?? "";
      for (;;) {
        const wanted = limit - entries.length;
        const from = after === "" ? "" : this.#name(after);
        const found = await this.#bucket.list(this.#name(prefix), from, wanted);
        for (const entry of found.entries) {
          const key = entry.name.slice(this.#name("").length);
          after = key;
          if (isReadableKey(key) && !(await this.#isDead(key, entry)))
            entries.push({ key, size: entry.size, version: entry.etag });
        }
        this.#sweep(found.entries, found.nowMs);
        if (!found.truncated || found.entries.length === 0) return { entries, next: undefined };
        if (entries.length === limit) return { entries, next: after };
      }
    });
  }

  async health(): Promise<StoreHealth> {
    const place = shownPlace(this.#bucket.place);
    try {
      await this.#run(() => this.#bucket.list(this.#name(""), "", 1));
      return { ok: true, place, role: "remote", shared: false, remarks: [] };
    } catch (error) {
      return { ok: false, place, role: "remote", shared: false, remarks: [asFailure(error).text] };
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await Promise.allSettled(this.#running);
    this.#bucket.close();
  }

  /** Refuses calls of a closed store, and lets `close` wait for those under way. */
  async #run<T>(call: () => Promise<T>): Promise<T> {
    if (this.#closed) throw storeClosed();
    const running = call();
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Reads from the bucket, and remembers the version for the next conditional write. */
  async #read(key: StoreKey): Promise<Stored | undefined> {
    const removals = this.#removals;
    const there = await this.#bucket.get(this.#name(key));
    if (!there) {
      this.#forget(key);
      return undefined;
    }
    const isDead = isTombstone(there.bytes);
    const hash = isDead ? undefined : blobId(there.bytes);
    this.#note(key, { etag: there.etag, hash });
    if (hash === undefined) return undefined;
    const stored = { bytes: there.bytes, hash, version: there.etag };
    const mayCache = isCreateOnlyKey(key) && removals === this.#removals;
    if (mayCache) this.#records.set(key, { bytes: Uint8Array.from(there.bytes), hash });
    return stored;
  }

  /**
   * Performs a conditional write of an object that still has the expected hash. The server compares ETags: that of the hash is
   * known from the last read or write, or is read now. A refusal is final only if a read then shows another hash.
   */
  async #replace(
    key: StoreKey,
    expected: Hash,
    write: (name: string, etag: string) => Promise<{ kind: "done"; etag: string } | { kind: "refused" }>,
  ): Promise<{ kind: "done"; etag: string } | { kind: "moved"; hash: Hash | undefined }> {
    for (let round = 0; round < MAX_ROUNDS; round++) {
      let seen = this.#seen.get(key);
      if (seen?.hash !== expected) {
        await this.#read(key);
        seen = this.#seen.get(key);
        if (seen?.hash !== expected) return { kind: "moved", hash: seen?.hash };
      }
      const done = await write(this.#name(key), seen.etag);
      if (done.kind === "done") return done;
      this.#forget(key);
    }
    throw this.#neverSettles(key);
  }

  async #isDead(key: StoreKey, entry: BucketEntry): Promise<boolean> {
    const sight = tombstoneBySight(entry);
    return sight === "yes" || (sight === "maybe" && (await this.#read(key)) === undefined);
  }

  /** Deletes old tombstones of keys that are not used again. Not awaited by the listing that met them. */
  #sweep(entries: readonly BucketEntry[], nowMs: number): void {
    const dead = entries.filter(
      (entry) =>
        tombstoneBySight(entry) === "yes" &&
        nowMs - entry.modifiedMs > TOMBSTONE_MS &&
        isUsedOnce(entry.name.slice(this.#name("").length)),
    );
    for (const { name } of dead.slice(0, MAX_SWEPT))
      void this.#run(() => this.#bucket.delete(name)).catch(() => undefined); // the next listing tries again
  }

  #wrote(key: StoreKey, bytes: Uint8Array, etag: string): Hash {
    const hash = blobId(bytes);
    this.#note(key, { etag, hash });
    if (isCreateOnlyKey(key)) this.#records.set(key, { bytes, hash });
    return hash;
  }

  #note(key: StoreKey, seen: Seen): void {
    this.#seen.delete(key);
    this.#seen.set(key, seen);
    if (this.#seen.size > MAX_SEEN) this.#seen.delete(this.#seen.keys().next().value!);
  }

  #forget(key: StoreKey): void {
    this.#seen.delete(key);
    this.#records.drop(key);
  }

  #name(key: string): string {
    const { prefix } = this.#bucket.place;
    return prefix === "" ? key : `${prefix}/${key}`;
  }

  #checkWrite(key: StoreKey, bytes: Uint8Array): void {
    storeKey(key);
    if (bytes.length > MAX_OBJECT_BYTES) throw objectTooLarge(key, bytes.length);
    if (isTombstone(bytes)) throw keyRefused(key, "these bytes mark a removed object");
  }

  /**
   * Throws if the key is a folder of other keys, or one of its folders is an object. Names of the program's own records cannot
   * collide by their form, so they cost no request; a bucket, unlike a directory, would hold both.
   */
  async #checkFolders(key: StoreKey): Promise<void> {
    if (isPlainlyNamedKey(key)) return;
    const parts = key.split("/");
    const folders = parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
    const [below, ...above] = await Promise.all([
      this.list(`${key}/`, { limit: 1 }),
      ...folders.map((folder) => this.get(folder)),
    ]);
    if (below.entries.length > 0) throw keyRefused(key, "it is a folder of other keys");
    const taken = above.findIndex((found) => found !== undefined);
    if (taken >= 0) throw keyRefused(key, `${folders[taken]} is an object, not a folder`);
  }

  #neverSettles(key: StoreKey): Failure {
    return new Failure("CONCURRENT_MODIFICATION", {
      en: `${key} changes too often: it was replaced ${MAX_ROUNDS} times while it was to be written`,
      uk: `${key} змінюється надто часто: його замінили ${MAX_ROUNDS} разів, поки його мали записати`,
      details: { part: "store", key },
    });
  }
}

const EMPTY = new Uint8Array();
