import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import { type Oid, repoPath } from "../../../../domain/git/git-names.ts";
import type { Edit, FileMode } from "../../../../ports/repo.ts";
import { damaged, FOLDER_MODE, formatTree, isFolder, nameOf, type TreeEntry, textOf } from "./object-format.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type NewObject, newObject } from "./object-writer.ts";

export interface EditedTree {
  readonly oid: Oid;
  /** What must be written for it: blobs first, then trees from the leaves up. Untouched folders are not among them. */
  readonly objects: readonly NewObject[];
}

/** What is to happen at one name of a folder, and below it. */
interface Node {
  edit: Edit | undefined;
  readonly below: Map<string, Node>;
}

/**
 * The tree with these edits. A file keeps its mode; a folder that loses its last file is gone; a file in the place of a
 * folder (or the other way) is refused unless the same edits clear that place; links and submodules are never written
 * through.
 */
export async function editTree(
  reader: ObjectReader,
  root: Oid | undefined,
  edits: readonly Edit[],
): Promise<EditedTree> {
  const blobs: NewObject[] = [];
  const trees: NewObject[] = [];
  const top = nodesOf(edits);

  async function entriesOf(oid: Oid): Promise<readonly TreeEntry[]> {
    const object = await reader.get(oid);
    if (object?.type !== "tree") throw damaged(`the tree ${oid}`, oid);
    return object.tree.entries;
  }

  /** The folder with its edits: its id, or undefined if nothing is left in it. */
  async function folder(
    oid: Oid | undefined,
    nodes: ReadonlyMap<string, Node>,
    path: string,
  ): Promise<Oid | undefined> {
    const entries = new Map(oid === undefined ? [] : (await entriesOf(oid)).map((entry) => [entry.name, entry]));
    let changed = false;
    for (const [name, node] of nodes) {
      const before = entries.get(name);
      const after = await placed(before, node, name, path === "" ? textOf(name) : `${path}/${textOf(name)}`);
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
    let standing = before;
    if (node.edit && node.edit.bytes === undefined && (!before || !isFolder(before))) standing = undefined;
    if (node.below.size > 0) {
      if (standing && !isFolder(standing)) throw inTheWay(path, standing.mode);
      const left = await folder(standing?.oid, node.below, path);
      standing = left === undefined ? undefined : { mode: FOLDER_MODE, name, oid: left };
    }
    if (!node.edit) return standing;
    const clash = node.edit.bytes === undefined ? before : standing;
    if (clash && isFolder(clash)) throw inTheWay(path, FOLDER_MODE);
    if (node.edit.bytes === undefined) return standing;
    if (standing?.mode === "120000" || standing?.mode === "160000") throw inTheWay(path, standing.mode);
    const blob = newObject("blob", node.edit.bytes);
    // A path that is edited to what it holds needs no object; git has it.
    if (blob.oid !== standing?.oid) blobs.push(blob);
    return { mode: standing?.mode ?? "100644", name, oid: blob.oid };
  }

  const oid = await folder(root, top, "");
  const empty = newObject("tree", new Uint8Array());
  if (oid === undefined) trees.push(empty);
  return { oid: oid ?? empty.oid, objects: [...blobs, ...trees] };
}

function nodesOf(edits: readonly Edit[]): Map<string, Node> {
  const top: Node = { edit: undefined, below: new Map() };
  for (const edit of edits) {
    let node = top;
    for (const part of repoPath(edit.path).split("/")) {
      const name = nameOf(part);
      let next = node.below.get(name);
      if (!next) node.below.set(name, (next = { edit: undefined, below: new Map() }));
      node = next;
    }
    if (node.edit) {
      throw refusedPath(edit.path, {
        en: "the path is there twice in one commit",
        uk: "шлях вказано двічі в одному коміті",
      });
    }
    node.edit = edit;
  }
  return top.below;
}

const ways: Record<FileMode | typeof FOLDER_MODE, Text> = {
  "100644": { en: "a file stands where a folder is needed", uk: "на місці теки стоїть файл" },
  "100755": { en: "a file stands where a folder is needed", uk: "на місці теки стоїть файл" },
  "120000": { en: "a symbolic link stands there", uk: "там стоїть символічне посилання" },
  "160000": { en: "a submodule stands there", uk: "там стоїть підмодуль" },
  "40000": { en: "a folder stands where a file is needed", uk: "на місці файлу стоїть тека" },
};

const inTheWay = (path: string, mode: FileMode | typeof FOLDER_MODE): Failure => refusedPath(path, ways[mode]);

const refusedPath = (path: string, why: Text): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    { en: `${path} cannot be written: ${why.en}`, uk: `${path} не можна записати: ${why.uk}` },
    { details: { path } },
  );
