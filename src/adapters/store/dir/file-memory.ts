import type { Hash, Stored } from "../../../ports/store.ts";

/**
 * What was read from files that are asked for again and again (contracts, before every call of a run), by what the file system
 * says of them. A file that somebody changes gets another mark; only one that is changed twice within a tick of the clock could
 * keep its mark, so what was read is believed when the file had the same mark some time before.
 */
export class FileMemory {
  readonly #known = new Map<string, Known>();

  /** `mark` is what the file system says of the file now. */
  read(path: string, mark: string, now: number, read: () => Stored | undefined): Stored | undefined {
    const known = this.#known.get(path);
    const isSame = known?.mark === mark;
    if (isSame && known.settled) return copyOf(known.stored);
    const stored = read();
    this.#known.delete(path);
    if (!stored || stored.bytes.length > MAX_BYTES) return stored;
    const since = isSame ? known.since : now;
    this.#known.set(path, { mark, since, settled: isSame && now - since > TICK_MS, stored: copyOf(stored) });
    if (this.#known.size > MAX_FILES) this.#known.delete(this.#known.keys().next().value!);
    return stored;
  }
}

interface Known {
  readonly mark: string;
  /** When this mark was seen first. */
  readonly since: number;
  /** It was read again long after, with the same mark: whatever changes it from now on changes the mark. */
  readonly settled: boolean;
  readonly stored: { readonly bytes: Uint8Array; readonly hash: Hash };
}

/** Longer than any file system's clock stands still. */
const TICK_MS = 2000;
const MAX_FILES = 256;
const MAX_BYTES = 64 * 1024;

const copyOf = ({ bytes, hash }: Stored): Stored => ({ bytes: Uint8Array.prototype.slice.call(bytes), hash });
