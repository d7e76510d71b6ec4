import type { StoreKey } from "../../../domain/store-key.ts";
import type { Hash } from "../../../ports/store.ts";
import { KeyTree } from "./key-tree.ts";

/** A write that is not in a file yet. */
export interface MemtableEntry {
  readonly key: StoreKey;
  readonly seq: number;
  /** Undefined if the key was deleted. */
  readonly bytes: Uint8Array | undefined;
  readonly hash: Hash | undefined;
  /** True once it is durable. Before that it must not be visible to readers. */
  synced: boolean;
  /** Resolves when the write is durable; rejects if it failed. */
  readonly settled: Promise<unknown>;
  /** The entry that applies if this write fails. */
  earlier: MemtableEntry | undefined;
}

/** Writes that are in the log and not yet in files: the newest per key, in order of their sequence numbers. */
export class Memtable {
  readonly #map = new Map<StoreKey, MemtableEntry>();
  readonly #tree = new KeyTree();
  #size = 0;

  /** Approximate memory use in bytes. */
  get size(): number {
    return this.#size;
  }

  keys(): Iterable<StoreKey> {
    return this.#map.keys();
  }

  /** Keys with `prefix` after `after`, sorted. The cost does not depend on other folders. */
  under(prefix: string, after = ""): Iterable<StoreKey> {
    return this.#tree.keys(prefix, after);
  }

  get(key: StoreKey): MemtableEntry | undefined {
    return this.#map.get(key);
  }

  /** The newest durable entry of a key. */
  synced(key: StoreKey): MemtableEntry | undefined {
    let held = this.#map.get(key);
    while (held && !held.synced) held = held.earlier;
    return held;
  }

  /** Resolves when the write of this key that is under way has succeeded or failed; undefined if there is none. */
  underWay(key: StoreKey): Promise<unknown> | undefined {
    const held = this.#map.get(key);
    return held && !held.synced ? held.settled.catch(() => undefined) : undefined;
  }

  /** The newest entry, after waiting for a write under way: a reader must not see what a crash could undo. */
  async settled(key: StoreKey): Promise<MemtableEntry | undefined> {
    for (let wait = this.underWay(key); wait; wait = this.underWay(key)) await wait;
    return this.#map.get(key);
  }

  /** Adds the newest entry of its key and of all keys. */
  set(key: StoreKey, held: MemtableEntry): void {
    const before = this.#map.get(key);
    if (before) {
      this.#size -= sizeOf(before);
      this.#map.delete(key); // moves it to the end
    } else this.#tree.add(key);
    this.#map.set(key, held);
    this.#size += sizeOf(held);
  }

  /** Evicts everything up to this sequence number: it is in files now. */
  evict(upTo: number, evicted: (key: StoreKey) => void = () => undefined): void {
    for (const [key, held] of this.#map) {
      if (held.seq > upTo) return;
      this.#drop(key);
      evicted(key);
    }
  }

  /**
   * Rolls a failed write back to the last durable entry, unless the files have that already (`made`). Writes queued behind a failed
   * one fail with it.
   */
  undo(failed: MemtableEntry, made: number): void {
    const { key } = failed;
    if (this.#map.get(key) !== failed) return; // a later write of this key fails too, and rolls back further
    const back = this.synced(key);
    this.#drop(key);
    if (!back || back.seq <= made) return;
    this.#tree.add(key);
    const all = [...this.#map, [key, back] as const].toSorted(([, a], [, b]) => a.seq - b.seq);
    this.#map.clear();
    for (const [each, held] of all) this.#map.set(each, held);
    this.#size += sizeOf(back);
  }

  #drop(key: StoreKey): void {
    const held = this.#map.get(key);
    if (!held) return;
    this.#size -= sizeOf(held);
    this.#map.delete(key);
    this.#tree.remove(key);
  }
}

const sizeOf = ({ bytes }: MemtableEntry): number => 300 + (bytes?.length ?? 0);
