import type { StoreKey } from "../../../domain/store-key.ts";
import type { Hash, Stored } from "../../../ports/store.ts";

/**
 * What was read from files that are asked for again and again (contracts, before every call of a run), by what the file system
 * says of them. A file that somebody changes gets another mark; only one that is changed twice within a tick of the clock could
 * keep its mark, so what was read is believed when the file had the same mark some time before.
 */
export class FileMemory {
  readonly #known = new Map<string, Known>();

  /**
   * What a file held when it was last asked for, if that was just now. For views: nobody edits them, and who deletes one may be
   * heard a moment later.
   */
  justNow(key: StoreKey, now: number): (() => Stored) | undefined {
    const known = this.#known.get(key);
    return known && now - known.asked < JUST_NOW_MS ? () => copyOf(known.stored) : undefined;
  }

  forget(key: StoreKey): void {
    this.#known.delete(key);
  }

  /** `mark` is what the file system says of the file now. */
  read(key: StoreKey, mark: string, now: number, read: () => Stored | undefined): Stored | undefined {
    const known = this.#known.get(key);
    const isSame = known?.mark === mark;
    if (isSame && known.settled) {
      known.asked = now;
      return copyOf(known.stored);
    }
    const stored = read();
    this.#known.delete(key);
    if (!stored || stored.bytes.length > MAX_BYTES) return stored;
    const since = isSame ? known.since : now;
    this.#known.set(key, {
      mark,
      since,
      asked: now,
      settled: isSame && now - since > TICK_MS,
      stored: copyOf(stored),
    });
    if (this.#known.size > MAX_FILES) this.#known.delete(this.#known.keys().next().value!);
    return stored;
  }
}

interface Known {
  readonly mark: string;
  /** When this mark was seen first. */
  readonly since: number;
  asked: number;
  /** It was read again long after, with the same mark: whatever changes it from now on changes the mark. */
  readonly settled: boolean;
  readonly stored: { readonly bytes: Uint8Array; readonly hash: Hash };
}

/** Longer than any file system's clock stands still. */
const TICK_MS = 2000;
const JUST_NOW_MS = 20;
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024;

const copyOf = ({ bytes, hash }: Stored): Stored => ({ bytes: Uint8Array.prototype.slice.call(bytes), hash });
