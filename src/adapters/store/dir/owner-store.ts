import { join } from "node:path";
import { blobId } from "../../../base/canonical.ts";
import type { Text } from "../../../base/text.ts";
import type { World } from "../../../base/world.ts";
import { isViewKey } from "../../../domain/layout.ts";
import { isReadableKey, keyRefused, type StoreKey, storeKey } from "../../../domain/store-key.ts";
import {
  type Created,
  type Done,
  type Hash,
  MAX_LIST_LIMIT,
  MAX_OBJECT_BYTES,
  type Page,
  type Removed,
  type Store,
  type Stored,
  type StoreHealth,
  type Swapped,
  type Write,
} from "../../../ports/store.ts";
import type { Checkpoints } from "./checkpoints.ts";
import { objectTooLarge, storeFailure } from "./failures.ts";
import { FileMemory } from "./file-cache.ts";
import { Listing, mergeKeys } from "./listing.ts";
import type { Log, Place } from "./log.ts";
import type { LogRecord } from "./log-record.ts";
import type { FilesPlace } from "./make-files.ts";
import { type Held, HeldWrites } from "./memtable.ts";
import { WrittenFolders } from "./written-folders.ts";

/**
 * The store in the one process that owns it. A write is decided in one turn of the event loop (so that two can never both
 * win), answered when its record is in the log, and read from memory until its file is made. Bytes are handed over: the
 * caller must not change them after.
 */
export class OwnerStore implements Store {
  readonly #place: FilesPlace;
  readonly #listing: Listing;
  readonly #log: Log;
  readonly #held = new HeldWrites();
  readonly #folders: WrittenFolders;
  readonly #checkpoints: Checkpoints;
  readonly #remarks: Text[];
  readonly #memory = new FileMemory();
  #closed = false;

  constructor(place: FilesPlace, log: Log, checkpoints: Checkpoints, remarks: Text[], world: Pick<World, "now">) {
    this.#place = place;
    this.#folders = new WrittenFolders((folder) => place.disk.kind(join(place.root, folder)) === undefined);
    this.#listing = new Listing(place.disk, place.root, world);
    this.#log = log;
    this.#remarks = remarks;
    this.#checkpoints = checkpoints;
    checkpoints.onMade((upTo) => this.#held.forget(upTo, (key) => this.#folders.settle(key)));
  }

  /** Takes records that are in the log and not yet in files, as if they had just been written. */
  hold(records: readonly LogRecord[]): void {
    for (const { key, seq, after, bytes } of records) {
      const present = after === null ? undefined : bytes;
      this.#held.set(key, {
        seq,
        bytes: present,
        hash: after ?? undefined,
        synced: true,
        settled: DONE,
        earlier: undefined,
      });
      this.#folders.note(key, this.#held);
    }
  }

  async get(key: StoreKey): Promise<Stored | undefined> {
    if (!isReadableKey(key)) throw keyRefused(key, "cannot be read");
    this.#mustBeOpen();
    const held = await this.#settledState(key);
    if (held) return held.bytes && held.hash ? { bytes: Uint8Array.from(held.bytes), hash: held.hash } : undefined;
    if (this.#folders.areUnmade(key)) return undefined;
    const seen = this.#memory.justNow(key, performance.now());
    if (seen && isViewKey(key)) return seen();
    const mark = this.#place.disk.fileMark(join(this.#place.root, key));
    if (mark === undefined) return undefined;
    return this.#memory.read(key, mark, performance.now(), () => {
      const bytes = this.#readFile(key);
      return bytes && { bytes, hash: blobId(bytes) };
    });
  }

  async create(key: StoreKey, bytes: Uint8Array): Promise<Created> {
    let absent = this.#mayWrite(key, bytes);
    if (this.#isFarBehind()) {
      await this.#notTooFarBehind();
      absent = undefined;
    }
    for (;;) {
      const held = this.#held.get(key);
      if (held && !held.synced) {
        await decided(held);
        absent = undefined;
        continue;
      }
      if (this.#isTaken(key, this.#isFile(key, absent))) return { kind: "taken" };
      const { hash } = await this.#write("create", key, null, bytes, absent);
      return { kind: "created", hash: hash! };
    }
  }

  async swap(key: StoreKey, expected: Hash, bytes: Uint8Array): Promise<Swapped> {
    this.#mayWrite(key, bytes);
    for (;;) {
      const held = this.#held.get(key);
      if (held && !held.synced) {
        await decided(held);
        continue;
      }
      const found = held ? held.hash : hashOf(this.#readFile(key));
      if (found !== expected) return { kind: "moved", hash: found };
      if (isViewKey(key)) {
        const { hash } = await this.#write("put", key, expected, bytes); // nobody edits views by hand
        return { kind: "swapped", hash: hash! };
      }
      const { seq, hash } = await this.#write("swap", key, expected, bytes);
      // People edit these files: theirs must show ours at once, and if they were faster by a hair, they win.
      await this.#checkpoints.makeNow();
      if (this.#checkpoints.lostToHand(key, seq)) return { kind: "moved", hash: hashOf(this.#readFile(key)) };
      return { kind: "swapped", hash: hash! };
    }
  }

  async put(key: StoreKey, bytes: Uint8Array): Promise<void> {
    this.#mayWrite(key, bytes);
    mustBeView(key);
    await this.#notTooFarBehind();
    this.#isFile(key); // refuses a folder of other keys
    await this.#write("put", key, null, bytes);
  }

  async delete(key: StoreKey): Promise<void> {
    this.#mayWrite(key, EMPTY);
    mustBeView(key);
    const held = this.#held.get(key);
    if (held ? held.synced && !held.bytes : !this.#isFile(key)) return;
    await this.#write("delete", key, null, undefined);
  }

  async remove(key: StoreKey, expected: Hash): Promise<Removed> {
    this.#mayWrite(key, EMPTY);
    for (;;) {
      const held = this.#held.get(key);
      if (held && !held.synced) {
        await decided(held);
        continue;
      }
      const found = held ? held.hash : hashOf(this.#readFile(key));
      if (found !== expected) return { kind: "moved", hash: found };
      if (isViewKey(key)) {
        await this.#write("delete", key, expected, undefined);
        return { kind: "removed" };
      }
      const { seq } = await this.#write("remove", key, expected, undefined);
      await this.#checkpoints.makeNow(); // as with `swap`: a person who was faster by a hair wins
      if (this.#checkpoints.lostToHand(key, seq)) return { kind: "moved", hash: hashOf(this.#readFile(key)) };
      return { kind: "removed" };
    }
  }

  /** Decided in one turn, and queued side by side in the log: what a crash takes is the end of them. */
  async inOrder(writes: readonly Write[]): Promise<readonly Done[]> {
    let absent = writes.map((write) => {
      if (write.verb !== "create") mustBeView(write.key);
      return this.#mayWrite(write.key, "bytes" in write ? write.bytes : EMPTY);
    });
    if (this.#isFarBehind() || this.#underWay(writes)) {
      await this.#notTooFarBehind();
      for (let wait = this.#underWay(writes); wait; wait = this.#underWay(writes)) await wait;
      absent = [];
    }
    // Refuses folders of other keys before anything is decided.
    const there = writes.map(({ key }, i) => this.#held.get(key)?.bytes !== undefined || this.#isFile(key, absent[i]));
    const done: Promise<Done>[] = [];
    for (const [i, write] of writes.entries()) {
      if (write.verb !== "create") {
        done.push(
          this.#write(write.verb, write.key, null, write.verb === "put" ? write.bytes : undefined, absent[i]).then(
            isDone,
          ),
        );
      } else if (!this.#isTaken(write.key, there[i]!)) {
        done.push(this.#write("create", write.key, null, write.bytes, absent[i]).then(isCreated));
      } else {
        done.push(TAKEN);
        if (write.must) break;
      }
    }
    return await Promise.all(done);
  }

  /** A write to one of the keys that nobody knows yet how it ends: who wants to create there waits for that. */
  #underWay(writes: readonly Write[]): Promise<unknown> | undefined {
    for (const { verb, key } of writes) {
      const held = verb === "create" ? this.#held.get(key) : undefined;
      if (held && !held.synced) return decided(held);
    }
    return undefined;
  }

  #isTaken(key: StoreKey, isFile: boolean): boolean {
    const held = this.#held.get(key);
    return held ? held.bytes !== undefined : isFile;
  }

  async list(prefix: string, page: { after?: StoreKey; limit?: number } = {}): Promise<Page> {
    this.#mustBeOpen();
    if (prefix !== "" && !isReadableKey(prefix.replace(/\/$/, ""))) throw keyRefused(prefix, "cannot be a prefix");
    const limit = Math.min(Math.max(Math.trunc(page.limit ?? MAX_LIST_LIMIT) || 1, 1), MAX_LIST_LIMIT);
    const after = page.after ?? "";
    const entries: { key: StoreKey; size: number }[] = [];
    const files = this.#folders.areUnmade(prefix) ? [] : this.#listing.keys(prefix, after);
    for (const key of mergeKeys(files, this.#held.under(prefix, after))) {
      const held = this.#held.synced(key);
      const size = held ? held.bytes?.length : this.#sizeOfFile(key);
      if (size === undefined) continue; // deleted in memory, or gone since the folder was read
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
      remarks: problem ? [...this.#remarks, problem] : [...this.#remarks],
    };
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#checkpoints.close();
  }

  /** Logs a decided write and holds it, in the caller's turn. */
  #write(
    op: LogRecord["op"],
    key: StoreKey,
    before: Hash | null,
    bytes: Uint8Array | undefined,
    absent?: Absent,
  ): Promise<{ seq: number; hash: Hash | undefined }> {
    this.#mustBeOpen(); // it may have been closed while the caller waited for another write
    const hash = hashOf(bytes);
    const record = { op, key, before, after: hash ?? null, bytes: bytes ?? EMPTY };
    const { seq, synced } = this.#log.append(record, (place) => this.#nowSynced(held, place));
    const held: Held = { seq, bytes, hash, synced: false, settled: synced, earlier: this.#held.get(key) };
    this.#held.set(key, held);
    this.#memory.forget(key);
    this.#folders.note(key, this.#held, absent);
    return synced.then(
      () => ({ seq, hash }),
      (error: unknown) => {
        this.#held.undo(key, held, this.#checkpoints.made);
        this.#folders.settle(key);
        throw storeFailure(error);
      },
    );
  }

  /** Whoever writes faster than files can be made waits for them now and then: what is held in memory stays bounded. */
  async #notTooFarBehind(): Promise<void> {
    while (this.#isFarBehind() && (await this.#checkpoints.makeSome()));
  }

  #isFarBehind(): boolean {
    return this.#held.size > MAX_HELD_BYTES;
  }

  #nowSynced(held: Held, place: Place): void {
    held.synced = true;
    held.earlier = undefined;
    this.#checkpoints.logged(place);
  }

  /** The newest state that may be told: waits for a write under way, so that nobody reads what a crash could take back. */
  async #settledState(key: StoreKey): Promise<Held | undefined> {
    for (let held = this.#held.get(key); held; held = this.#held.get(key)) {
      if (held.synced) return held;
      await decided(held);
    }
    return undefined;
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

  /** Whether a file has this key. A folder there, or a file where a folder must be, is refused. */
  #isFile(key: StoreKey, absent?: Absent): boolean {
    const kind = absent === undefined ? this.#kindOf(key) : undefined;
    if (kind === "folder" || this.#folders.has(key)) {
      if (this.#holdsKeys(key)) throw keyRefused(key, "it is a folder of other keys");
      this.#folders.free(key);
      if (kind === "folder") return false; // it goes, or is moved aside, when the file is made
    }
    if (kind === "other") throw keyRefused(key, "something that is no file has that name");
    return kind !== undefined;
  }

  #kindOf(key: StoreKey): ReturnType<FilesPlace["disk"]["kind"]> {
    return this.#folders.areUnmade(key) ? undefined : this.#place.disk.kind(join(this.#place.root, key));
  }

  /** Refuses what cannot be written. Answers with the first of the key's folders that is neither in memory nor on the disk. */
  #mayWrite(key: StoreKey, bytes: Uint8Array): Absent {
    storeKey(key);
    this.#mustBeOpen();
    if (bytes.length > MAX_OBJECT_BYTES) throw objectTooLarge(key, bytes.length);
    for (const folder of this.#folders.newOf(key)) {
      const held = this.#held.get(folder);
      const kind = held ? undefined : this.#kindOf(folder);
      if (held ? held.bytes : kind === "file") throw keyRefused(key, `${folder} is an object, not a folder`);
      if (!held && kind === undefined) return folder;
    }
    return undefined;
  }

  /** Whether keys lie below this one now. Asked only where memory or the disk know it as a folder. */
  #holdsKeys(folder: StoreKey): boolean {
    const prefix = `${folder}/`;
    for (const key of this.#held.under(prefix)) if (this.#held.get(key)!.bytes) return true;
    for (const key of this.#listing.keys(prefix, "")) if (!this.#held.get(key)) return true;
    return false;
  }

  #mustBeOpen(): void {
    if (this.#closed) throw storeFailure(new Error("the store is closed"));
  }
}

/** A folder that was not there when it was asked for, in this very turn: nothing lies under it. */
type Absent = StoreKey | undefined;

const EMPTY = new Uint8Array();
const DONE = Promise.resolve();
const TAKEN = Promise.resolve({ kind: "taken" } as const);
const isDone = (): Done => ({ kind: "done" });
const isCreated = ({ hash }: { hash: Hash | undefined }): Created => ({ kind: "created", hash: hash! });
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Settles when it is known how a write ends, either way. */
const decided = ({ settled }: Held): Promise<unknown> => settled.catch(() => undefined);

const hashOf = (bytes: Uint8Array | undefined): Hash | undefined => bytes && blobId(bytes);

function mustBeView(key: StoreKey): void {
  if (!isViewKey(key)) throw keyRefused(key, "only views may be overwritten or deleted");
}
