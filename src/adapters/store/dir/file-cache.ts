import type { StoreKey } from "../../../domain/store-key.ts";
import type { Hash, Stored } from "../../../ports/store.ts";

/**
 * Cache of files that are read often (contracts, before every call of a run), validated by their mark (inode, size, ctime). A file
 * that changes twice within one clock tick could keep its mark, so an entry is trusted only after the same mark was seen again
 * more than `TICK_MS` later.
 */
export class FileCache {
  readonly #entries = new Map<string, Known>();

  /**
   * The entry, if it was read within the last `JUST_NOW_MS`, without a look at the disk. For views: people do not edit them, and a
   * deletion by hand may be noticed a moment later.
   */
  justNow(key: StoreKey, now: number): (() => Stored) | undefined {
    const known = this.#entries.get(key);
    return known && now - known.readAt < JUST_NOW_MS ? () => copyOf(known.stored) : undefined;
  }

  evict(key: StoreKey): void {
    this.#entries.delete(key);
  }

  /** Returns the cached entry if it is trusted and `mark` is unchanged; otherwise calls `read`. */
  read(key: StoreKey, mark: string, now: number, read: () => Stored | undefined): Stored | undefined {
    const known = this.#entries.get(key);
    const isSame = known?.mark === mark;
    if (isSame && known.trusted) {
      known.readAt = now;
      return copyOf(known.stored);
    }
    const stored = read();
    this.#entries.delete(key);
    if (!stored || stored.bytes.length > MAX_BYTES) return stored;
    const since = isSame ? known.since : now;
    this.#entries.set(key, {
      mark,
      since,
      readAt: now,
      trusted: isSame && now - since > TICK_MS,
      stored: copyOf(stored),
    });
    if (this.#entries.size > MAX_FILES) this.#entries.delete(this.#entries.keys().next().value!);
    return stored;
  }
}

interface Known {
  readonly mark: string;
  /** Time at which this mark was first seen. */
  readonly since: number;
  readAt: number;
  /** Read again more than `TICK_MS` later with the same mark: any later change changes the mark. */
  readonly trusted: boolean;
  readonly stored: { readonly bytes: Uint8Array; readonly hash: Hash };
}

/** Longer than the clock granularity of any file system. */
const TICK_MS = 2000;
const JUST_NOW_MS = 20;
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024;

const copyOf = ({ bytes, hash }: Stored): Stored => ({ bytes: Uint8Array.prototype.slice.call(bytes), hash });
