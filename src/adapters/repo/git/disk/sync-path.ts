import { syncPresent } from "./write-synced.ts";

/** Errors of systems that cannot open or sync a folder and need no such sync. */
const NOT_FOR_FOLDERS = ["EISDIR", "EPERM", "EINVAL", "ENOTSUP"];

/** Syncs a file or a folder. An unsynced file may be empty after a power cut; in an unsynced folder it may be missing. */
export async function syncPath(path: string): Promise<void> {
  try {
    await syncPresent(path);
  } catch (error) {
    if (!NOT_FOR_FOLDERS.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
