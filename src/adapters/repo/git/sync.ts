import { open } from "node:fs/promises";

/** Until a file is synced, a power cut may leave it empty; until its folder is, it may not be there at all. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
