import { type Oid, repoPath } from "../../../../domain/git/git-names.ts";
import type { Edit, TreeFile } from "../../../../ports/repo.ts";
import { objectDamaged, objectNotFound, pathObstructed, pathTwice } from "./failures.ts";
import { FOLDER_MODE, formatTree, fromByteName, isFolder, type TreeEntry, toByteName } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type NewObject, newObject } from "./object-writer.ts";

export interface EditedTree {
  readonly oid: Oid;
  /** New objects: blobs first, then trees from the leaves up. Unchanged folders are not among them. */
  readonly objects: readonly NewObject[];
}

/** The edits at one name of a folder, and below it. */
interface Node {
  edit: Edit | TreeFile | undefined;
  readonly below: Map<string, Node>;
}

/**
 * Applies edits to a tree. A file keeps its mode; a folder that loses its last file disappears. Throws if a file would
 * replace a folder (or the reverse) that the same edits do not delete, and for paths through links and submodules.
 */
export async function editTree(
  reader: ObjectReader,
  root: Oid | undefined,
  edits: readonly (Edit | TreeFile)[],
): Promise<EditedTree> {
  const blobs: NewObject[] = [];
  const trees: NewObject[] = [];
  const top = nodesOf(edits);

  async function entriesOf(oid: Oid): Promise<readonly TreeEntry[]> {
    const object = await reader.get(oid);
    if (object?.type !== "tree") throw objectDamaged(`the tree ${oid}`, oid);
    return object.tree.entries;
  }

  /** Returns the id of the edited folder; undefined if it is empty. */
  async function folder(
    oid: Oid | undefined,
    nodes: ReadonlyMap<string, Node>,
    path: string,
  ): Promise<Oid | undefined> {
    const entries = new Map(oid === undefined ? [] : (await entriesOf(oid)).map((entry) => [entry.name, entry]));
    let changed = false;
    for (const [name, node] of nodes) {
      const before = entries.get(name);
      const after = await placed(
        before,
        node,
        name,
        path === "" ? fromByteName(name) : `${path}/${fromByteName(name)}`,
      );
      if (before?.oid === after?.oid && before?.mode === after?.mode) continue;
      changed = true;
      if (after) entries.set(name, after);
      else entries.delete(name);
    }
    if (entries.size === 0) return undefined;
    if (!changed && oid !== undefined) return oid;
    const tree = newObject("tree", formatTree([...entries.values()]));
    trees.push(tree);
    return tree.oid;
  }

  async function placed(
    before: TreeEntry | undefined,
    node: Node,
    name: string,
    path: string,
  ): Promise<TreeEntry | undefined> {
    let current = before;
    const isRemoval = node.edit && !("oid" in node.edit) && node.edit.bytes === undefined;
    if (isRemoval && (!before || !isFolder(before))) current = undefined;
    if (node.below.size > 0) {
      if (current && !isFolder(current)) throw pathObstructed(path, current.mode);
      const left = await folder(current?.oid, node.below, path);
      current = left === undefined ? undefined : { mode: FOLDER_MODE, name, oid: left };
    }
    if (!node.edit) return current;
    const clash = isRemoval ? before : current;
    if (clash && isFolder(clash)) throw pathObstructed(path, FOLDER_MODE);
    if ("oid" in node.edit) return known(node.edit, name, current);
    if (node.edit.bytes === undefined) return current;
    if (current?.mode === "120000" || current?.mode === "160000") throw pathObstructed(path, current.mode);
    const blob = newObject("blob", node.edit.bytes);
    // Unchanged content needs no new object.
    if (blob.oid !== current?.oid) blobs.push(blob);
    return { mode: node.edit.mode ?? current?.mode ?? "100644", name, oid: blob.oid };
  }

  /** A tree that names a missing blob would stop every later gc. */
  async function known({ oid, mode }: TreeFile, name: string, current: TreeEntry | undefined): Promise<TreeEntry> {
    if (oid !== current?.oid && mode !== "160000" && (await reader.typeOf(oid)) !== "blob")
      throw objectNotFound("blob", oid);
    return { mode, name, oid };
  }

  const oid = await folder(root, top, "");
  const empty = newObject("tree", new Uint8Array());
  if (oid === undefined) trees.push(empty);
  return { oid: oid ?? empty.oid, objects: [...blobs, ...trees] };
}

function nodesOf(edits: readonly (Edit | TreeFile)[]): Map<string, Node> {
  const top: Node = { edit: undefined, below: new Map() };
  for (const edit of edits) {
    let node = top;
    for (const part of repoPath(edit.path).split("/")) {
      const name = toByteName(part);
      let next = node.below.get(name);
      if (!next) node.below.set(name, (next = { edit: undefined, below: new Map() }));
      node = next;
    }
    if (node.edit) {
      throw pathTwice(edit.path);
    }
    node.edit = edit;
  }
  return top.below;
}
