import { join } from "node:path";
import { blobId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import { isAgentFileKey, isViewKey } from "../../../domain/layout.ts";
import { keyRefused, type StoreKey, storeKey } from "../../../domain/store-key.ts";
import {
  type Created,
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
import type { Checkpoints } from "./checkpoints.ts";
import { storeFailure } from "./failures.ts";
import { FileCache } from "./file-cache.ts";
import { Listing, mergeKeys } from "./listing.ts";
import { type Log, type LogPosition, type RecordGroup, recordGroup } from "./log.ts";
import type { LogRecord } from "./log-record.ts";
import type { FilesPlace } from "./make-files.ts";
import { Memtable, type MemtableEntry } from "./memtable.ts";
import { WrittenFolders } from "./written-folders.ts";

/**
 * The store in its owner process. A write is decided in one turn of the event loop (so that two can never both win), answered when
 * its record is durable, and served from the memtable until its file is made. The caller must not change the bytes afterwards.
 */
export class OwnerStore implements Store {
  readonly #place: FilesPlace;
  readonly #listing: Listing;
  readonly #log: Log;
  readonly #memtable = new Memtable();
  readonly #folders: WrittenFolders;
  readonly #checkpoints: Checkpoints;
  readonly #remarks: Text[];
  readonly #files = new FileCache();
  readonly #settling = new Map<StoreKey, Promise<unknown>>();
  #closed = false;

  constructor(place: FilesPlace, log: Log, checkpoints: Checkpoints, remarks: Text[], world: Pick<World, "now">) {
    this.#place = place;
    this.#folders = new WrittenFolders((folder) => place.disk.kind(join(place.root, folder)) === undefined);
    this.#listing = new Listing(place.disk, place.root, world);
    this.#log = log;
    this.#remarks = remarks;
    this.#checkpoints = checkpoints;
    checkpoints.onMade((upTo) => this.#memtable.evict(upTo, (key) => this.#folders.settle(key)));
  }

  /** Adds records that are in the log and not yet in files. */
  hold(records: readonly LogRecord[]): void {
    for (const { key, seq, after, bytes } of records) {
      const present = after === null ? undefined : bytes;
      this.#memtable.set(key, {
        key,
        seq,
        bytes: present,
        hash: after ?? undefined,
        synced: true,
        settled: DONE,
        earlier: undefined,
      });
      this.#folders.note(key, this.#memtable);
    }
  }

  async get(key: StoreKey): Promise<Stored | undefined> {
    mustBeReadable(key);
    this.#mustBeOpen();
    const held = await this.#memtable.settled(key);
    if (held) return held.bytes && held.hash ? { bytes: Uint8Array.from(held.bytes), hash: held.hash } : undefined;
    if (this.#folders.areUnmade(key)) return undefined;
    const seen = this.#files.justNow(key, performance.now());
    if (seen && isViewKey(key)) return seen();
    const mark = this.#place.disk.fileMark(join(this.#place.root, key));
    if (mark === undefined) return undefined;
    return this.#files.read(key, mark, performance.now(), () => {
      const bytes = this.#readFile(key);
      return bytes && { bytes, hash: blobId(bytes) };
    });
  }

  async create(key: StoreKey, bytes: Uint8Array): Promise<Created> {
    let absent = this.#checkWrite(key, bytes);
    if (this.#isFarBehind()) {
      await this.#waitForFiles();
      absent = undefined;
    }
    for (;;) {
      const underWay = this.#underWay(key);
      if (underWay) {
        await underWay;
        absent = undefined;
        continue;
      }
      if (this.#isTaken(key, this.#isFile(key, absent))) return { kind: "taken" };
      const write: NewWrite = ["create", key, null, bytes, absent];
      const held = await (isAgentFileKey(key) ? this.#writeVisibly(...write) : this.#write(...write));
      return held ? { kind: "created", hash: held.hash! } : { kind: "taken" };
    }
  }

  async swap(key: StoreKey, expected: Hash, bytes: Uint8Array): Promise<Swapped> {
    this.#checkWrite(key, bytes);
    for (;;) {
      const underWay = this.#underWay(key);
      if (underWay) {
        await underWay;
        continue;
      }
      const held = this.#memtable.get(key);
      const found = held ? held.hash : hashOf(this.#readFile(key));
      if (found !== expected) return { kind: "moved", hash: found };
      if (isViewKey(key)) {
        const { hash } = await this.#write("put", key, expected, bytes); // views are not edited by hand
        return { kind: "swapped", hash: hash! };
      }
      const visible = await this.#writeVisibly("swap", key, expected, bytes);
      return visible ? { kind: "swapped", hash: visible.hash! } : { kind: "moved", hash: hashOf(this.#readFile(key)) };
    }
  }

  async put(key: StoreKey, bytes: Uint8Array): Promise<void> {
    this.#checkWrite(key, bytes);
    mustBeView(key);
    await this.#waitForFiles();
    this.#isFile(key); // throws for a folder of other keys
    await this.#write("put", key, null, bytes);
  }

  async delete(key: StoreKey): Promise<void> {
    this.#checkWrite(key, EMPTY);
    mustBeView(key);
    const held = this.#memtable.get(key);
    if (held ? held.synced && !held.bytes : !this.#isFile(key)) return;
    await this.#write("delete", key, null, undefined);
  }

  async remove(key: StoreKey, expected: Hash): Promise<Removed> {
    this.#checkWrite(key, EMPTY);
    for (;;) {
      const underWay = this.#underWay(key);
      if (underWay) {
        await underWay;
        continue;
      }
      const held = this.#memtable.get(key);
      const found = held ? held.hash : hashOf(this.#readFile(key));
      if (found !== expected) return { kind: "moved", hash: found };
      if (isViewKey(key)) {
        await this.#write("delete", key, expected, undefined);
        return { kind: "removed" };
      }
      const visible = await this.#writeVisibly("remove", key, expected, undefined);
      return visible ? { kind: "removed" } : { kind: "moved", hash: hashOf(this.#readFile(key)) };
    }
  }

  /**
   * Makes the file of the record at once, because people edit these files and must see the new value. Undefined if an edit made just
   * before ours won. Of files in the work tree nothing stays in the log: a replay could bring back what a person has removed since.
   */
  #writeVisibly(...write: NewWrite): Promise<MemtableEntry | undefined> {
    const [, key] = write;
    const isEdited = isAgentFileKey(key);
    const visible = this.#write(...write).then(async (held) => {
      await (isEdited ? this.#checkpoints.settleNow() : this.#checkpoints.makeNow());
      return this.#checkpoints.lostToHandEdit(key, held.seq) ? undefined : held;
    });
    if (!isEdited) return visible;
    // From this turn on: a caller that comes between the sync and the file must wait too.
    const settling = visible
      .catch(() => undefined)
      .finally(() => this.#settling.get(key) === settling && this.#settling.delete(key));
    this.#settling.set(key, settling);
    return visible;
  }

  /** A write of this key that is not decided or not visible yet; the next one waits for it. */
  #underWay(key: StoreKey): Promise<unknown> | undefined {
    return this.#settling.get(key) ?? this.#memtable.underWay(key);
  }

  /** Decided in one turn and adjacent in the log, so that a crash can only lose a suffix of them. */
  async inOrder(writes: readonly Write[]): Promise<readonly WriteResult[]> {
    const seen = new Set<StoreKey>();
    let absent = writes.map((write) => {
      if (write.verb !== "create") mustBeView(write.key);
      const folder = this.#checkWrite(write.key, "bytes" in write ? write.bytes : EMPTY, seen);
      if (folder !== undefined) seen.add(folder);
      return folder;
    });
    if (this.#isFarBehind() || this.#pendingWrite(writes)) {
      await this.#waitForFiles();
      for (let wait = this.#pendingWrite(writes); wait; wait = this.#pendingWrite(writes)) await wait;
      absent = [];
    }
    // Throws for folders of other keys before anything is decided.
    const there = writes.map(
      ({ key }, i) => this.#memtable.get(key)?.bytes !== undefined || this.#isFile(key, absent[i]),
    );
    const group = recordGroup();
    const made: MemtableEntry[] = [];
    const done: WriteResult[] = [];
    for (const [i, write] of writes.entries()) {
      const bytes = write.verb === "delete" ? undefined : write.bytes;
      if (write.verb !== "create") {
        made.push(this.#append(group, write.verb, write.key, null, bytes, absent[i]));
        done.push({ kind: "done" });
      } else if (!this.#isTaken(write.key, there[i]!)) {
        const held = this.#append(group, "create", write.key, null, bytes, absent[i]);
        made.push(held);
        done.push({ kind: "created", hash: held.hash! });
      } else {
        done.push({ kind: "taken" });
        if (write.must) break;
      }
    }
    if (made.length > 0) await group.synced.catch((error: unknown) => this.#undo(made, error));
    return done;
  }

  /** A pending write to a key that is to be created: `create` has to wait for its result. */
  #pendingWrite(writes: readonly Write[]): Promise<unknown> | undefined {
    for (const { verb, key } of writes) {
      const wait = verb === "create" ? this.#memtable.underWay(key) : undefined;
      if (wait) return wait;
    }
    return undefined;
  }

  #isTaken(key: StoreKey, isFile: boolean): boolean {
    const held = this.#memtable.get(key);
    return held ? held.bytes !== undefined : isFile;
  }

  async list(prefix: string, page: { after?: StoreKey; limit?: number } = {}): Promise<KeyPage> {
    this.#mustBeOpen();
    mustBePrefix(prefix);
    const limit = pageLimit(page.limit);
    const after = page.after ?? "";
    const entries: { key: StoreKey; size: number }[] = [];
    const files = this.#folders.areUnmade(prefix) ? [] : this.#listing.keys(prefix, after);
    for (const key of mergeKeys(files, this.#memtable.under(prefix, after))) {
      const held = this.#memtable.synced(key);
      const size = held ? held.bytes?.length : this.#sizeOfFile(key);
      if (size === undefined) continue; // deleted in memory, or since the folder was read
      if (entries.length === limit) return { entries, next: entries.at(-1)!.key };
      entries.push({ key, size });
    }
    return { entries, next: undefined };
  }

  async health(): Promise<StoreHealth> {
    const problem = this.#checkpoints.problem;
    return {
      ok: problem === undefined && !this.#closed,
      place: this.#place.root,
      role: "owner",
      shared: false,
      remarks: problem ? [...this.#remarks, problem] : [...this.#remarks],
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#checkpoints.close();
  }

  #write(...write: NewWrite): Promise<MemtableEntry> {
    const group = recordGroup();
    const held = this.#append(group, ...write);
    return group.synced.then(
      () => held,
      (error: unknown) => this.#undo([held], error),
    );
  }

  /** Appends a decided write to log and memtable, synchronously. The caller waits for the group, and calls `#undo` if it fails. */
  #append(group: RecordGroup, ...[op, key, before, bytes, absent]: NewWrite): MemtableEntry {
    this.#mustBeOpen(); // it may have been closed during a wait
    const hash = hashOf(bytes);
    this.#folders.note(key, this.#memtable, absent); // first, because it may throw: it looks at the disk
    const record = { op, key, before, after: hash ?? null, bytes: bytes ?? EMPTY };
    const seq = this.#log.append(record, group, (place) => this.#nowSynced(held, place));
    const earlier = this.#memtable.get(key);
    const held: MemtableEntry = { key, seq, bytes, hash, synced: false, settled: group.synced, earlier };
    this.#memtable.set(key, held);
    this.#files.evict(key);
    return held;
  }

  #undo(writes: readonly MemtableEntry[], error: unknown): never {
    for (const held of writes) {
      this.#memtable.undo(held, this.#checkpoints.made);
      this.#folders.settle(held.key);
    }
    throw storeFailure(error);
  }

  /** Backpressure: waits for files while the memtable is too large. */
  async #waitForFiles(): Promise<void> {
    while (this.#isFarBehind() && (await this.#checkpoints.makeSome()));
  }

  #isFarBehind(): boolean {
    return this.#memtable.size > MAX_HELD_BYTES;
  }

  #nowSynced(held: MemtableEntry, place: LogPosition): void {
    held.synced = true;
    held.earlier = undefined;
    this.#checkpoints.logged(place);
  }

  #readFile(key: StoreKey): Uint8Array | undefined {
    try {
      return this.#place.disk.read(join(this.#place.root, key));
    } catch (error) {
      throw storeFailure(error);
    }
  }

  #sizeOfFile(key: StoreKey): number | undefined {
    return this.#place.disk.size(join(this.#place.root, key));
  }

  /** True if the key has a file. Throws if the key names a folder of other keys or something that is no file. */
  #isFile(key: StoreKey, absent?: Absent): boolean {
    const kind = absent === undefined ? this.#kindOf(key) : undefined;
    if (kind === "folder" || this.#folders.has(key)) {
      if (this.#holdsKeys(key)) throw keyRefused(key, "it is a folder of other keys");
      this.#folders.free(key);
      if (kind === "folder") return false; // an empty folder: removed or moved aside when the file is made
    }
    if (kind === "other") throw keyRefused(key, "something that is no file has that name");
    return kind !== undefined;
  }

  #kindOf(key: StoreKey): ReturnType<FilesPlace["disk"]["kind"]> {
    return this.#folders.areUnmade(key) ? undefined : this.#place.disk.kind(join(this.#place.root, key));
  }

  /**
   * Throws if the key cannot be written. Returns the first of its folders that exists neither in memory nor on disk, or the key itself
   * if it does not. `seen`: such folders that were looked for in this turn of the event loop.
   */
  #checkWrite(key: StoreKey, bytes: Uint8Array, seen?: ReadonlySet<StoreKey>): Absent {
    storeKey(key);
    this.#mustBeOpen();
    if (bytes.length > MAX_OBJECT_BYTES) throw objectTooLarge(key, bytes.length);
    for (const folder of this.#folders.newOf(key)) {
      if (seen?.has(folder)) return folder;
      const held = this.#memtable.get(folder);
      const kind = held ? undefined : this.#kindOf(folder);
      if (held ? held.bytes : kind === "file") throw keyRefused(key, `${folder} is an object, not a folder`);
      if (!held && kind === undefined) return folder;
    }
    return this.#folders.isFree(key) ? key : undefined;
  }

  /** True if there are keys below this one. Called only for known folders. */
  #holdsKeys(folder: StoreKey): boolean {
    const prefix = `${folder}/`;
    for (const key of this.#memtable.under(prefix)) if (this.#memtable.get(key)!.bytes) return true;
    for (const key of this.#listing.keys(prefix, "")) if (!this.#memtable.get(key)) return true;
    return false;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw storeFailure(new Error("the store is closed"));
  }
}

/** A folder, or a key, that did not exist when checked in this turn of the event loop: nothing lies under it. */
type Absent = StoreKey | undefined;

type NewWrite = [
  op: LogRecord["op"],
  key: StoreKey,
  before: Hash | null,
  bytes: Uint8Array | undefined,
  absent?: Absent,
];

const EMPTY = new Uint8Array();
const DONE = Promise.resolve();
const MAX_HELD_BYTES = 256 * 1024 * 1024;

const hashOf = (bytes: Uint8Array | undefined): Hash | undefined => bytes && blobId(bytes);
