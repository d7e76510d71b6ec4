/**
 * Folders of the machine, for what is neither an object of the store nor a commit: making a garden, its settings file,
 * the file of a backup.
 *
 * What an adapter promises:
 * - Paths are relative to the folder, parts joined by `/`; one that leads out (`..`, absolute) is our own mistake and
 *   throws. On the way to a path that is written or removed no symbolic link is followed: it is refused.
 * - What was written is whole or absent, also after `kill -9`, and is on disk when the call returns.
 * - What the machine refuses comes as a failure with a hint: FORBIDDEN (no permission, read-only), NOT_FOUND,
 *   DUPLICATE_ENTRY (a file where a folder must be, and the reverse), UPSTREAM_UNAVAILABLE (a full or failing disk).
 */
export interface Folder {
  /** The absolute path of the folder, for messages and for the other ports. */
  readonly dir: string;

  /** What is at a path ("" is the folder itself). A symbolic link is told as one, wherever it points. */
  look(path: string): Promise<Sight>;
  /** Names in a folder, sorted; none if it is not there. */
  names(path: string): Promise<readonly string[]>;
  /** Every file below a folder by its path, in no order. Links and other odd things are told, not followed. */
  walk(path: string): AsyncIterable<{ readonly path: string; readonly sight: Sight }>;

  /** A file of at most `limit` bytes; undefined if there is none. A larger one is refused. */
  read(path: string, limit: number): Promise<Uint8Array | undefined>;
  /** A file piece by piece. */
  stream(path: string): AsyncIterable<Uint8Array>;

  /** Makes a folder with its parents; `private` ones are for the owner alone (0700). */
  makeFolder(path: string, access?: "private"): Promise<"made" | "there">;
  /**
   * Makes a file if there is nothing at the path. A `private` one (a key, a token) is for the owner alone (0600), and is
   * so under every name that it ever has: at no instant can somebody else open it.
   */
  create(path: string, bytes: Uint8Array, access?: "private"): Promise<"created" | "taken">;
  /** Writes a file in place of whatever file is there, parents included. The bytes show up all at once, at the end. */
  write(
    path: string,
    chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
    access?: "executable" | "private",
  ): Promise<void>;
  /**
   * Takes the right that this path stands for, until it is given back or the process ends, however it ends. Undefined:
   * somebody has it. The file at the path holds nothing and stays.
   */
  hold(path: string): Promise<{ release(): void } | undefined>;
  /** Removes a file. Removing what is not there is done already. */
  removeFile(path: string): Promise<void>;
  /** Removes a folder if it is empty; tells whether it is gone. */
  removeEmpty(path: string): Promise<boolean>;
  /** Removes a path with everything below. For what the caller made itself. */
  removeAll(path: string): Promise<void>;
}

export type Sight =
  | { readonly kind: "missing" }
  | { readonly kind: "file"; readonly size: number; readonly executable: boolean }
  | { readonly kind: "folder" }
  | { readonly kind: "link" }
  /** A socket, a device. */
  | { readonly kind: "other" };

export interface Folders {
  /** The folder at an absolute path, which need not exist yet. Touches nothing. */
  at(dir: string): Folder;
  /**
   * Renames a folder to a name that is free, or that an empty folder has: all at once. Both must lie on one file
   * system, as siblings do.
   */
  moveIntoPlace(from: string, to: string): Promise<void>;
}
