import { MAX_SOURCE_BYTES } from "../../../domain/import/front-source.ts";
import type { SourceFiles } from "../../../domain/import/included-files.ts";
import type { Folder } from "../../../ports/folder.ts";
import type { RepoSnapshot } from "../../../ports/repos.ts";

const MOST_FILES = 5000;

/** A file of the source by its path; undefined if there is none. One that is too large is one byte longer than the limit. */
export type SourceFile = (path: string) => Promise<Uint8Array | undefined>;

/** Loads the files that `read` asks for, and those that these name. */
export async function gatherFiles(
  fileOf: SourceFile,
  mains: readonly string[],
  read: (files: SourceFiles, main: string) => unknown,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const absent = new Set<string>();
  for (const main of mains) {
    for (let missing = new Set([main]); missing.size > 0; ) {
      for (const path of missing) {
        const bytes = found.size < MOST_FILES ? await fileOf(path) : undefined;
        if (bytes) found.set(path, bytes);
        else absent.add(path);
      }
      missing = new Set();
      const ask = (path: string): Uint8Array | undefined => {
        if (!found.has(path) && !absent.has(path)) missing.add(path);
        return found.get(path);
      };
      read({ read: ask }, main);
    }
  }
  return found;
}

/** Files of one folder. Links are not followed: a link may lead out of the folder. */
export const filesIn =
  (folder: Folder): SourceFile =>
  (path) =>
    fileIn(folder, path);

async function fileIn(folder: Folder, path: string): Promise<Uint8Array | undefined> {
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length++)
    if ((await folder.stat(parts.slice(0, length).join("/"))).kind !== "folder") return undefined;
  const sight = await folder.stat(path);
  if (sight.kind !== "file") return undefined;
  if (sight.size > MAX_SOURCE_BYTES) return new Uint8Array(MAX_SOURCE_BYTES + 1);
  return await folder.read(path, MAX_SOURCE_BYTES);
}

/** Files of a commit. A link or a repository inside of it is no file. */
export const filesAt =
  ({ head, read }: Pick<RepoSnapshot, "head" | "read">): SourceFile =>
  async (path) => {
    const file = await read(head, path);
    if (!file || file.mode === "120000" || file.mode === "160000") return undefined;
    return file.bytes.length > MAX_SOURCE_BYTES ? file.bytes.subarray(0, MAX_SOURCE_BYTES + 1) : file.bytes;
  };

/** Markdown files below a folder in order, links left out. */
export async function markdownIn(folder: Folder, under: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, sight } of folder.walk(under))
    if (sight.kind === "file" && /\.md$/i.test(path) && !/(?:^|\/)(?:\.git|node_modules)\//.test(path))
      found.push(path);
  return found.toSorted().slice(0, MOST_FILES);
}
