import { asFailure, isFailure } from "../../../../base/failure.ts";
import type { World } from "../../../../base/world.ts";
import { GATEWAY } from "../../../../domain/git/gateway-commit.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import type { Commit, CommitDraft, Merged, Moved, RefMove, Signature } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { RefSwap } from "../refs/ref-swap.ts";
import type { HeldWorkTree } from "../work-tree/work-tree-follower.ts";
import type { LeasedMove, PushAnswer } from "./remote-link.ts";
import type { RemoteProblem } from "./remote-problem.ts";
import { MAIN_TRACKING } from "./shared-refs.ts";

export interface IntegrateDeps {
  readonly address: string;
  readonly world: World;
  readonly refs: RefReader;
  readonly swap: RefSwap;
  push(moves: readonly LeasedMove[]): Promise<PushAnswer>;
  /** Reads the remote again. */
  fetch(): Promise<unknown>;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
  commit(oid: Oid): Promise<Commit>;
  build(draft: CommitDraft): Promise<Oid>;
  merge(ours: Oid, theirs: Oid): Promise<Merged>;
  /** Moves refs of this clone only, with work tree and index. */
  moveLocally(moves: readonly RefMove[], tree: HeldWorkTree | undefined): Promise<Moved>;
}

const MAX_ROUNDS = 10;

/**
 * Brings main here and main at the remote together: fast-forward here, push of commits by hand (G-5), or a merge of both. Returns
 * the problem that a person must solve; `known` is the one so far. If git is busy, or the remote goes away, the next contact goes on.
 */
export async function integrateMain(
  deps: IntegrateDeps,
  tree: HeldWorkTree | undefined,
  known: RemoteProblem | undefined,
): Promise<RemoteProblem | undefined> {
  if (known?.kind === "rewritten" || known?.kind === "gone") return known;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const step = await integrateOnce(deps, tree);
    if (step !== "again") return step === "done" ? undefined : step;
  }
  return known;
}

type Step = "done" | "again" | RemoteProblem | undefined;

async function integrateOnce(deps: IntegrateDeps, tree: HeldWorkTree | undefined): Promise<Step> {
  const [here, there] = await Promise.all([deps.refs.resolve(MAIN_REF), deps.refs.resolve(MAIN_TRACKING)]);
  if (here === there) return "done";
  if (there === undefined) return publishHere(deps, here!, there);
  if (here === undefined || (await deps.isAncestor(here, there)))
    return followStep(await deps.moveLocally([{ ref: MAIN_REF, from: here, to: there }], tree));
  if (await deps.isAncestor(there, here)) return publishHere(deps, here, there);
  return mergeBoth(deps, tree, here, there);
}

function followStep(moved: Moved): Step {
  switch (moved.kind) {
    case "moved":
      return "done";
    case "stale":
      return "again";
    case "edited":
      return { kind: "edited", paths: moved.paths };
    case "busy":
      return undefined;
  }
}

/** Commits by hand are pushed as they are. */
async function publishHere(deps: IntegrateDeps, here: Oid, there: Oid | undefined): Promise<Step> {
  const pushed = await pushMain(deps, there, here);
  if (pushed !== "accepted") return pushed;
  await deps.swap([{ ref: MAIN_TRACKING, from: there, to: here }]); // if stale, a fetch was faster
  return "done";
}

/** Commits by hand beside newer ones at the remote: one merge commit on the remote's main. */
async function mergeBoth(deps: IntegrateDeps, tree: HeldWorkTree | undefined, here: Oid, there: Oid): Promise<Step> {
  let merged: Merged;
  try {
    merged = await deps.merge(there, here);
  } catch (error) {
    if (isFailure(error, "VALIDATION_FAILED")) return { kind: "unrelated", ours: here, theirs: there };
    throw error;
  }
  if (merged.kind === "conflict") return { kind: "conflict", paths: merged.conflicts.map(({ path }) => path) };
  if (merged.kind !== "merged") return "again";
  const by = signatureOf(await deps.commit(here), deps.world);
  const to = await deps.build({
    parents: [there, here],
    tree: merged.tree,
    edits: [],
    author: by,
    committer: by,
    message: "Merge commits made on another machine",
  });
  const pushed = await pushMain(deps, there, to);
  if (pushed !== "accepted") return pushed;
  const moves = [
    { ref: MAIN_REF, from: here, to },
    { ref: MAIN_TRACKING, from: there, to },
  ];
  const moved = await deps.moveLocally(moves, tree);
  if (moved.kind === "moved") return "done";
  await deps.fetch(); // the tracking ref did not move along
  return followStep(moved);
}

/** The merge is signed as the newest commit that it brings: the gateway makes no commit without a proposal (P-8). */
function signatureOf({ committer }: Commit, world: World): Signature {
  const { name, email } =
    committer.email === GATEWAY.email ? { name: "owner", email: "owner@garden.invalid" } : committer;
  return { name, email, at: world.now() };
}

async function pushMain(deps: IntegrateDeps, lease: Oid | undefined, to: Oid): Promise<"accepted" | Step> {
  repoCrashPoint("repo.remote.before-push");
  let answer: PushAnswer;
  try {
    answer = await deps.push([{ ref: MAIN_REF, lease, to }]);
  } catch (error) {
    if (isFailure(error, "FORBIDDEN")) return { kind: "refused", why: asFailure(error).text };
    throw error;
  }
  repoCrashPoint("repo.remote.pushed");
  if (answer.kind === "accepted") return "accepted";
  await deps.fetch();
  return "again";
}
