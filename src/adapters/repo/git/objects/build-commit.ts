import type { Oid } from "../../../../domain/git/git-names.ts";
import { messageWithTrailers } from "../../../../domain/git/trailers.ts";
import type { Commit, CommitDraft } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import type { DeferredCommits } from "./deferred-commits.ts";
import { objectNotFound } from "./failures.ts";
import { EMPTY_TREE, formatCommit } from "./object-format.ts";
import { type ObjectReader, parseObject } from "./object-reader.ts";
import { type NewObject, newObject, type ObjectWriter } from "./object-writer.ts";
import { editTree } from "./tree-edit.ts";

export interface BuildDeps {
  readonly reader: ObjectReader;
  readonly writer: ObjectWriter;
  readonly deferred: DeferredCommits;
}

/** Builds the commit of a draft and returns its id, which depends on the draft alone. Durable now, or deferred until its move. */
export async function buildCommit(
  { reader, writer, deferred }: BuildDeps,
  draft: CommitDraft,
  durable: "at-once" | "with-move" = "at-once",
): Promise<Oid> {
  const parents = await Promise.all(draft.parents.map((parent) => commitAt(reader, parent)));
  if (draft.tree !== undefined && draft.tree !== EMPTY_TREE && (await reader.typeOf(draft.tree)) !== "tree")
    throw objectNotFound("tree", draft.tree);
  const base = draft.tree ?? parents[0]?.tree;
  const tree = await editTree(reader, base === EMPTY_TREE ? undefined : base, draft.edits);
  const message = messageWithTrailers(draft.message, draft.trailers ?? []);
  const commit = newObject("commit", formatCommit({ ...draft, tree: tree.oid }, message, draft.sign));
  const objects: NewObject[] = [...tree.objects, commit];
  const needs = [...draft.parents, ...(draft.tree === undefined ? [] : [draft.tree])];
  if (durable === "with-move") {
    await deferred.add(commit.oid, objects, needs);
    return commit.oid;
  }
  await deferred.makeDurable(needs);
  await writer.write(objects);
  for (const { oid, type, bytes } of objects)
    reader.keep(oid, parseObject(oid, type, Buffer.from(bytes)), bytes.length);
  repoCrashPoint("repo.build.built");
  return commit.oid;
}

/** Throws NOT_FOUND if the repository has no such commit. */
export async function commitAt(reader: ObjectReader, oid: Oid): Promise<Commit> {
  const object = await reader.get(oid);
  if (object?.type !== "commit") throw objectNotFound("commit", oid);
  return object.commit;
}
