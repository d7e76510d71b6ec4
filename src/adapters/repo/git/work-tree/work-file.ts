import {
  type BigIntStats,
  closeSync,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  type Stats,
} from "node:fs";
import { readdir, readFile, rmdir, symlink, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { blobId } from "../../../../base/canonical.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import type { FileMode } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { MAX_HERE, syncOpened, writeOpened } from "../disk/write-synced.ts";
import { statDataOf } from "./index-file.ts";

/** A file in a commit; undefined if the commit has none at that path. */
export type FileVersion = { readonly mode: FileMode; readonly oid: Oid } | undefined;

export const sameVersion = (a: FileVersion, b: FileVersion): boolean => a?.oid === b?.oid && a?.mode === b?.mode;

/** The present content of a path in the work tree. Symbolic links are never followed. */
export type WorkFile =
  | { readonly kind: "absent" }
  /** A parent of the path is a link or a file. `at` is that parent. */
  | { readonly kind: "blocked"; readonly at: string }
  | { readonly kind: "file"; readonly bytes: Buffer; readonly executable: boolean; readonly permissions: number }
  | { readonly kind: "link"; readonly bytes: Buffer }
  | { readonly kind: "folder" }
  | { readonly kind: "other" };

export async function readWorkFile(workTree: string, path: string): Promise<WorkFile> {
  const parts = path.split("/");
  for (let depth = 1; depth < parts.length; depth++) {
    const at = parts.slice(0, depth).join("/");
    const stats = lstatIfThere(join(workTree, at));
    if (!stats) return { kind: "absent" };
    if (!stats.isDirectory()) return { kind: "blocked", at };
  }
  const full = join(workTree, path);
  const stats = lstatIfThere(full);
  if (!stats) return { kind: "absent" };
  if (stats.isDirectory()) return { kind: "folder" };
  if (stats.isSymbolicLink()) return { kind: "link", bytes: readlinkSync(full, { encoding: "buffer" }) };
  if (!stats.isFile()) return { kind: "other" };
  const mode = stats.mode;
  const bytes = stats.size > MAX_HERE ? await readFile(full) : readFileSync(full);
  return { kind: "file", bytes, executable: (mode & 0o100) !== 0, permissions: mode & 0o777 };
}

export interface FileComparison {
  /** False if the file system cannot store the executable bit (core.fileMode). */
  readonly fileMode: boolean;
  /** The blob id of bytes as git would store them under this path: line endings and filters undone. */
  cleaned(path: string, bytes: Buffer): Promise<Oid>;
}

/** Index of the last of these versions that the file holds unedited; -1 if none. */
export async function matchingVersion(
  path: string,
  found: WorkFile,
  versions: readonly FileVersion[],
  how: FileComparison,
): Promise<number> {
  const raw = "bytes" in found ? blobId(found.bytes) : undefined;
  const plain = versions.findLastIndex((version) => fits(found, version, raw, how));
  if (plain >= 0 || found.kind !== "file" || versions.every((version) => version === undefined)) return plain;
  const cleaned = await how.cleaned(path, found.bytes);
  return cleaned === raw ? -1 : versions.findLastIndex((version) => fits(found, version, cleaned, how));
}

function fits(found: WorkFile, version: FileVersion, oid: Oid | undefined, how: FileComparison): boolean {
  if (!version) return found.kind === "absent" || found.kind === "blocked";
  if (version.mode === "160000") return found.kind === "folder" || found.kind === "absent";
  if (version.mode === "120000") return found.kind === "link" && oid === version.oid;
  if (found.kind !== "file" || oid !== version.oid) return false;
  return !how.fileMode || found.executable === (version.mode === "100755");
}

let counter = 0;
const TEMPORARY = /^\.bloom-tmp-\d+-\d+$/;

/** Thrown if a path changed after it was read. */
export class EditedMeanwhile extends Error {}

/** The content that a file of the work tree gets. */
export interface FileContent {
  readonly bytes: Uint8Array;
  readonly mode: FileMode;
  /** Permissions to keep; undefined for those that the umask leaves. */
  readonly permissions: number | undefined;
}

/** A synced temporary file beside its target. */
export interface PreparedFile {
  /**
   * Renames it over the target if `unedited` still holds. Returns stat data for the index, or undefined if a person changed the
   * file right after.
   */
  place(unedited: () => Promise<boolean>): Promise<Buffer | undefined>;
  /** Removes the temporary file. */
  discard(): Promise<void>;
  /** Folders that were made for it; other files may be in them by now. */
  readonly madeFolders: readonly string[];
}

export async function prepareWorkFile(workTree: string, path: string, content: FileContent): Promise<PreparedFile> {
  const full = join(workTree, path);
  const temporary = join(dirname(full), `.bloom-tmp-${process.pid}-${counter++}`);
  const madeFolders: string[] = [];
  const discard = (): Promise<void> => unlink(temporary).catch(() => undefined);
  const orDiscard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      await discard();
      throw error;
    }
  };
  const written = await orDiscard(async () => {
    makeFolders(workTree, path, madeFolders);
    return writeTemporary(temporary, content);
  });
  const place: PreparedFile["place"] = (unedited) =>
    orDiscard(async () => {
      repoCrashPoint("repo.follow.before-file-rename");
      if (!(await unedited())) throw new EditedMeanwhile(path);
      clearEmptyFolder(full);
      renameSync(temporary, full);
      repoCrashPoint("repo.follow.after-file-rename");
      const now = lstatSync(full, { bigint: true });
      const same = written && now.ino === written.ino && now.mtimeNs === written.mtimeNs && now.size === written.size;
      return same ? statDataOf(now) : undefined;
    });
  return { place, discard, madeFolders };
}

/** Returns the stats of a file; undefined for a link. */
async function writeTemporary(path: string, content: FileContent): Promise<BigIntStats | undefined> {
  if (content.mode === "120000") {
    await replacingLeftover(path, () => symlink(Buffer.from(content.bytes), path));
    return undefined;
  }
  const mode = content.mode === "100755" ? 0o777 : 0o666;
  const file = await replacingLeftover(path, async () => openSync(path, "wx", content.permissions ?? mode));
  try {
    await writeOpened(file, content.bytes);
    const written = fstatSync(file, { bigint: true });
    if (content.permissions !== undefined && (Number(written.mode) & 0o777) !== content.permissions)
      fchmodSync(file, content.permissions); // the umask cleared bits
    await syncOpened(file);
    return written;
  } finally {
    closeSync(file);
  }
}

/** Retries after removing a leftover of a dead process that had our pid. */
async function replacingLeftover<T>(path: string, make: () => Promise<T>): Promise<T> {
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
  if (!(await unedited())) throw new EditedMeanwhile(path);
  await unlink(join(workTree, path)).catch(ignoring("ENOENT", "ENOTDIR"));
  await removeEmptied(workTree, dirname(path));
}

/** Removes a folder and those above it, up to the first that is not empty. */
async function removeEmptied(workTree: string, folder: string): Promise<void> {
  for (let at = folder; at !== "."; at = dirname(at)) {
    try {
      await rmdir(join(workTree, at));
    } catch {
      return; // not empty
    }
  }
}

/**
 * Removes leftover temporary files beside these paths, and folders that held nothing else. The caller holds `index.lock`, so none of
 * them is in use.
 */
export async function removeTemporaries(workTree: string, paths: readonly string[]): Promise<void> {
  for (const folder of new Set(paths.map((path) => dirname(path)))) {
    const names = await readdir(join(workTree, folder)).catch(() => []);
    const leftovers = names.filter((name) => TEMPORARY.test(name));
    for (const name of leftovers) await unlink(join(workTree, folder, name)).catch(() => undefined);
    if (leftovers.length > 0) await removeEmptied(workTree, folder);
  }
}

/** Makes the folders of a path, and adds those that were not there to `made`. */
function makeFolders(workTree: string, path: string, made: string[]): void {
  const parts = path.split("/").slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth++) {
    const folder = join(workTree, ...parts.slice(0, depth));
    if (!lstatIfThere(folder) && makeFolder(folder)) made.push(folder);
    // Checked after mkdir: an existing link must not lead out of the work tree.
    if (!lstatIfThere(folder)?.isDirectory()) throw new EditedMeanwhile(path);
  }
}

/** Git keeps no empty folders, so an empty one in the way holds no data. */
function clearEmptyFolder(full: string): void {
  if (lstatIfThere(full)?.isDirectory()) rmdirSync(full);
}

function lstatIfThere(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    return ignoring("ENOTDIR")(error);
  }
}

/** False if it is there already. */
function makeFolder(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    ignoring("EEXIST")(error);
    return false;
  }
}

const ignoring =
  (...codes: string[]) =>
  (error: unknown): undefined => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    return undefined;
  };
