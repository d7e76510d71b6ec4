import { execFile } from "node:child_process";
import { mkdir, mkdtemp, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const TMPFS = 0x01021994;

/** A new folder on a real disk: in memory, syncing costs nothing and says nothing. */
export async function scratchFolder(): Promise<string> {
  const inMemory = (await statfs(tmpdir())).type === TMPFS;
  const parent = inMemory ? join(import.meta.dirname, "..", ".demo") : tmpdir();
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, "bloom-bench-"));
}

/** Flushes dirty pages, so that no contender pays for another one's writes. */
export const settle = (folder: string): Promise<void> =>
  new Promise((resolve) => {
    execFile("sync", ["-f", folder], () => resolve());
  });
