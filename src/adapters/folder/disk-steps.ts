import type { Stats } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { PathStat } from "../../ports/folder.ts";
import { errnoOf, linkInTheWay } from "./failures.ts";

export async function lookAt(path: string): Promise<PathStat> {
  try {
    return asSight(await lstat(path));
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || errnoOf(error) === "ENOTDIR") return { kind: "missing" };
    throw error;
  }
}

function asSight(found: Stats): PathStat {
  if (found.isFile()) return { kind: "file", size: found.size, executable: (found.mode & 0o100) !== 0 };
  if (found.isDirectory()) return { kind: "folder" };
  return { kind: found.isSymbolicLink() ? "link" : "other" };
}

/** Gives a file its name if that is free, and returns true. Without hard links, checks the name first (not atomic). */
export async function linkIfFree(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
    return true;
  } catch (error) {
    if (errnoOf(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(errnoOf(error) ?? "")) throw error;
    if ((await lookAt(target)).kind !== "missing") return false;
    await rename(temporary, target);
    return true;
  }
}

/** One level at a time: Node's recursive mkdir reports a read-only disk as a missing parent. */
export async function makeWithParents(path: string, mode: number): Promise<"made" | "there"> {
  try {
    await mkdir(path, { mode });
    return "made";
  } catch (error) {
    if (errnoOf(error) === "EEXIST" && (await stat(path)).isDirectory()) return "there";
    if (errnoOf(error) !== "ENOENT") throw error;
    if ((await makeWithParents(dirname(path), 0o777)) === "made") return makeWithParents(path, mode);
    // Once more, if the parent was made meanwhile. Some file systems (/proc) report ENOENT for ever.
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      if (errnoOf(again) !== "EEXIST" || !(await stat(path)).isDirectory()) throw again;
    });
    return "made";
  }
}

/** Idempotent beside concurrent calls. Throws if the path is a symbolic link. */
export async function makeOneFolder(path: string, withParents: boolean): Promise<void> {
  if (withParents) await makeWithParents(path, 0o777);
  else
    await mkdir(path).catch((error: unknown) => {
      if (errnoOf(error) !== "EEXIST") throw error;
    });
  const seen = await lookAt(path);
  if (seen.kind === "link" && !withParents) throw linkInTheWay(path);
}

/** Opens a new file; undefined if the name is taken. */
export const openNew = (path: string, mode: number): Promise<FileHandle | undefined> =>
  open(path, "wx", mode).catch((error: unknown) => {
    if (errnoOf(error) !== "EEXIST") throw error;
    return undefined;
  });

export async function writeSynced(
  file: FileHandle,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<void> {
  try {
    for await (const chunk of chunks) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes the names in a folder durable. No-op on Windows, which cannot open folders. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  if (!folder) return;
  try {
    await folder.sync();
  } catch (error) {
    if (!["EINVAL", "EPERM", "EISDIR"].includes(errnoOf(error) ?? "")) throw error;
  } finally {
    await folder.close();
  }
}

export const unlessMissing = (error: unknown): void => {
  if (errnoOf(error) !== "ENOENT") throw error;
};

export const emptyIfMissing = (error: unknown): string[] => {
  unlessMissing(error);
  return [];
};
