import { closeSync, fchmodSync, fsync, openSync, writeFile, writeFileSync } from "node:fs";
import { promisify } from "node:util";

/** Up to this size a file is read and written on the caller's thread: the trip to the thread pool costs ten times as much. */
export const MAX_HERE: number = 1024 * 1024;

const writeAway = promisify(writeFile);

/** Writes to an open file, on this thread if it is little. */
export async function writeOpened(file: number, bytes: Uint8Array | string): Promise<void> {
  if (bytes.length > MAX_HERE) await writeAway(file, bytes);
  else writeFileSync(file, bytes);
}

/** Syncs an open file, in the thread pool: this is what takes its time. */
export const syncOpened: (file: number) => Promise<void> = promisify(fsync);

export interface SyncedFile {
  /** `w` replaces a file, `wx` fails with EEXIST if there is one. */
  readonly flags: "w" | "wx";
  /** Permissions of a new file, before the umask. */
  readonly mode?: number;
  /** Permissions to set, whatever the umask says. */
  readonly permissions?: number | undefined;
}

/** Writes a file, or its pieces one after the other, and syncs it. Its name needs a sync of the folder, which is the caller's. */
export async function writeFileSynced(
  path: string,
  bytes: Uint8Array | string | readonly Uint8Array[],
  { flags, mode, permissions }: SyncedFile,
): Promise<void> {
  const file = openSync(path, flags, mode);
  try {
    for (const piece of Array.isArray(bytes) ? (bytes as readonly Uint8Array[]) : [bytes as Uint8Array | string])
      await writeOpened(file, piece);
    if (permissions !== undefined) fchmodSync(file, permissions);
    await syncOpened(file);
  } finally {
    closeSync(file);
  }
}

/** Syncs a file or a folder that is there. */
export async function syncPresent(path: string): Promise<void> {
  const file = openSync(path, "r");
  try {
    await syncOpened(file);
  } finally {
    closeSync(file);
  }
}
