import { Failure } from "../../../../base/failure.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { messageWithTrailers } from "../../../../domain/git/trailers.ts";
import type { Commit, CommitDraft } from "../../../../ports/repo.ts";
import { passing } from "../crash-points.ts";
import type { HeldBack } from "./deferred-commits.ts";
import { EMPTY_TREE, formatCommit, type ObjectType } from "./object-format.ts";
import { type ObjectReader, parsed } from "./object-reader.ts";
import { type NewObject, newObject, type ObjectWriter } from "./object-writer.ts";
import { editTree } from "./tree-edit.ts";

export interface BuildParts {
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly heldBack: HeldBack;
}

/** The commit of a draft, whole on disk with all that it needs, or held back until its move. Its id follows from the draft alone. */
export async function build(
  { reader, writer, heldBack }: BuildParts,
  draft: CommitDraft,
  durable: "at-once" | "with-move" = "at-once",
): Promise<Oid> {
  const parents = await Promise.all(draft.parents.map((parent) => commitAt(reader, parent)));
  if (draft.tree !== undefined && draft.tree !== EMPTY_TREE && (await reader.typeOf(draft.tree)) !== "tree")
    throw notFound("tree", draft.tree);
  const base = draft.tree ?? parents[0]?.tree;
  const tree = await editTree(reader, base === EMPTY_TREE ? undefined : base, draft.edits);
  const message = messageWithTrailers(draft.message, draft.trailers ?? []);
  const commit = newObject("commit", formatCommit({ ...draft, tree: tree.oid }, message));
  const objects: NewObject[] = [...tree.objects, commit];
  const needs = [...draft.parents, ...(draft.tree === undefined ? [] : [draft.tree])];
  if (durable === "with-move") {
    await heldBack.add(commit.oid, objects, needs);
    return commit.oid;
  }
  await heldBack.settle(needs);
  await writer.write(objects);
  for (const { oid, type, bytes } of objects) reader.keep(oid, parsed(oid, type, Buffer.from(bytes)), bytes.length);
  passing("repo.build.built");
  return commit.oid;
}

/** A commit that must be there. */
export async function commitAt(reader: ObjectReader, oid: Oid): Promise<Commit> {
  const object = await reader.get(oid);
  if (object?.type !== "commit") throw notFound("commit", oid);
  return object.commit;
}

export const notFound = (type: ObjectType, oid: Oid): Failure =>
  new Failure(
    "NOT_FOUND",
    { en: `the repository has no ${type} ${oid}`, uk: `у репозиторії немає об'єкта ${type} ${oid}` },
    { details: { [type]: oid } },
  );
