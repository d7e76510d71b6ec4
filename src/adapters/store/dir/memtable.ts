import type { StoreKey } from "../../../domain/store-key.ts";
import type { Hash } from "../../../ports/store.ts";
import { KeyTree } from "./key-tree.ts";

/** What the owner knows about a key that the files do not show yet. */
export interface Held {
  readonly seq: number;
  /** Undefined: deleted. */
  readonly bytes: Uint8Array | undefined;
  readonly hash: Hash | undefined;
  /** Set once it is on the medium. Until then nobody may be told of it. */
  synced: boolean;
  /** Settles when that is decided; rejects if it is not to be. */
  readonly settled: Promise<unknown>;
  /** What holds if this write fails. */
  earlier: Held | undefined;
}

/** Writes between their record in the log and their file, the newest per key, in order of their numbers. */
export class HeldWrites {
  readonly #map = new Map<StoreKey, Held>();
  readonly #tree = new KeyTree();
  #size = 0;

  /** About how much memory they take: bytes of objects, and something for each. */
  get size(): number {
    return this.#size;
  }

  keys(): Iterable<StoreKey> {
    return this.#map.keys();
  }

  /** Keys that begin with `prefix` and come after `after`, in order: what that costs does not grow with what is held elsewhere. */
  under(prefix: string, after = ""): Iterable<StoreKey> {
    return this.#tree.keys(prefix, after);
  }

  get(key: StoreKey): Held | undefined {
    return this.#map.get(key);
  }

  /** The newest that is on the medium. */
  synced(key: StoreKey): Held | undefined {
    let held = this.#map.get(key);
    while (held && !held.synced) held = held.earlier;
    return held;
  }

  /** The newest of its key, and of all. */
  set(key: StoreKey, held: Held): void {
    const before = this.#map.get(key);
    if (before) {
      this.#size -= sizeOf(before);
      this.#map.delete(key); // so that it goes to the end
    } else this.#tree.add(key);
    this.#map.set(key, held);
    this.#size += sizeOf(held);
  }

  /** Files show everything up to this number: from here on they are what is read. */
  forget(upTo: number, forgotten: (key: StoreKey) => void = () => undefined): void {
    for (const [key, held] of this.#map) {
      if (held.seq > upTo) return;
      this.#drop(key);
      forgotten(key);
    }
  }

  /**
   * A failed write takes everything queued behind it along, so the state falls back to the last that is on the medium, unless the
   * files show that already (`made`).
   */
  undo(key: StoreKey, failed: Held, made: number): void {
    if (this.#map.get(key) !== failed) return; // a later one of the same key fails too, and undoes further
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

const sizeOf = ({ bytes }: Held): number => 300 + (bytes?.length ?? 0);
