import type { Oid } from "../../../../domain/git/git-names.ts";
import type { Change, FileAt, FileMode, TreeFile } from "../../../../ports/repo.ts";
import type { Version } from "../work-tree/work-file.ts";
import { commitAt } from "./build-commit.ts";
import { damaged, EMPTY_TREE, isFolder, nameOf, sortKey, Tree, type TreeEntry, textOf } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";

/** Looking into the trees of commits. All from memory where it was read before. */
export interface TreeWalk {
  read(at: Oid, path: string): Promise<FileAt | undefined>;
  version(at: Oid | undefined, path: string): Promise<Version>;
  list(at: Oid, folder: string): Promise<readonly TreeFile[]>;
  changes(from: Oid | undefined, to: Oid, folder?: string): Promise<readonly Change[]>;
}

const NO_TREE = new Tree([]);

export function treeWalk(reader: ObjectReader): TreeWalk {
  async function treeAt(oid: Oid): Promise<Tree> {
    if (oid === EMPTY_TREE) return NO_TREE;
    const object = reader.held(oid) ?? (await reader.get(oid));
    if (object?.type !== "tree") throw damaged(`the tree ${oid}`, oid);
    return object.tree;
  }

  /** Without a wait where memory holds all of it, which makes a warm read a few lookups. */
  async function entryAt(commit: Oid, path: string): Promise<TreeEntry | undefined> {
    const held = reader.held(commit);
    const root = held?.type === "commit" ? held.commit.tree : (await commitAt(reader, commit)).tree;
    let entry: TreeEntry | undefined = { mode: "40000", name: "", oid: root };
    if (path === "") return entry;
    for (const part of path.split("/")) {
      if (!isFolder(entry)) return undefined;
      const object = reader.held(entry.oid);
      const tree: Tree = object?.type === "tree" ? object.tree : await treeAt(entry.oid);
      entry = tree.find(nameOf(part));
      if (!entry) return undefined;
    }
    return entry;
  }

  async function collect(oid: Oid, prefix: string, into: TreeFile[]): Promise<void> {
    for (const entry of (await treeAt(oid)).entries) {
      const path = prefix + textOf(entry.name);
      if (isFolder(entry)) await collect(entry.oid, `${path}/`, into);
      else into.push({ path, oid: entry.oid, mode: entry.mode as FileMode });
    }
  }

  /** Two lists in one order; equal folders are passed over without being read. */
  async function compare(
    before: Oid | undefined,
    after: Oid | undefined,
    prefix: string,
    into: Change[],
  ): Promise<void> {
    if (before === after) return;
    const [old, now] = await Promise.all([before, after].map((oid) => treeAt(oid ?? EMPTY_TREE)));
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
      const path = prefix + textOf((left ?? right)!.name);
      if (isFolder((left ?? right)!)) await compare(left?.oid, right?.oid, `${path}/`, into);
      else into.push({ path, before: versionOf(left), after: versionOf(right) });
    }
  }

  return {
    async read(at, path) {
      const entry = await entryAt(at, path);
      if (!entry || isFolder(entry) || entry.mode === "160000") return undefined;
      const object = reader.held(entry.oid) ?? (await reader.get(entry.oid));
      if (object?.type !== "blob") throw damaged(`the file ${path}`, entry.oid);
      // A copy: what callers do to their bytes must not reach the cache.
      return { bytes: new Uint8Array(object.bytes), oid: entry.oid, mode: entry.mode as FileMode };
    },
    async version(at, path) {
      if (at === undefined) return undefined;
      const entry = await entryAt(at, path);
      return entry && !isFolder(entry) ? versionOf(entry) : undefined;
    },
    async list(at, folder) {
      const entry = await entryAt(at, folder);
      const files: TreeFile[] = [];
      if (entry && isFolder(entry)) await collect(entry.oid, folder === "" ? "" : `${folder}/`, files);
      return files;
    },
    async changes(from, to, folder = "") {
      const [before, after] = await Promise.all([from && entryAt(from, folder), entryAt(to, folder)]);
      const found: Change[] = [];
      await compare(folderOf(before || undefined), folderOf(after), folder === "" ? "" : `${folder}/`, found);
      return found;
    },
  };
}

const folderOf = (entry: TreeEntry | undefined): Oid | undefined => (entry && isFolder(entry) ? entry.oid : undefined);

const compareKeys = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const versionOf = (entry: TreeEntry | undefined): Version => entry && { oid: entry.oid, mode: entry.mode as FileMode };
