/**
 * Folders that the disk does not have yet: whatever lies in them is held in memory, so nobody has to ask the disk. A folder is
 * one from the write that will make it until the first of its files is made, a moment later; what a person puts into a folder
 * of the same name within that moment is seen after it.
 */
export class UnmadeFolders {
  readonly #folders = new Set<string>();

  /** Whether the disk can have nothing under this key or prefix. */
  hold(key: string): boolean {
    if (this.#folders.size === 0) return false;
    const slash = key.lastIndexOf("/");
    return slash > 0 && this.#folders.has(key.slice(0, slash));
  }

  /** A write will make this folder. `isAbsent` asks the disk, and is not asked below a folder that is not there. */
  willBeMade(folder: string, isAbsent: () => boolean): void {
    if (this.hold(folder) || isAbsent()) this.#folders.add(folder);
  }

  /** The file of a key is there, or will not be: from here on the disk is asked about its folders. */
  settle(key: string): void {
    for (let slash = key.lastIndexOf("/"); slash > 0 && this.#folders.size > 0; slash = key.lastIndexOf("/", slash - 1))
      this.#folders.delete(key.slice(0, slash));
  }
}
