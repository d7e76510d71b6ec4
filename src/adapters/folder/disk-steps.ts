import type { Stats } from "node:fs";
import { type FileHandle, link, lstat, mkdir, open, rename, stat } from "node:fs/promises";
import { dirname } from "node:path";
import type { Sight } from "../../ports/folder.ts";
import { codeOf, linkInTheWay } from "./failures.ts";

/** Single steps on disk, each with what it takes for granted. */

export async function sightOf(path: string): Promise<Sight> {
  try {
    return asSight(await lstat(path));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return { kind: "missing" };
    throw error;
  }
}

function asSight(found: Stats): Sight {
  if (found.isFile()) return { kind: "file", size: found.size, executable: (found.mode & 0o100) !== 0 };
  if (found.isDirectory()) return { kind: "folder" };
  return { kind: found.isSymbolicLink() ? "link" : "other" };
}

/** Gives a file its name if that is free. Some file systems have no links: there the name is looked for first. */
export async function linked(temporary: string, target: string): Promise<boolean> {
  try {
    await link(temporary, target);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    if (!["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error) ?? "")) throw error;
    if ((await sightOf(target)).kind !== "missing") return false;
    await rename(temporary, target);
    return true;
  }
}

/** One level at a time where that is enough: Node's recursive call tells a read-only disk as a missing parent. */
export async function makeWithParents(path: string, mode: number): Promise<"made" | "there"> {
  try {
    await mkdir(path, { mode });
    return "made";
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(path)).isDirectory()) return "there";
    if (codeOf(error) !== "ENOENT") throw error;
    if ((await makeWithParents(dirname(path), 0o777)) === "made") return makeWithParents(path, mode);
    // Once more, for a parent that somebody made meanwhile. Some places (/proc) say "missing" for ever.
    await mkdir(path, { mode }).catch(async (again: unknown) => {
      if (codeOf(again) !== "EEXIST" || !(await stat(path)).isDirectory()) throw again;
    });
    return "made";
  }
}

/** Another call may make the same folder at the same moment. */
export async function makeOne(path: string, withParents: boolean): Promise<void> {
  if (withParents) await makeWithParents(path, 0o777);
  else
    await mkdir(path).catch((error: unknown) => {
      if (codeOf(error) !== "EEXIST") throw error;
    });
  const seen = await sightOf(path);
  if (seen.kind === "link" && !withParents) throw linkInTheWay(path);
}

/** A new file; undefined if the name is taken. */
export const openNew = (path: string, mode: number): Promise<FileHandle | undefined> =>
  open(path, "wx", mode).catch((error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error;
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

/** Makes the names in a folder durable. Windows cannot open folders, and needs no such call. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r").catch(() => undefined);
  if (!folder) return;
  try {
    await folder.sync();
  } catch (error) {
    if (!["EINVAL", "EPERM", "EISDIR"].includes(codeOf(error) ?? "")) throw error;
  } finally {
    await folder.close();
  }
}

export const unlessMissing = (error: unknown): void => {
  if (codeOf(error) !== "ENOENT") throw error;
};

export const emptyIfMissing = (error: unknown): string[] => {
  unlessMissing(error);
  return [];
};
