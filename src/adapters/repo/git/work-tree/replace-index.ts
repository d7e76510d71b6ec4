import { copyFile, link, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { crashPoint } from "../../../../base/crash-point.ts";
import { Failure } from "../../../../base/failure.ts";
import { syncPath } from "../disk/sync-path.ts";
import { exists } from "../setup/look-at-folder.ts";

/** The index of a repository, made in a folder aside of it and then put in place under git's own lock. */
export const ASIDE = "first-commit-";

/** What a person forced in stays in. The copy gets the old time, or git would trust entries that it must check. */
export async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { mtimeMs } = await stat(from);
  await utimes(to, Math.floor(mtimeMs / 1000), Math.floor(mtimeMs / 1000));
}

/** Moved, not copied: git compares the index's own time with that of the files to know which it must read again. */
export async function replaceIndex(made: string, index: string): Promise<void> {
  if (!(await exists(made))) return; // no file at all: an empty tree needs no index
  await syncPath(made);
  const lock = `${index}.lock`;
  const linked = await taken(lock, made);
  crashPoint("first-commit:locked");
  await rename(linked ? lock : made, index);
  if (!linked) await rm(lock, { force: true });
  await syncPath(dirname(index));
}

/**
 * Takes the lock as a second name of the index that is to come, so that a later call knows it for ours. Where a disk
 * knows no second names (FAT), as a file that names the folder aside; returns whether it is the index itself.
 */
async function taken(lock: string, made: string): Promise<boolean> {
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

/** What a killed call left: its folder, and an `index.lock` that is one file with the index it made. */
export async function clearLeftovers(gitDir: string): Promise<void> {
  const lock = join(gitDir, "index.lock");
  for (const name of await readdir(gitDir)) {
    if (!name.startsWith(ASIDE)) continue;
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

const indexBusy = (cause: unknown): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    {
      en: "another git is working in this repository (.git/index.lock is there)",
      uk: "у цьому репозиторії працює інший git (є файл .git/index.lock)",
    },
    {
      hint: {
        en: "Wait until it ends. If no git is running, delete .git/index.lock and try again.",
        uk: "Зачекайте, доки він завершить. Якщо жоден git не працює, видаліть .git/index.lock і повторіть.",
      },
      cause,
    },
  );
