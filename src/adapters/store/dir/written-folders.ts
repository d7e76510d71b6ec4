import type { StoreKey } from "../../../domain/store-key.ts";

/**
 * The folders that keys were written into. No key may have the name of one, and as long as none of its files is made, the disk
 * need not be asked what lies in it: all of that is held in memory.
 */
export class WrittenFolders {
  readonly #known = new Set<StoreKey>();
  /**
   * Those that the disk does not have yet: from the write that will make them until the first of their files is made, a moment
   * later. What a person puts into a folder of the same name within that moment is seen after it.
   */
  readonly #unmade = new Set<StoreKey>();
  readonly #isAbsent: (folder: StoreKey) => boolean;

  constructor(isAbsent: (folder: StoreKey) => boolean) {
    this.#isAbsent = isAbsent;
  }

  has(folder: StoreKey): boolean {
    return this.#known.has(folder);
  }

  /** Folders of a key that nothing was written into, as far as we remember, from the top. */
  newOf(key: StoreKey): StoreKey[] {
    const found: StoreKey[] = [];
    for (let slash = key.lastIndexOf("/"); slash > 0; slash = key.lastIndexOf("/", slash - 1)) {
      const folder = key.slice(0, slash);
      if (this.#known.has(folder)) break; // and so are all above it
      found.push(folder);
    }
    return found.toReversed();
  }

  /** A key is written. `absent` is the first of its folders that the disk does not have, if somebody asked in this very turn. */
  note(key: StoreKey, held: { keys(): Iterable<StoreKey> }, absent?: StoreKey): void {
    this.#add(key, absent);
    if (this.#known.size <= MAX_KNOWN) return;
    this.#known.clear(); // the disk knows the rest
    for (const each of held.keys()) this.#add(each);
  }

  /** Whether the disk can have nothing in the folder of this key or prefix. */
  areUnmade(key: string): boolean {
    if (this.#unmade.size === 0) return false;
    const slash = key.lastIndexOf("/");
    return slash > 0 && this.#unmade.has(key.slice(0, slash));
  }

  /** The file of a key is there, or will not be: from here on the disk is asked about its folders. */
  settle(key: StoreKey): void {
    for (let slash = key.lastIndexOf("/"); slash > 0 && this.#unmade.size > 0; slash = key.lastIndexOf("/", slash - 1))
      this.#unmade.delete(key.slice(0, slash));
  }

  /** Nothing lies in it any more: its name may be a key's. */
  free(folder: StoreKey): void {
    for (const known of this.#known) if (known === folder || known.startsWith(`${folder}/`)) this.#known.delete(known);
  }

  #add(key: StoreKey, absent?: StoreKey): void {
    for (const folder of this.newOf(key)) {
      this.#known.add(folder);
      if (folder === absent || this.areUnmade(folder) || this.#isAbsent(folder)) this.#unmade.add(folder);
    }
  }
}

const MAX_KNOWN = 100_000;
