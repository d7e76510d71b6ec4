/**
 * Local folders, for files that are neither objects of the store nor commits: a new garden, its settings file, a backup.
 *
 * Every adapter guarantees:
 * - Paths are relative to the folder, parts joined by `/`; a path that leads out (`..`, absolute) is a bug of the caller and
 *   throws. A symbolic link on the way to a path that is written or removed is refused, not followed.
 * - A written file is whole or absent, also after `kill -9`, and durable when the call returns.
 * - Errors of the file system are failures with a hint: FORBIDDEN (no permission, read-only), NOT_FOUND,
 *   DUPLICATE_ENTRY (a file where a folder must be, and the reverse), UPSTREAM_UNAVAILABLE (a full or failing disk).
 */
export interface Folder {
  /** The absolute path of the folder, for messages and for the other ports. */
  readonly dir: string;

  /** Describes a path ("" is the folder itself). A symbolic link is reported as a link and not followed. */
  stat(path: string): Promise<PathStat>;
  /** Names in a folder, sorted; empty if the folder does not exist. */
  names(path: string): Promise<readonly string[]>;
  /** Every file below a folder by its path, in no order. Links, sockets and devices are reported, not followed. */
  walk(path: string): AsyncIterable<{ readonly path: string; readonly sight: PathStat }>;

  /** A file of at most `limit` bytes; undefined if there is none. Throws for a larger one. */
  read(path: string, limit: number): Promise<Uint8Array | undefined>;
  /** A file as chunks, from this byte on. */
  stream(path: string, from?: number): AsyncIterable<Uint8Array>;

  /** Creates a folder with its parents; a `private` one has mode 0700. */
  makeFolder(path: string, access?: "private"): Promise<"made" | "there">;
  /**
   * Creates a file if nothing is at the path. A `private` one (a key, a token) has mode 0600, also while it has its
   * temporary name: at no instant can another user open it.
   */
  create(path: string, bytes: Uint8Array, access?: "private"): Promise<"created" | "taken">;
  /** Creates or replaces a file atomically, parents included. */
  write(
    path: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    access?: "executable" | "private",
  ): Promise<void>;
  /**
   * Adds one line to an existing file that several processes add to, and returns the size of the file at that moment or later. No line
   * is torn by another one. If a crash left half a line at the end, the new one begins on a line of its own. Not synced: a power cut
   * may lose it. Throws NOT_FOUND without the file.
   */
  append(path: string, line: Uint8Array): Promise<number>;
  /**
   * Takes an exclusive lock named by this path, held until `release` or the end of the process (also by `kill -9`).
   * Undefined: another process holds it. The empty lock file stays.
   */
  hold(path: string): Promise<{ release(): void } | undefined>;
  /** Removes a file. Idempotent. */
  removeFile(path: string): Promise<void>;
  /** Removes a folder if it is empty; returns whether it was removed. */
  removeEmpty(path: string): Promise<boolean>;
  /** Removes a path with everything below. Only for folders that the caller created. */
  removeAll(path: string): Promise<void>;
}

export type PathStat =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly size: number; readonly executable: boolean }
  | { readonly kind: "folder" }
  | { readonly kind: "link" }
  /** A socket, a device. */
  | { readonly kind: "other" };

export interface Folders {
  /** The folder at an absolute path, which need not exist yet. Does no I/O. */
  at(dir: string): Folder;
  /** Renames a folder atomically to a path that is free or an empty folder. Both must be on one file system. */
  moveIntoPlace(from: string, to: string): Promise<void>;
}
