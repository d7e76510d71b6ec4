import { crashPoint } from "../../../base/crash-point.ts";
import type { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import type { ApplyPlan, EventOf, Proposal, ProposalEvent } from "../../../domain/proposal/proposal.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { appendEvent } from "../../records/proposals/proposal-log.ts";
import { keepEvent } from "../../records/runs/pending-events.ts";
import type { Ready } from "../effect/effect.ts";
import { prepareAt } from "../effect/review.ts";
import { raiseFence } from "./fence.ts";
import { bindTrace, landedPlan } from "./landing.ts";

/** What became of writing the last event: it stands, or somebody was quicker and the proposal must be looked at again. */
export type Concluded = { readonly kind: "over"; readonly proposal: Proposal } | { readonly kind: "again" };

type Behind = readonly { readonly path: string; readonly why: Text }[];

/** Writes down that an attempt begins, or goes on with another plan. Undefined: somebody else wrote first. */
export async function recordPlan(
  garden: Garden,
  proposal: Proposal,
  by: string,
  plan: ApplyPlan,
): Promise<Proposal | undefined> {
  const begun = proposal.status === "applying";
  const attempt = begun ? proposal.attempt : proposal.attempt + 1;
  const event = begun
    ? ({ type: "planned", ...stamp(garden), attempt, plan } as const)
    : ({ type: "applying", ...stamp(garden), attempt, by, plan } as const);
  const appended = await appendEvent(garden.store, proposal, event);
  return appended.kind === "won" ? appended.proposal : undefined;
}

/**
 * The change is there: makes what follows from it and writes `applied`. After a crash anywhere in here the plan is found
 * to have come true, and this is done again; `ready` is worked out anew then, where the plan was made.
 */
export async function conclude(
  garden: Garden,
  proposal: Proposal,
  plan: ApplyPlan,
  { ready, behind = [] }: { readonly ready?: Ready; readonly behind?: Behind } = {},
): Promise<Concluded> {
  const begun = proposal.status === "applying" ? proposal : await recordPlan(garden, proposal, "gateway", plan);
  if (!begun) return { kind: "again" };
  if (plan.commit !== undefined) await bindTrace(garden, proposal, plan.commit);
  crashPoint("apply.traced");
  const effect = ready ?? (await effectOf(garden, proposal, plan));
  const made = await effect?.project?.(garden);
  crashPoint("apply.projected");
  const path = plan.objects.at(-1)?.key ?? made?.[0]; // what it is about comes last, after what it leans on
  const event: EventOf<"applied"> = {
    type: "applied",
    ...stamp(garden),
    ...(plan.commit !== undefined && { git_commit: plan.commit }),
    ...(path !== undefined && { object_path: path }),
    events: [...(effect?.events ?? [actionTable[proposal.action].event])],
  };
  const appended = await appendEvent(garden.store, begun, event, async (next) => {
    crashPoint("apply.applied");
    await tell(garden, next, event, behind);
    crashPoint("apply.told");
  });
  crashPoint("apply.settled");
  return appended.kind === "won" ? { kind: "over", proposal: appended.proposal } : { kind: "again" };
}

/**
 * It cannot be done: writes `failed`, after it is certain that nothing of it landed and nothing of it will. The proposal
 * is the one that was read before; an event written since takes our number, and we look again.
 */
export async function giveUp(garden: Garden, proposal: Proposal, by: string, failure: Failure): Promise<Concluded> {
  const begun = proposal.status === "applying" ? proposal : await recordPlan(garden, proposal, by, { objects: [] });
  if (!begun) return { kind: "again" };
  crashPoint("apply.giving-up");
  if (begun.plans.some(({ commit }) => commit !== undefined)) {
    await raiseFence(garden.repo, proposal.id);
    crashPoint("apply.fenced");
    const head = await garden.repo.resolve(MAIN_REF);
    const landed = head === undefined ? undefined : await landedPlan(garden, begun, head);
    if (landed) return conclude(garden, begun, landed);
  }
  const { code, text, details } = failure;
  const error = { code, message: text, details: JSON.parse(JSON.stringify(details)) as Record<string, never> };
  const event: EventOf<"failed"> = { type: "failed", ...stamp(garden), error };
  const appended = await appendEvent(garden.store, begun, event, async (next) => {
    crashPoint("apply.failed");
    await tell(garden, next, event);
    crashPoint("apply.failure-told");
  });
  crashPoint("apply.failure-settled");
  return appended.kind === "won" ? { kind: "over", proposal: appended.proposal } : { kind: "again" };
}

/** P-12. The record's name and time follow from the event, so that telling it again after a crash is telling it once. */
export async function tell(
  garden: Garden,
  proposal: Proposal,
  event: ProposalEvent,
  behind: Behind = [],
): Promise<void> {
  if (event.type !== "applied" && event.type !== "failed") return;
  const { id, action, target, approval } = proposal;
  const name = `${id}-${String(proposal.length - 1).padStart(4, "0")}-${event.type}`;
  const by = approval?.decided_by ?? "gateway";
  const common = { at: event.at, by, subject: id };
  if (event.type === "failed") {
    const { code, message } = event.error;
    await recordAudit(garden, name, {
      kind: "apply-failed",
      ...common,
      why: message.en,
      details: { action, target, code },
    });
    return;
  }
  await keepEvents(garden.store, proposal, event);
  await recordAudit(garden, name, {
    kind: "applied",
    ...common,
    details: {
      action,
      target,
      events: event.events,
      ...(event.git_commit !== undefined && { git_commit: event.git_commit }),
      ...(event.object_path !== undefined && { object_path: event.object_path }),
      ...(behind.length > 0 && { behind: behind.map(({ path, why }) => ({ path, why: why.en })) }),
    },
  });
}

/** For the agents that wait for it (O-4): kept before the proposal is closed, so that no crash comes in between. */
async function keepEvents(
  store: Garden["store"],
  proposal: Proposal,
  { at, events }: EventOf<"applied">,
): Promise<void> {
  const { id, source, action, target, approval } = proposal;
  const from =
    source.type === "agent" && source.run_id !== undefined ? { slug: source.identity, run: source.run_id } : undefined;
  for (const name of events) {
    await keepEvent(store, {
      name,
      id: `${id}:${name}`,
      at,
      by: approval?.decided_by ?? "gateway",
      subject: target,
      payload: { proposal: id, action, target },
      ...(from && { from }),
    });
  }
}

/** What the plan was made from, as it was then. */
async function effectOf(garden: Garden, proposal: Proposal, plan: ApplyPlan): Promise<Ready | undefined> {
  if (plan.head === undefined || plan.commit === undefined) return undefined;
  const prepared = await prepareAt(garden, proposal, plan.head);
  return prepared.kind === "ready" ? prepared : undefined;
}

const stamp = ({ world }: Garden): { op: string; at: string } => ({
  op: operationMark(world),
  at: new Date(world.now()).toISOString(),
});
