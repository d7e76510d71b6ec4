import type { BigIntStats } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, readlink, rename, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { blobId } from "../../../../base/canonical.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { FileMode } from "../../../../ports/repo.ts";
import { passing } from "../crash-points.ts";
import { rememberedOf } from "./index-file.ts";

/** A file as a commit has it; undefined: the commit has none at that path. */
export type Version = { readonly mode: FileMode; readonly oid: Oid } | undefined;

export const sameVersion = (a: Version, b: Version): boolean => a?.oid === b?.oid && a?.mode === b?.mode;

/** What stands at a path of the work tree. Never looked at through a symbolic link. */
export type Found =
  | { readonly kind: "absent" }
  /** A part of the path before its end is no folder: a link, or a file. `at` is that part. */
  | { readonly kind: "blocked"; readonly at: string }
  | { readonly kind: "file"; readonly bytes: Buffer; readonly executable: boolean; readonly permissions: number }
  | { readonly kind: "link"; readonly bytes: Buffer }
  | { readonly kind: "folder" }
  | { readonly kind: "other" };

export async function findAt(workTree: string, path: string): Promise<Found> {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const at = parts.slice(0, depth).join("/");
    const stats = await lstatIfThere(join(workTree, at));
    if (!stats) return { kind: "absent" };
    if (!stats.isDirectory()) return { kind: "blocked", at };
  }
  const full = join(workTree, path);
  const stats = await lstatIfThere(full);
  if (!stats) return { kind: "absent" };
  if (stats.isDirectory()) return { kind: "folder" };
  if (stats.isSymbolicLink()) return { kind: "link", bytes: await readlink(full, { encoding: "buffer" }) };
  if (!stats.isFile()) return { kind: "other" };
  const mode = stats.mode;
  return { kind: "file", bytes: await readFile(full), executable: (mode & 0o100) !== 0, permissions: mode & 0o777 };
}

export interface Matching {
  /** False where the file system cannot keep the executable bit (core.fileMode). */
  readonly fileMode: boolean;
  /** The id of bytes as git would store them under this path: line endings and filters undone. */
  cleaned(path: string, bytes: Buffer): Promise<Oid>;
}

/** Which of these versions stands there, unedited: the last that fits, or -1. */
export async function versionAt(
  path: string,
  found: Found,
  versions: readonly Version[],
  how: Matching,
): Promise<number> {
  const raw = "bytes" in found ? blobId(found.bytes) : undefined;
  const plain = versions.findLastIndex((version) => fits(found, version, raw, how));
  if (plain >= 0 || found.kind !== "file" || versions.every((version) => version === undefined)) return plain;
  const cleaned = await how.cleaned(path, found.bytes);
  return cleaned === raw ? -1 : versions.findLastIndex((version) => fits(found, version, cleaned, how));
}

function fits(found: Found, version: Version, oid: Oid | undefined, how: Matching): boolean {
  if (!version) return found.kind === "absent" || found.kind === "blocked";
  if (version.mode === "160000") return found.kind === "folder" || found.kind === "absent";
  if (version.mode === "120000") return found.kind === "link" && oid === version.oid;
  if (found.kind !== "file" || oid !== version.oid) return false;
  return !how.fileMode || found.executable === (version.mode === "100755");
}

let counter = 0;
const TEMPORARY = /^\.bloom-tmp-\d+-\d+$/;

/** Thrown when what stands at a path is not what was seen there a moment ago. */
export class MeanwhileEdited extends Error {}

/**
 * Puts a file into the work tree: whole beside its place, synced, then renamed over it, if `unedited` still says so.
 * Answers what git may remember of the file, or undefined if a person touched it right after.
 */
export async function writeWorkFile(
  workTree: string,
  path: string,
  content: { readonly bytes: Uint8Array; readonly mode: FileMode; readonly permissions: number | undefined },
  unedited: () => Promise<boolean>,
): Promise<Buffer | undefined> {
  const full = join(workTree, path);
  await makeFolders(workTree, path);
  const temporary = join(dirname(full), `.bloom-tmp-${process.pid}-${counter++}`);
  try {
    let written: BigIntStats | undefined;
    if (content.mode === "120000") await evenIfThere(temporary, () => symlink(Buffer.from(content.bytes), temporary));
    else {
      const mode = content.mode === "100755" ? 0o777 : 0o666;
      const handle = await evenIfThere(temporary, () => open(temporary, "wx", content.permissions ?? mode));
      try {
        await handle.writeFile(content.bytes);
        written = await handle.stat({ bigint: true });
        if (content.permissions !== undefined && (Number(written.mode) & 0o777) !== content.permissions)
          await handle.chmod(content.permissions); // the umask took from it
        await handle.sync();
      } finally {
        await handle.close();
      }
    }
    passing("repo.follow.before-file-rename");
    if (!(await unedited())) throw new MeanwhileEdited(path);
    await clearEmptyFolder(full);
    await rename(temporary, full);
    passing("repo.follow.after-file-rename");
    const now = await lstat(full, { bigint: true });
    const same = written && now.ino === written.ino && now.mtimeNs === written.mtimeNs && now.size === written.size;
    return same ? rememberedOf(now) : undefined;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

/** Makes something under a name that a dead process, which had our number before us, may have left taken. */
async function evenIfThere<T>(path: string, make: () => Promise<T>): Promise<T> {
  try {
    return await make();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    await unlink(path);
    return make();
  }
}

/** Removes a file and the folders that it leaves empty, as git does. */
export async function removeWorkFile(workTree: string, path: string, unedited: () => Promise<boolean>): Promise<void> {
  if (!(await unedited())) throw new MeanwhileEdited(path);
  await unlink(join(workTree, path)).catch(ignoring("ENOENT", "ENOTDIR"));
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    try {
      await rmdir(join(workTree, folder));
    } catch {
      return; // something is left in it
    }
  }
}

/** Removes half-made files beside these paths. Whoever makes one holds `index.lock`, and now that is the caller. */
export async function removeTemporaries(workTree: string, paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    for (const name of await readdir(join(workTree, folder)).catch(() => [])) {
      if (TEMPORARY.test(name)) await unlink(join(workTree, folder, name)).catch(() => undefined);
    }
  }
}

async function makeFolders(workTree: string, path: string): Promise<void> {
  const parts = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = join(workTree, ...parts.slice(0, depth));
    await mkdir(folder).catch(ignoring("EEXIST"));
    // Looked at after it was made: a link that was there all the time must not lead us out of the work tree.
    if (!(await lstat(folder)).isDirectory()) throw new MeanwhileEdited(path);
  }
}

/** Git keeps no empty folders, so one in the place of a file holds nothing of anybody's. */
async function clearEmptyFolder(full: string): Promise<void> {
  const stats = await lstatIfThere(full);
  if (stats?.isDirectory()) await rmdir(full);
}

const lstatIfThere = (path: string) => lstat(path).catch(ignoring("ENOENT", "ENOTDIR"));

const ignoring =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return undefined;
  };
