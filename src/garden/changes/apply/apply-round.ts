import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, type Failure, isFailure, isLostAnswer } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { FENCE_REF, MAIN_REF } from "../../../domain/layout.ts";
import type { ApplyPlan } from "../../../domain/proposal/apply-plan.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { isInGrace } from "../../../domain/proposal/proposal-grace.ts";
import { invalidMove } from "../../../domain/proposal/proposal-state.ts";
import type { Busy, Held, Moved } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { approvedWithReport } from "../../records/logic/report-gate.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import type { ReadyEffect } from "../effect/effect.ts";
import { prepareAt } from "../effect/review.ts";
import { type ApplyCall, guarded } from "./apply-call.ts";
import { commitOf } from "./commit-of.ts";
import { type Concluded, conclude, concludeEarlierWriters, giveUp, recordPlan } from "./conclude.ts";
import { applyProblem, failing, handEdited, type NotApplicable, withoutReport } from "./failures.ts";
import { fenceNow } from "./fence.ts";
import { landedPlan, planOf, writeObjects } from "./landing.ts";

/** One proposal at its place in the chain of commits. */
interface ChainLink {
  readonly call: ApplyCall;
  readonly proposal: Proposal;
  readonly ready: ReadyEffect;
  readonly plan: ApplyPlan;
}

export interface AppliedRound {
  /** Calls to try again, in this order. */
  readonly again: readonly ApplyCall[];
  /** Calls that wait for a git command of a person to end. Nothing was recorded for them. */
  readonly waiting: readonly ApplyCall[];
  /** Another process moved main or wrote to the same proposals. */
  readonly crowded: boolean;
}

/** The proposals of a round in the order of their commits, and what they were planned on. */
interface Chain {
  readonly fence: Oid;
  readonly head: Oid;
  readonly links: readonly ChainLink[];
}

/**
 * The durable flow from decision to commit, for all waiting calls at once: pin main, prepare the proposals one after another on a
 * growing chain of commits, record every plan, move main once, record the result of each. After a crash at any line the
 * proposals are still open: the next round finds that a plan has landed, or makes a new plan.
 *
 * Plans are recorded and main moves while git is held, so a person's commit cannot make a recorded plan stale (G-5). Preparing
 * comes before, so that the person's git is held for a short time; it is repeated in there if main has moved meanwhile.
 */
export async function applyRound(garden: Garden, calls: readonly ApplyCall[]): Promise<AppliedRound> {
  const again: ApplyCall[] = [];
  const planned = await planChain(garden, calls, again);
  crashPoint("apply.built");
  const alone = planned.links.filter(({ plan }) => plan.commit === undefined);
  const commits = planned.links.filter(({ plan }) => plan.commit !== undefined);
  const [landed] = await Promise.all([
    commits.length > 0 ? landChain(garden, { ...planned, links: commits }, again) : undefined,
    ...alone.map((step) => storeAlone(garden, step, again)),
  ]);
  if (landed?.kind === "busy") return { again, waiting: commits.map(({ call }) => call), crowded: false };
  if (!landed) return { again, waiting: [], crowded: false };
  const { chain, moved, isTaken } = landed.result;
  crashPoint("apply.moved");
  if (moved?.kind === "busy") return { again, waiting: chain.map(({ call }) => call), crowded: false };
  if (moved) await landOrRetry(garden, chain, moved, again);
  return { again, waiting: [], crowded: isTaken || (moved?.kind === "stale" && calls.length > 1) };
}

/** Pins main and builds the commits of the proposals on it. Calls that need no commit any more are concluded here. */
async function planChain(garden: Garden, calls: readonly ApplyCall[], again: ApplyCall[]): Promise<Chain> {
  const fence = await fenceNow(garden.repo); // before any plan is recorded: see fence.ts
  const head = await headOf(garden.repo);
  crashPoint("apply.pinned");
  const links: ChainLink[] = [];
  let tip = head;
  for (const call of calls) {
    await guarded(call, again, async () => {
      const proposal = await readProposal(garden.store, call.id);
      const over = await concludeIfOver(garden, call, proposal, head);
      if (over) return over;
      const step = await linkOn(garden, call, proposal, { head, tip });
      // A proposal fails only against main itself: the commits before it in the chain have not landed yet.
      if ("failure" in step) return tip === head ? giveUp(garden, proposal, call.by, step) : { kind: "again" };
      links.push(step);
      tip = step.plan.commit ?? tip;
      return undefined;
    });
  }
  return { fence, head, links };
}

/** The links that were part of the move, and its answer. `isTaken`: another process wrote to one of the proposals first. */
interface LandedChain {
  readonly chain: readonly ChainLink[];
  readonly moved: Moved | MoveThrew | undefined;
  readonly isTaken: boolean;
}

/** Records the plans and moves main, while no git command of a person can commit. */
function landChain(garden: Garden, planned: Chain, again: ApplyCall[]): Promise<Held<LandedChain>> {
  return garden.repo.hold(MAIN_REF, async (move) => {
    const isCurrent = (await headOf(garden.repo)) === planned.head && (await fenceNow(garden.repo)) === planned.fence;
    const calls = planned.links.map(({ call }) => call);
    const { fence, head, links } = isCurrent ? planned : await planChain(garden, calls, again);
    const recorded = await Promise.all(links.map((step) => withPlan(garden, step, again)));
    crashPoint("apply.planned");
    // If another process took a proposal of the chain, the commits behind it were built on it and are planned anew.
    const firstLost = recorded.findIndex((step) => !step);
    const chain = (firstLost < 0 ? recorded : recorded.slice(0, firstLost)).filter((step) => step !== undefined);
    const behind = firstLost < 0 ? [] : recorded.slice(firstLost).filter((step) => step !== undefined);
    again.push(...behind.map(({ call }) => call));
    const moved = chain.length === 0 ? undefined : await moveMain(move, chain, head, fence);
    return { chain, moved, isTaken: firstLost >= 0 };
  });
}

/** Concludes a proposal that needs no work: applied by another process, landed before a crash, or failed since the call began. */
async function concludeIfOver(
  garden: Garden,
  call: ApplyCall,
  proposal: Proposal,
  head: Oid,
): Promise<Concluded | undefined> {
  const { status } = proposal;
  if (status === "applied") return { kind: "over", proposal };
  if (status === "pending" || status === "rejected" || status === "expired") throw invalidMove(proposal, "applying");
  if (isInGrace(proposal, garden.world.now())) throw invalidMove(proposal, "applying");
  const landed = await landedPlan(garden, proposal, head);
  if (landed) return conclude(garden, proposal, landed);
  call.attempts ??= call.retry && status === "failed" ? proposal.attempt : -1;
  if (status === "failed" && proposal.attempt !== call.attempts) return { kind: "over", proposal };
  return undefined;
}

/** Builds the commit of a proposal on the tip of the chain. Returns the problem if it cannot be applied there. */
async function linkOn(
  garden: Garden,
  call: ApplyCall,
  proposal: Proposal,
  { head, tip }: { readonly head: Oid; readonly tip: Oid },
): Promise<ChainLink | NotApplicable> {
  let at = tip;
  let prepared = await prepareAt(garden, proposal, at);
  if (prepared.kind === "ready" && prepared.edits.length === 0 && tip !== head) {
    // Objects are written to the store even if the chain does not land, so they must not depend on it.
    at = head;
    prepared = await prepareAt(garden, proposal, at);
  }
  const problem = applyProblem(proposal, prepared);
  if (problem) return problem;
  if (!(await approvedWithReport(garden.store, proposal))) return failing(withoutReport(proposal));
  const ready = prepared as ReadyEffect;
  if (ready.edits.length === 0) return { call, proposal, ready, plan: planOf(at, undefined, ready.objects) };
  try {
    const commit = await garden.repo.build(commitOf(proposal, ready, at), { durable: "with-move" });
    return { call, proposal, ready, plan: planOf(at, commit, []) };
  } catch (error) {
    if (isFailure(error, "VALIDATION_FAILED")) return failing(error); // an impossible path
    throw error;
  }
}

/** Records the plan of a link. Undefined: another process wrote first, or the call has failed. */
async function withPlan(garden: Garden, step: ChainLink, again: ApplyCall[]): Promise<ChainLink | undefined> {
  let proposal: Proposal | undefined;
  await guarded(step.call, again, async () => {
    proposal = await recordPlan(garden, step.proposal, step.call.by, step.plan);
    return proposal ? undefined : { kind: "again" };
  });
  return proposal && { ...step, proposal };
}

async function moveMain(
  move: Garden["repo"]["move"],
  chain: readonly ChainLink[],
  from: Oid,
  fence: Oid,
): Promise<Moved | MoveThrew> {
  const to = chain.at(-1)!.plan.commit!;
  try {
    return await move([
      { ref: MAIN_REF, from, to },
      { ref: FENCE_REF, from: fence, to: fence },
    ]);
  } catch (error) {
    return { kind: "thrown", failure: asFailure(error) };
  }
}

interface MoveThrew {
  readonly kind: "thrown";
  readonly failure: Failure;
}

async function landOrRetry(
  garden: Garden,
  chain: readonly ChainLink[],
  moved: Exclude<Moved, Busy> | MoveThrew,
  again: ApplyCall[],
): Promise<void> {
  if (moved.kind === "moved") {
    const { behind } = moved.followed;
    await Promise.all(
      chain.map(({ call, proposal, plan, ready }) =>
        guarded(call, again, () => conclude(garden, proposal, plan, { ready, behind })),
      ),
    );
    return;
  }
  // Main did not move, or the answer was lost: the next round reads main and decides.
  if (moved.kind === "stale" || (moved.kind === "thrown" && isLostAnswer(moved.failure))) {
    again.push(...chain.map(({ call }) => call));
    return;
  }
  const [only, ...others] = chain;
  if (others.length > 0) {
    // One proposal caused the refusal. Those that touch a refused path go alone next, the rest together.
    const paths = new Set(moved.kind === "edited" ? moved.paths : []);
    const suspects = chain.filter(({ ready }) => paths.size === 0 || ready.edits.some(({ path }) => paths.has(path)));
    for (const { call } of suspects.length > 0 ? suspects : chain) call.alone = true;
    again.push(...chain.map(({ call }) => call).toSorted((a, b) => Number(a.alone) - Number(b.alone)));
    return;
  }
  await guarded(only!.call, again, () => {
    if (moved.kind === "edited") return giveUp(garden, only!.proposal, only!.call.by, failing(handEdited(moved.paths)));
    // Git cannot write now: the proposal stays open.
    if (moved.failure.code === "UPSTREAM_UNAVAILABLE" || moved.failure.code === "INTERNAL_ERROR") throw moved.failure;
    return giveUp(garden, only!.proposal, only!.call.by, failing(moved.failure));
  });
}

/** Applies a proposal that changes no file of the garden: records its plan and writes its objects. */
async function storeAlone(garden: Garden, step: ChainLink, again: ApplyCall[]): Promise<void> {
  const recorded = await withPlan(garden, step, again);
  crashPoint("apply.planned");
  if (recorded) await guarded(step.call, again, () => storeObjects(garden, recorded));
}

async function storeObjects(garden: Garden, { call, proposal, ready, plan }: ChainLink): Promise<Concluded> {
  if (ready.objects.some(({ replaces }) => replaces !== undefined))
    await concludeEarlierWriters(garden, proposal, plan);
  const problem = await writeObjects(garden, proposal, ready.objects);
  crashPoint("apply.stored");
  return problem ? giveUp(garden, proposal, call.by, failing(problem)) : conclude(garden, proposal, plan, { ready });
}
