import { MAX_SOURCE_BYTES } from "../../../domain/import/front-source.ts";
import type { SourceFiles } from "../../../domain/import/included-files.ts";
import type { Folder } from "../../../ports/folder.ts";

const MOST_FILES = 5000;

/**
 * Loads the files that `read` asks for, and those that these name, from one folder. Links are not followed: a link may lead out of the
 * folder. A file that is too large is cut after the limit, so that the reader refuses it.
 */
export async function gatherFiles(
  folder: Folder,
  mains: readonly string[],
  read: (files: SourceFiles, main: string) => unknown,
): Promise<Map<string, Uint8Array>> {
  const found = new Map<string, Uint8Array>();
  const absent = new Set<string>();
  for (const main of mains) {
    for (let missing = new Set([main]); missing.size > 0; ) {
      for (const path of missing) {
        const bytes = found.size < MOST_FILES ? await fileOf(folder, path) : undefined;
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

async function fileOf(folder: Folder, path: string): Promise<Uint8Array | undefined> {
  const parts = path.split("/");
  for (let length = 1; length < parts.length; length++)
    if ((await folder.stat(parts.slice(0, length).join("/"))).kind !== "folder") return undefined;
  const sight = await folder.stat(path);
  if (sight.kind !== "file") return undefined;
  if (sight.size > MAX_SOURCE_BYTES) return new Uint8Array(MAX_SOURCE_BYTES + 1);
  return await folder.read(path, MAX_SOURCE_BYTES);
}

/** Markdown files below a folder in order, links left out. */
export async function markdownIn(folder: Folder, under: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { path, sight } of folder.walk(under))
    if (sight.kind === "file" && /\.md$/i.test(path) && !/(?:^|\/)(?:\.git|node_modules)\//.test(path))
      found.push(path);
  return found.toSorted().slice(0, MOST_FILES);
}
