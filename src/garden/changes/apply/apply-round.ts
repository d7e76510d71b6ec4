import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, Failure, isFailure } from "../../../base/failure.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { FENCE_REF, MAIN_REF } from "../../../domain/layout.ts";
import { type ApplyPlan, invalidMove, type Proposal } from "../../../domain/proposal/proposal.ts";
import type { Moved } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { approvedWithReport } from "../../records/logic/report-gate.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import type { Ready } from "../effect/effect.ts";
import { prepareAt } from "../effect/review.ts";
import { commitOf } from "./commit-of.ts";
import { fenceNow } from "./fence.ts";
import type { Job } from "./job.ts";
import { landedPlan, planOf, writeObjects } from "./landing.ts";
import { type Concluded, conclude, giveUp, recordPlan } from "./outcome.ts";
import { settleRivals } from "./rivals.ts";
import { handEdited, whyNot, withoutReport } from "./why-not.ts";

/** One proposal on its way: what it does at its place in the chain. */
interface Step {
  readonly job: Job;
  readonly proposal: Proposal;
  readonly ready: Ready;
  readonly plan: ApplyPlan;
}

export interface Round {
  /** Who must be tried again, in this order. */
  readonly again: readonly Job[];
  /** Somebody else moved main or wrote to the same proposals. */
  readonly crowded: boolean;
}

/**
 * The durable flow from decision to commit, for all who wait at once: pin main, prepare one after another on a growing
 * chain of commits, record every plan, move main once, write down what became of each. Dead at any line, it leaves
 * proposals that are still open; whoever looks next finds a plan that came true, or plans anew.
 */
export async function applyRound(garden: Garden, jobs: readonly Job[]): Promise<Round> {
  const fence = await fenceNow(garden.repo); // before any plan is recorded: see fence.ts
  const head = await pinned(garden);
  crashPoint("apply.pinned");

  const again: Job[] = [];
  const steps: Step[] = [];
  let tip = head;
  for (const job of jobs) {
    await guarded(job, again, async () => {
      const proposal = await readProposal(garden.store, job.id);
      const over = await settled(garden, job, proposal, head);
      if (over) return over;
      const step = await stepOn(garden, job, proposal, { head, tip });
      // Only main itself may fail a proposal: what stands before it in the chain has not landed yet.
      if (step instanceof Failure) return tip === head ? giveUp(garden, proposal, job.by, step) : { kind: "again" };
      steps.push(step);
      tip = step.plan.commit ?? tip;
      return undefined;
    });
  }
  crashPoint("apply.built");

  const recorded = await Promise.all(steps.map((step) => withPlan(garden, step, again)));
  crashPoint("apply.planned");

  // A chain holds up to its first proposal that somebody else took: the rest was built upon it, and is planned anew.
  const firstLost = recorded.findIndex((step, index) => !step && steps[index]!.plan.commit !== undefined);
  const holds = (index: number): boolean => firstLost < 0 || index < firstLost;
  const known = recorded.filter((step) => step !== undefined);
  const chain = known.filter(
    (step) => step.plan.commit !== undefined && holds(steps.findIndex(({ job }) => job === step.job)),
  );
  const alone = known.filter(({ plan }) => plan.commit === undefined);
  again.push(...known.filter((step) => step.plan.commit !== undefined && !chain.includes(step)).map(({ job }) => job));

  const moved = chain.length === 0 ? undefined : await moveMain(garden, chain, head, fence);
  crashPoint("apply.moved");
  await Promise.all([
    ...alone.map((step) => guarded(step.job, again, () => storeObjects(garden, step))),
    ...(moved ? [landOrRetry(garden, chain, moved, again)] : []),
  ]);
  return { again, crowded: firstLost >= 0 || (moved?.kind === "stale" && jobs.length > 1) };
}

/** What needs no work any more: applied by whomever, landed before a crash, failed since we began, not approved at all. */
async function settled(garden: Garden, job: Job, proposal: Proposal, head: Oid): Promise<Concluded | undefined> {
  const { status } = proposal;
  if (status === "applied") return { kind: "over", proposal };
  if (status === "pending" || status === "rejected" || status === "expired") throw invalidMove(proposal, "applying");
  const landed = await landedPlan(garden, proposal, head);
  if (landed) return conclude(garden, proposal, landed);
  job.attempts ??= job.retry && status === "failed" ? proposal.attempt : -1;
  if (status === "failed" && proposal.attempt !== job.attempts) return { kind: "over", proposal };
  return undefined;
}

/** What a proposal does on top of the chain, its commit built; or why it cannot be done there. */
async function stepOn(
  garden: Garden,
  job: Job,
  proposal: Proposal,
  { head, tip }: { readonly head: Oid; readonly tip: Oid },
): Promise<Step | Failure> {
  let at = tip;
  let prepared = await prepareAt(garden, proposal, at);
  if (prepared.kind === "ready" && prepared.edits.length === 0 && tip !== head) {
    // What goes to the store goes there whatever becomes of the chain, so it may not lean on it.
    at = head;
    prepared = await prepareAt(garden, proposal, at);
  }
  const trouble = whyNot(proposal, prepared);
  if (trouble) return trouble;
  if (!(await approvedWithReport(garden.store, proposal))) return withoutReport(proposal);
  const ready = prepared as Ready;
  if (ready.edits.length === 0) return { job, proposal, ready, plan: planOf(at, undefined, ready.objects) };
  try {
    const commit = await garden.repo.build(commitOf(proposal, ready, at), { durable: "with-move" });
    return { job, proposal, ready, plan: planOf(at, commit, []) };
  } catch (error) {
    if (isFailure(error, "VALIDATION_FAILED")) return error; // a path that cannot be
    throw error;
  }
}

/** The step with its plan on record, or undefined: then it is tried again, or its job knows why not. */
async function withPlan(garden: Garden, step: Step, again: Job[]): Promise<Step | undefined> {
  let proposal: Proposal | undefined;
  await guarded(step.job, again, async () => {
    proposal = await recordPlan(garden, step.proposal, step.job.by, step.plan);
    return proposal ? undefined : { kind: "again" };
  });
  return proposal && { ...step, proposal };
}

async function moveMain(garden: Garden, chain: readonly Step[], from: Oid, fence: Oid): Promise<Moved | Refusal> {
  const to = chain.at(-1)!.plan.commit!;
  try {
    return await garden.repo.move([
      { ref: MAIN_REF, from, to },
      { ref: FENCE_REF, from: fence, to: fence },
    ]);
  } catch (error) {
    return { kind: "thrown", failure: asFailure(error) };
  }
}

interface Refusal {
  readonly kind: "thrown";
  readonly failure: Failure;
}

async function landOrRetry(
  garden: Garden,
  chain: readonly Step[],
  moved: Moved | Refusal,
  again: Job[],
): Promise<void> {
  if (moved.kind === "moved") {
    const { behind } = moved.followed;
    await Promise.all(
      chain.map(({ job, proposal, plan, ready }) =>
        guarded(job, again, () => conclude(garden, proposal, plan, { ready, behind })),
      ),
    );
    return;
  }
  // Nothing moved, or nobody can say: main tells at the next look.
  if (moved.kind === "stale" || (moved.kind === "thrown" && moved.failure.outcome === "unknown")) {
    again.push(...chain.map(({ job }) => job));
    return;
  }
  const [only, ...others] = chain;
  if (others.length > 0) {
    // One of them is the trouble. Those that it cannot be go on together, the others each on its own.
    const paths = new Set(moved.kind === "edited" ? moved.paths : []);
    const suspects = chain.filter(({ ready }) => paths.size === 0 || ready.edits.some(({ path }) => paths.has(path)));
    for (const { job } of suspects.length > 0 ? suspects : chain) job.alone = true;
    again.push(...chain.map(({ job }) => job).toSorted((a, b) => Number(a.alone) - Number(b.alone)));
    return;
  }
  await guarded(only!.job, again, () => {
    if (moved.kind === "edited") return giveUp(garden, only!.proposal, only!.job.by, handEdited(moved.paths));
    // A machine that cannot write now is no fault of the proposal: it stays open.
    if (moved.failure.code === "UPSTREAM_UNAVAILABLE" || moved.failure.code === "INTERNAL_ERROR") throw moved.failure;
    return giveUp(garden, only!.proposal, only!.job.by, moved.failure);
  });
}

async function storeObjects(garden: Garden, { job, proposal, ready, plan }: Step): Promise<Concluded> {
  if (ready.objects.some(({ replaces }) => replaces !== undefined)) await settleRivals(garden, proposal, plan);
  const trouble = await writeObjects(garden.store, ready.objects);
  crashPoint("apply.stored");
  return trouble ? giveUp(garden, proposal, job.by, trouble) : conclude(garden, proposal, plan, { ready });
}

/** One job's part of a round: what it throws is its own affair, and hurts nobody beside it. */
async function guarded(job: Job, again: Job[], work: () => Promise<Concluded | undefined | void>): Promise<void> {
  try {
    const concluded = await work();
    if (concluded?.kind === "over") job.done(concluded.proposal);
    else if (concluded?.kind === "again") again.push(job);
  } catch (error) {
    job.failed(error);
  }
}

async function pinned({ repo }: Garden): Promise<Oid> {
  const head = await repo.resolve(MAIN_REF);
  if (head !== undefined) return head;
  throw new Failure("NOT_FOUND", { en: "the garden has no branch main", uk: "у саду немає гілки main" });
}
