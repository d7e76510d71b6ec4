import { crashPoint } from "../../base/crash-point.ts";
import { peerSessionIn } from "../../domain/federation/peer-origin.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { EDGES_REF, sessionBranch } from "../../domain/layout.ts";
import { MERGES } from "../../domain/session/edges.ts";
import type { CommitFields } from "../../domain/session/typed-commit.ts";
import type { Conflict } from "../../ports/repo.ts";
import { buildSessionCommit, type TreeWish } from "./commit-session.ts";
import { edgeMove } from "./edge-stream.ts";
import { mergeIntoItself } from "./failures.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { anySessionHead, expectMergeGrants, peerSession } from "./peer-sessions.ts";
import type { SessionGarden } from "./session-garden.ts";
import { sessionHead } from "./topology.ts";

export interface SessionMergeWish {
  /** The session that gets the work. */
  readonly into: string;
  /** The session whose work is merged, of this garden or of another one (`alice/scout`). Its branch stays as it is. */
  readonly from: string;
  readonly message?: string;
  readonly body?: string;
  readonly fields?: CommitFields;
}

export type SessionMerged =
  | { readonly kind: "merged"; readonly commit: Oid }
  /** Everything of `from` is in `into` already. */
  | { readonly kind: "up-to-date" }
  /** Both changed the same lines. Nothing was written; `resolveSessionMerge` concludes, with these two heads. */
  | { readonly kind: "conflicts"; readonly ours: Oid; readonly theirs: Oid; readonly conflicts: readonly Conflict[] }
  /** The head of `into` moved meanwhile. Nothing was written. */
  | { readonly kind: "conflict"; readonly head: Oid | undefined };

/** S-5: merges one session into another, always as a commit with two parents, also where the branch could be moved forward. */
export async function mergeSession(garden: SessionGarden, wish: SessionMergeWish): Promise<SessionMerged> {
  const { repo } = garden;
  const { ours, theirs } = await headsOf(garden, wish);
  await expectMergeable(garden, wish, theirs);
  const merged = await repo.merge(ours, theirs, { unrelated: true });
  if (merged.kind === "up-to-date") return merged;
  if (merged.kind === "conflict") return { kind: "conflicts", ours, theirs, conflicts: merged.conflicts };
  const tree = merged.kind === "merged" ? merged.tree : (await repo.commit(theirs)).tree;
  return landMerge(garden, wish, { ours, theirs, result: { edits: [] }, tree });
}

export interface SessionResolution extends SessionMergeWish {
  /** The heads that the conflict was shown for. */
  readonly ours: Oid;
  readonly theirs: Oid;
  /** All files of the result, or the changes against `ours`, or against `base` if there is one. */
  readonly tree: TreeWish;
  readonly base?: Oid;
}

/** S-5: concludes a merge with the files that somebody resolved, in the same shape. Lands only if both heads are still those shown. */
export async function resolveSessionMerge(garden: SessionGarden, wish: SessionResolution): Promise<SessionMerged> {
  const { repo } = garden;
  const now = await headsOf(garden, wish);
  if (now.ours !== wish.ours) return { kind: "conflict", head: now.ours };
  if (now.theirs !== wish.theirs) return { kind: "conflict", head: now.theirs };
  await expectMergeable(garden, wish, wish.theirs);
  if (await repo.isAncestor(wish.theirs, wish.ours)) return { kind: "up-to-date" };
  const { ours, theirs, tree: result, base } = wish;
  return landMerge(garden, wish, { ours, theirs, result, ...(base !== undefined && { tree: base }) });
}

/** The heads of the two sessions now. Throws NOT_FOUND, and VALIDATION_FAILED for one session twice. */
export async function headsOf(
  { repo }: SessionGarden,
  { into, from }: SessionMergeWish,
): Promise<{ readonly ours: Oid; readonly theirs: Oid }> {
  if (into === from) throw mergeIntoItself(into);
  return { ours: await sessionHead(repo, into), theirs: await anySessionHead(repo, from) };
}

/** S-10: work of another garden needs a grant for `merge`. Its files reach main only by a proposal, with the checks of every merge. */
async function expectMergeable(garden: SessionGarden, { from }: SessionMergeWish, theirs: Oid): Promise<void> {
  const peer = peerSessionIn(from);
  if (!peer) return;
  await expectMergeGrants(garden, [{ ...(await peerSession(garden.repo, peer)), head: theirs }]);
}

interface MergePlan {
  readonly ours: Oid;
  readonly theirs: Oid;
  readonly result: TreeWish;
  /** Replaces the tree of `ours`. */
  readonly tree?: Oid;
}

/** The edge and the branch move in one transaction, the branch last. */
async function landMerge(garden: SessionGarden, wish: SessionMergeWish, plan: MergePlan): Promise<SessionMerged> {
  const { into, from, message = `${from} into ${into}`, body, fields = {} } = wish;
  const peer = peerSessionIn(from);
  const origin = peer && { ...(await peerSession(garden.repo, peer)), head: plan.theirs };
  const commit = await buildSessionCommit(
    garden,
    into,
    {
      expect: plan.ours,
      kind: "session-merge",
      message,
      ...(body !== undefined && { body }),
      fields: { ...fields, merged: from, ...(origin && { origin }) },
      tree: plan.result,
    },
    { parent: plan.theirs, ...(plan.tree !== undefined && { tree: plan.tree }) },
  );
  crashPoint("session.merge.built");
  return untilLanded(garden, [EDGES_REF], async () => {
    const edge = await edgeMove(garden, { op: "assert", kind: MERGES, from: into, to: from });
    const branch = { ref: sessionBranch(into), from: plan.ours, to: commit, reason: "bloom merge" };
    const landed = await landRefs(garden, edge ? [{ ...edge, reason: branch.reason }, branch] : [branch]);
    if (landed.kind === "stale")
      return landed.ref === EDGES_REF ? undefined : { kind: "conflict", head: landed.actual };
    crashPoint("session.merge.landed");
    return { kind: "merged", commit };
  });
}
