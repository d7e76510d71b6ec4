import { crashPoint } from "../../base/crash-point.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { sessionBranch } from "../../domain/layout.ts";
import { changeIdOf } from "../../domain/session/change-id.ts";
import { type CommitFields, encodeTypedCommit } from "../../domain/session/typed-commit.ts";
import type { Edit, Signature, TreeFile } from "../../ports/repo.ts";
import { readKinds } from "./kind-library.ts";
import { landRefs } from "./land-refs.ts";
import { gatewaySignature, type SessionGarden, sessionAuthor } from "./session-garden.ts";
import { inheritedFields, sessionHead } from "./topology.ts";

export interface SessionCommitWish {
  /** The head that the caller has seen. The commit is built on it, and lands only if it is still the head. */
  readonly expect: Oid;
  readonly kind: string;
  /** One line. */
  readonly message: string;
  readonly body?: string;
  readonly fields?: CommitFields;
  readonly tree: TreeWish;
  /** Default: the agent of the session. A person's decision is a commit of that person. */
  readonly author?: Signature;
}

/**
 * The files of the commit: all of them (a path that is not named is gone), or the changes against `expect`. Both name one whole tree, so
 * there is nothing to merge and no index.
 */
export type TreeWish =
  | { readonly files: ReadonlyMap<string, FileValue> }
  | { readonly edits: readonly (Edit | TreeFile)[] };

/** New content, or a blob that the repository has. */
export type FileValue =
  | { readonly bytes: Uint8Array; readonly mode?: "100644" | "100755" }
  | Pick<TreeFile, "oid" | "mode">;

export type SessionCommitted =
  | { readonly kind: "committed"; readonly commit: Oid }
  /** The head is another one: the caller reads it and builds its tree anew. Retrying with the same tree would undo the other's work. */
  | { readonly kind: "conflict"; readonly head: Oid | undefined };

/** S-3: a typed commit on the session's branch, by compare-and-swap. Throws NOT_FOUND without the session, VALIDATION_FAILED for a bad wish. */
export async function commitSession(
  garden: SessionGarden,
  name: string,
  wish: SessionCommitWish,
): Promise<SessionCommitted> {
  const head = await sessionHead(garden.repo, name);
  if (head !== wish.expect) return { kind: "conflict", head };
  const to = await buildSessionCommit(garden, name, wish);
  crashPoint("session.commit.built");
  const landed = await landRefs(garden, [{ ref: sessionBranch(name), from: wish.expect, to, reason: "bloom commit" }]);
  if (landed.kind === "stale") return { kind: "conflict", head: landed.actual };
  crashPoint("session.commit.landed");
  return { kind: "committed", commit: to };
}

/** Builds the commit and moves nothing. A further parent makes it a merge; `tree` replaces the files of `expect`. */
export async function buildSessionCommit(
  { repo, world }: SessionGarden,
  name: string,
  { expect, kind, message, body, fields = {}, tree, author }: SessionCommitWish,
  merge?: { readonly parent?: Oid | undefined; readonly tree?: Oid },
): Promise<Oid> {
  const at = world.now();
  const parents = [expect, ...(merge?.parent === undefined ? [] : [merge.parent])];
  const typed = encodeTypedCommit(
    {
      kind,
      message,
      ...(body !== undefined && { body }),
      fields: {
        ...(await inheritedFields(repo, name, expect)),
        ...fields,
        agent: name,
        changeId: changeIdOf({ agent: name, kind, parents, message, at }),
      },
    },
    await readKinds(repo),
  );
  return repo.build(
    {
      parents,
      ...(merge?.tree !== undefined && { tree: merge.tree }),
      edits: "edits" in tree ? tree.edits : await editsTo(repo, expect, tree.files),
      author: author ?? sessionAuthor(name, at),
      committer: gatewaySignature(at),
      ...typed,
    },
    { durable: "with-move" },
  );
}

/** The edits that turn the tree of a commit into these files. Unchanged ones cost a comparison, not a write. */
async function editsTo(
  repo: SessionGarden["repo"],
  at: Oid,
  files: ReadonlyMap<string, FileValue>,
): Promise<(Edit | TreeFile)[]> {
  const edits: (Edit | TreeFile)[] = [];
  const left = new Map(files);
  for (const before of await repo.list(at, "")) {
    const after = left.get(before.path);
    left.delete(before.path);
    if (!after) edits.push({ path: before.path, bytes: undefined });
    else if (!("oid" in after)) edits.push({ path: before.path, bytes: after.bytes, mode: after.mode ?? "100644" });
    else if (after.oid !== before.oid || after.mode !== before.mode) edits.push({ path: before.path, ...after });
  }
  for (const [path, after] of left) edits.push(editOf(path, after));
  return edits;
}

const editOf = (path: string, value: FileValue): Edit | TreeFile =>
  "oid" in value ? { path, oid: value.oid, mode: value.mode } : { path, bytes: value.bytes, mode: value.mode };
