import { Failure } from "../../../base/failure.ts";
import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { FENCE_REF } from "../../../domain/layout.ts";
import type { Repo } from "../../../ports/repo.ts";

/**
 * Events of a proposal are numbered in the store, main moves in git, and no transaction spans both. So a process that
 * planned a commit could land it after another one wrote down that the proposal failed. The fence closes that gap: every
 * move of main names the fence's value as it was before the plan was recorded, and who gives up moves the fence after it
 * has read the proposal and before it writes `failed`. Plans that it has read can then no longer land, and one that is
 * recorded later takes the number of its `failed`.
 */
const MAX_TRIES = 100;

/** Where the fence stands; a garden that has none yet gets one. */
export async function fenceNow(repo: Repo): Promise<Oid> {
  const standing = await repo.resolve(FENCE_REF);
  if (standing !== undefined) return standing;
  return await moveFence(repo, undefined, "Fence of applying: a plan from before it moved cannot land");
}

/** Moves the fence on. What was planned before cannot land any more. */
export async function raiseFence(repo: Repo, proposal: string): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const from = await fenceNow(repo);
    if ((await moveFence(repo, from, `Give up on ${proposal}`)) !== from) return;
  }
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: "other processes keep giving up at the same moment",
    uk: "інші процеси щомиті відмовляються водночас",
  });
}

/** Where the fence stands after: where we put it, or, if somebody was quicker, where it was. */
async function moveFence(repo: Repo, from: Oid | undefined, message: string): Promise<Oid> {
  const signature = { ...GATEWAY, at: 0 };
  const parents = from === undefined ? [] : [from];
  const to = await repo.build({ parents, edits: [], author: signature, committer: signature, message });
  const moved = await repo.move([{ ref: FENCE_REF, from, to }]);
  if (moved.kind === "moved") return to;
  return from ?? (await repo.resolve(FENCE_REF)) ?? to;
}
