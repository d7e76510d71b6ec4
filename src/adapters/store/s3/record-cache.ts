import type { StoreKey } from "../../../domain/store-key.ts";
import type { Stored } from "../../../ports/store.ts";

const MAX_BYTES = 32 * 1024 * 1024;
const MAX_OBJECT = 1024 * 1024;
/** Another process may remove the records of a deleted agent: this process may return them for so long. */
const MAX_AGE_MS = 10 * 60_000;

/** Create-only records that were read or written lately. The oldest are evicted first. */
export class RecordCache {
  readonly #held = new Map<StoreKey, { readonly stored: Stored; readonly until: number }>();
  #bytes = 0;

  get(key: StoreKey): Stored | undefined {
    const found = this.#held.get(key);
    if (!found) return undefined;
    if (found.until < performance.now()) {
      this.drop(key);
      return undefined;
    }
    this.#held.delete(key);
    this.#held.set(key, found);
    return { bytes: Uint8Array.from(found.stored.bytes), hash: found.stored.hash };
  }

  /** The cache owns the bytes from now on. */
  set(key: StoreKey, stored: Stored): void {
    this.drop(key);
    if (stored.bytes.length > MAX_OBJECT) return;
    this.#held.set(key, { stored, until: performance.now() + MAX_AGE_MS });
    this.#bytes += costOf(key, stored);
    for (const oldest of this.#held.keys()) {
      if (this.#bytes <= MAX_BYTES) break;
      this.drop(oldest);
    }
  }

  drop(key: StoreKey): void {
    const found = this.#held.get(key);
    if (!found) return;
    this.#held.delete(key);
    this.#bytes -= costOf(key, found.stored);
  }
}

const OVERHEAD_BYTES = 300;
const costOf = (key: StoreKey, { bytes }: Stored): number => bytes.length + key.length * 2 + OVERHEAD_BYTES;
