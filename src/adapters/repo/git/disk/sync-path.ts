import { open } from "node:fs/promises";

/** Some systems cannot open or sync a folder; there, its entries are safe without it. */
const NOT_FOR_FOLDERS = ["EISDIR", "EPERM", "EINVAL", "ENOTSUP"];

/** Until a file is synced, a power cut may leave it empty; until its folder is, it may not be there at all. */
export async function syncPath(path: string): Promise<void> {
  try {
    const handle = await open(path, "r");
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (!NOT_FOR_FOLDERS.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
