import { copyFile, link, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crashPoint } from "../../../../base/crash-point.ts";
import { exists } from "../disk/small-file.ts";
import { syncPath } from "../disk/sync-path.ts";
import { indexBusy } from "./failures.ts";

/** Folders in which a first commit prepares its objects and index, before the index is put in place under git's lock. */
export const ASIDE_PREFIX = "first-commit-";

/** Copies an index with all that a person staged. The copy keeps the old time, or git would trust stale entries. */
export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { mtimeMs } = await stat(from);
  await utimes(to, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000));
}

/** Renames, not copies: git compares the index's own time with that of the files to decide which to read again. */
export async function replaceIndex(made: string, index: string): Promise<void> {
  if (!(await exists(made))) return; // an empty tree has no index
  await syncPath(made);
  const lock = `${index}.lock`;
  const linked = await takeLock(lock, made);
  crashPoint("first-commit:locked");
  await rename(linked ? lock : made, index);
  if (!linked) await rm(lock, { force: true });
  await syncPath(dirname(index));
}

/**
 * Takes the lock as a hard link to the new index, so that a later call recognizes it as ours, and returns true. On a file
 * system without hard links (FAT), the lock is a file with the name of the folder aside; then returns false.
 */
async function takeLock(lock: string, made: string): Promise<boolean> {
  try {
    await link(made, lock);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw indexBusy(error);
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(code ?? "")) throw error;
  }
  await writeFile(lock, basename(dirname(made)), { flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "EEXIST" ? indexBusy(error) : error;
  });
  return false;
}

/** Removes what a killed call left: its folder, and an `index.lock` that is a link to the index in it. */
export async function clearLeftovers(gitDir: string): Promise<void> {
  const lock = join(gitDir, "index.lock");
  for (const name of await readdir(gitDir)) {
    if (!name.startsWith(ASIDE_PREFIX)) continue;
    const held = await inode(lock);
    const ours =
      held !== undefined &&
      (held === (await inode(join(gitDir, name, "index"))) || (await readFile(lock, "latin1")) === name);
    if (ours) await rm(lock, { force: true });
    await rm(join(gitDir, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

const inode = (path: string): Promise<bigint | undefined> =>
  stat(path, { bigint: true }).then(
    ({ ino }) => ino,
    () => undefined,
  );
