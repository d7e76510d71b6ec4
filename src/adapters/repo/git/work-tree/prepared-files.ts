import { rmdir } from "node:fs/promises";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { repoCrashPoint } from "../crash-points.ts";
import type { Conversion } from "./conversion.ts";
import type { PathStatus } from "./path-status.ts";
import { type FileVersion, type PreparedFile, prepareWorkFile } from "./work-file.ts";

export interface FileSource {
  readonly workTree: string;
  readonly conversion: Conversion;
  blob(oid: Oid): Promise<Uint8Array>;
  /** True if that commit has a `.gitattributes` in a folder above the path. */
  attributesAbove(commit: Oid, path: string): Promise<boolean>;
}

/** A file whose target is a file. */
export type FileToWrite = PathStatus & { readonly to: NonNullable<FileVersion> };

/** By path: files that only have to be renamed into place. */
export type PreparedFiles = ReadonlyMap<string, PreparedFile>;

/** Writes the temporary file of a path, converted as the person's git would do it. */
export async function prepareFile(source: FileSource, file: FileToWrite, commit: Oid): Promise<PreparedFile> {
  const bytes = (await isConverted(source, file, commit))
    ? await source.conversion.converted(commit, file.path)
    : await source.blob(file.to.oid);
  return prepareWorkFile(source.workTree, file.path, { ...file.to, bytes, permissions: file.permissions });
}

/**
 * The files that can be written before the commit is durable and before other files of its move: git converts none of them (it would
 * read the commit), and nothing that the move deletes is in their way.
 */
export async function filesToPrepare(
  source: FileSource,
  statuses: readonly PathStatus[],
  commit: Oid,
): Promise<readonly FileToWrite[]> {
  const free = statuses.filter(isFileToWrite).filter(({ found }) => found !== "folder" && found !== "blocked");
  const converted = await Promise.all(free.map((file) => isConverted(source, file, commit)));
  return free.filter((_, at) => !converted[at]);
}

/** Writes their temporary files. A file that fails is left out: it is tried again, and reported, when its turn comes. */
export async function prepareFiles(
  source: FileSource,
  files: readonly FileToWrite[],
  commit: Oid,
): Promise<PreparedFiles> {
  const tried = await Promise.allSettled(
    files.map(async (file) => [file.path, await prepareFile(source, file, commit)] as const),
  );
  repoCrashPoint("repo.move.files-prepared");
  return new Map(tried.flatMap((each) => (each.status === "fulfilled" ? [each.value] : [])));
}

/** Removes the temporary files, then the folders that were made for them. */
export async function discardFiles(files: PreparedFiles): Promise<void> {
  const discarded = [...files.values()];
  await Promise.all(discarded.map((file) => file.discard()));
  const innerFirst = discarded.flatMap(({ madeFolders }) => madeFolders).toSorted((a, b) => b.length - a.length);
  for (const folder of innerFirst) await rmdir(folder).catch(() => undefined); // a person has put something there
}

const isFileToWrite = (status: PathStatus): status is FileToWrite =>
  status.file === "old" && status.index !== "edited" && status.to !== undefined && status.to.mode !== "160000";

const isConverted = async (source: FileSource, { to, path }: FileToWrite, commit: Oid): Promise<boolean> =>
  to.mode !== "120000" && source.conversion.mayConvert(await source.attributesAbove(commit, path));
