import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Change, FileAt, FileMode, TreeFile } from "../../../../ports/repo.ts";
import type { FileVersion } from "../work-tree/work-file.ts";
import { commitAt } from "./build-commit.ts";
import { objectDamaged } from "./failures.ts";
import { EMPTY_TREE, fromByteName, GitTree, isFolder, sortKey, type TreeEntry, toByteName } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";

/** Reads the trees of commits. */
export interface TreeWalk {
  read(at: Oid, path: string): Promise<FileAt | undefined>;
  version(at: Oid | undefined, path: string): Promise<FileVersion>;
  list(at: Oid, folder: string): Promise<readonly TreeFile[]>;
  names(at: Oid, folder: string): Promise<readonly string[]>;
  changes(from: Oid | undefined, to: Oid, folder?: string): Promise<readonly Change[]>;
}

const NO_TREE = new GitTree([]);

export function treeWalk(reader: ObjectReader): TreeWalk {
  return {
    async read(at, path) {
      const entry = await entryAt(reader, at, path);
      if (!entry || isFolder(entry) || entry.mode === "160000") return undefined;
      const object = reader.cached(entry.oid) ?? (await reader.get(entry.oid));
      if (object?.type !== "blob") throw objectDamaged(`the file ${path}`, entry.oid);
      // A copy: callers may change their bytes.
      return { bytes: new Uint8Array(object.bytes), oid: entry.oid, mode: entry.mode as FileMode };
    },
    async version(at, path) {
      if (at === undefined) return undefined;
      const entry = await entryAt(reader, at, path);
      return entry && !isFolder(entry) ? versionOf(entry) : undefined;
    },
    async list(at, folder) {
      const entry = await entryAt(reader, at, folder);
      const files: TreeFile[] = [];
      if (entry && isFolder(entry)) await collect(reader, entry.oid, folder === "" ? "" : `${folder}/`, files);
      return files;
    },
    async names(at, folder) {
      const entry = await entryAt(reader, at, folder);
      if (!entry || !isFolder(entry)) return [];
      return (await treeAt(reader, entry.oid)).entries.map(({ name }) => fromByteName(name));
    },
    async changes(from, to, folder = "") {
      const [before, after] = await Promise.all([from && entryAt(reader, from, folder), entryAt(reader, to, folder)]);
      const found: Change[] = [];
      await compare(reader, folderOf(before || undefined), folderOf(after), folder === "" ? "" : `${folder}/`, found);
      return found;
    },
  };
}

async function treeAt(reader: ObjectReader, oid: Oid): Promise<GitTree> {
  if (oid === EMPTY_TREE) return NO_TREE;
  const object = reader.cached(oid) ?? (await reader.get(oid));
  if (object?.type !== "tree") throw objectDamaged(`the tree ${oid}`, oid);
  return object.tree;
}

/** Does not await where the cache holds everything: a warm read is a few lookups. */
async function entryAt(reader: ObjectReader, commit: Oid, path: string): Promise<TreeEntry | undefined> {
  const known = reader.cached(commit);
  const root = known?.type === "commit" ? known.commit.tree : (await commitAt(reader, commit)).tree;
  let entry: TreeEntry | undefined = { mode: "40000", name: "", oid: root };
  if (path === "") return entry;
  for (const part of path.split("/")) {
    if (!isFolder(entry)) return undefined;
    const object = reader.cached(entry.oid);
    const tree: GitTree = object?.type === "tree" ? object.tree : await treeAt(reader, entry.oid);
    entry = tree.find(toByteName(part));
    if (!entry) return undefined;
  }
  return entry;
}

async function collect(reader: ObjectReader, oid: Oid, prefix: string, into: TreeFile[]): Promise<void> {
  for (const entry of (await treeAt(reader, oid)).entries) {
    const path = prefix + fromByteName(entry.name);
    if (isFolder(entry)) await collect(reader, entry.oid, `${path}/`, into);
    else into.push({ path, oid: entry.oid, mode: entry.mode as FileMode });
  }
}

/** Merges two sorted lists of entries. Equal folders are skipped without being read. */
async function compare(
  reader: ObjectReader,
  before: Oid | undefined,
  after: Oid | undefined,
  prefix: string,
  into: Change[],
): Promise<void> {
  if (before === after) return;
  const [old, now] = await Promise.all([before, after].map((oid) => treeAt(reader, oid ?? EMPTY_TREE)));
  let i = 0;
  let k = 0;
  while (i < old!.entries.length || k < now!.entries.length) {
    const a = old!.entries[i];
    const b = now!.entries[k];
    const order = !a ? 1 : !b ? -1 : compareKeys(sortKey(a), sortKey(b));
    const left = order <= 0 ? a : undefined;
    const right = order >= 0 ? b : undefined;
    if (left) i++;
    if (right) k++;
    if (left?.oid === right?.oid && left?.mode === right?.mode) continue;
    const path = prefix + fromByteName((left ?? right)!.name);
    if (isFolder((left ?? right)!)) await compare(reader, left?.oid, right?.oid, `${path}/`, into);
    else into.push({ path, before: versionOf(left), after: versionOf(right) });
  }
}

const folderOf = (entry: TreeEntry | undefined): Oid | undefined => (entry && isFolder(entry) ? entry.oid : undefined);

const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const versionOf = (entry: TreeEntry | undefined): FileVersion =>
  entry && { oid: entry.oid, mode: entry.mode as FileMode };
