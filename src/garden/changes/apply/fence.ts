import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { FENCE_REF } from "../../../domain/layout.ts";
import type { Repo } from "../../../ports/repo.ts";
import { fenceBusy } from "./failures.ts";

/**
 * A fencing token between two systems without a common transaction: events are numbered in the store, main moves in git. Without
 * it, a process could land its planned commit after another one has recorded that the proposal failed. Every move of main
 * names the fence as it was before the plan was recorded. `giveUp` moves the fence after reading the proposal and before
 * writing `failed`: the plans that it has read can no longer land, and a later plan takes the event number of its `failed`.
 */
const MAX_TRIES = 100;

/** The commit of the fence; created if the garden has none yet. */
export async function fenceNow(repo: Repo): Promise<Oid> {
  const fence = await repo.resolve(FENCE_REF);
  if (fence !== undefined) return fence;
  return await moveFence(repo, undefined, "Fence of applying: a plan from before it moved cannot land");
}

/** Moves the fence. Plans recorded before can no longer land. */
export async function raiseFence(repo: Repo, proposal: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const from = await fenceNow(repo);
    if ((await moveFence(repo, from, `Give up on ${proposal}`)) !== from) return;
  }
  throw fenceBusy();
}

/** The fence after the attempt: the new commit, or `from` if another process moved it first. */
async function moveFence(repo: Repo, from: Oid | undefined, message: string): Promise<Oid> {
  const signature = { ...GATEWAY, at: 0 };
  const parents = from === undefined ? [] : [from];
  const to = await repo.build({ parents, edits: [], author: signature, committer: signature, message });
  const moved = await repo.move([{ ref: FENCE_REF, from, to }]);
  if (moved.kind === "moved") return to;
  return from ?? (await repo.resolve(FENCE_REF)) ?? to;
}
