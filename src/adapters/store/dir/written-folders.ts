import type { StoreKey } from "../../../domain/store-key.ts";
import { KeyFilter } from "./key-filter.ts";

/**
 * The folders of written keys. No key may have the name of one. As long as none of its files is made, the disk need not be read
 * for such a folder: everything in it is in the memtable.
 */
export class WrittenFolders {
  readonly #known = new Set<StoreKey>();
  /**
   * Folders that do not exist on disk yet, from the write until their first file is made. What a person puts into a folder of the
   * same name in that moment becomes visible after it.
   */
  readonly #unmade = new Set<StoreKey>();
  /**
   * Folders of views and audit records that did not exist on disk before their first write: all keys in them were written by this process,
   * which alone writes there, and are in `#keys`. Looking for a new file in such a folder would wait for the files that are made in it.
   */
  readonly #own = new Set<StoreKey>();
  readonly #keys = new KeyFilter();
  readonly #isAbsent: (folder: StoreKey) => boolean;

  constructor(isAbsent: (folder: StoreKey) => boolean) {
    this.#isAbsent = isAbsent;
  }

  has(folder: StoreKey): boolean {
    return this.#known.has(folder);
  }

  /** Parent folders of a key that are not known yet, from the top. */
  newOf(key: StoreKey): StoreKey[] {
    const found: StoreKey[] = [];
    for (let slash = key.lastIndexOf("/"); slash > 0; slash = key.lastIndexOf("/", slash - 1)) {
      const folder = key.slice(0, slash);
      if (this.#known.has(folder)) break; // and so are all above it
      found.push(folder);
    }
    return found.toReversed();
  }

  /**
   * Records a key that is about to be written. `absent`: the first of its folders that is not on disk, if that was checked in this turn.
   * `held`: the keys that are in the memtable.
   */
  note(key: StoreKey, held: { keys(): Iterable<StoreKey> }, absent?: StoreKey): void {
    if (this.#known.size > MAX_KNOWN) {
      this.#known.clear(); // the rest can be read from disk
      for (const each of held.keys()) this.#add(each);
    }
    this.#add(key, absent);
  }

  /** True if the folder of this key or prefix cannot exist on disk. */
  areUnmade(key: string): boolean {
    if (this.#unmade.size === 0) return false;
    const slash = key.lastIndexOf("/");
    return slash > 0 && this.#unmade.has(key.slice(0, slash));
  }

  /** True if the key has no file and no folder of its name, as far as this process knows, which alone writes there. */
  isFree(key: string): boolean {
    return this.#own.has(parentOf(key)) && !this.#keys.mayHave(key);
  }

  /** The file of a key was made, or its write failed: from now on the disk is read for its folders. */
  settle(key: StoreKey): void {
    for (let slash = key.lastIndexOf("/"); slash > 0 && this.#unmade.size > 0; slash = key.lastIndexOf("/", slash - 1))
      this.#unmade.delete(key.slice(0, slash));
  }

  /** The folder is empty: its name may become a key. */
  free(folder: StoreKey): void {
    for (const known of this.#known) if (known === folder || known.startsWith(`${folder}/`)) this.#known.delete(known);
  }

  #add(key: StoreKey, absent?: StoreKey): void {
    for (const folder of this.newOf(key)) {
      this.#known.add(folder);
      if (this.#own.has(parentOf(folder))) this.#keys.add(folder);
      if (folder !== absent && !this.areUnmade(folder) && !this.#isAbsent(folder)) continue;
      this.#unmade.add(folder);
      if (OURS_ALONE.test(folder) && this.#own.size < MAX_OWN) this.#own.add(folder);
    }
    if (this.#own.has(parentOf(key))) this.#keys.add(key);
  }
}

const MAX_KNOWN = 100_000;
const MAX_OWN = 10_000;
const OURS_ALONE = /^(?:views|audit)\//;

const parentOf = (key: string): StoreKey => key.slice(0, Math.max(key.lastIndexOf("/"), 0));
