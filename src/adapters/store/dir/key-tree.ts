import { compareUtf8 } from "../../../base/order.ts";
import { walkKeys } from "./listing.ts";

/** Keys by folder: lists one folder in order without scanning the others. */
export class KeyTree {
  /** Folders end with a slash; the root is "". */
  readonly #folders = new Map<string, Folder>();

  add(key: string): void {
    for (let path = key; ; ) {
      const folder = folderOf(path);
      const there = this.#folders.get(folder);
      if (there) return there.add(path.slice(folder.length));
      this.#folders.set(folder, new Folder(path.slice(folder.length)));
      if (folder === "") return;
      path = folder;
    }
  }

  remove(key: string): void {
    for (let path = key; ; ) {
      const folder = folderOf(path);
      const there = this.#folders.get(folder);
      if (!there?.remove(path.slice(folder.length))) return;
      this.#folders.delete(folder);
      if (folder === "") return;
      path = folder;
    }
  }

  /** Keys with `prefix` after `after`, in order of their UTF-8 bytes. */
  keys(prefix: string, after: string): Generator<string> {
    return walkKeys((folder) => this.#folders.get(folder)?.sorted() ?? [], prefix, after);
  }
}

/** Names of keys, and of subfolders with a trailing slash. */
class Folder {
  readonly #names: Set<string>;
  #sorted: readonly string[] | undefined;

  constructor(name: string) {
    this.#names = new Set([name]);
  }

  add(name: string): void {
    this.#names.add(name);
    this.#sorted = undefined;
  }

  /** Returns true if the folder is now empty. */
  remove(name: string): boolean {
    this.#names.delete(name);
    this.#sorted = undefined;
    return this.#names.size === 0;
  }

  sorted(): readonly string[] {
    this.#sorted ??= [...this.#names].toSorted(compareUtf8);
    return this.#sorted;
  }
}

/** `a/b/c` and `a/b/c/` both lie in `a/b/`. */
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
