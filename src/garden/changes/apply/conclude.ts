import { crashPoint } from "../../../base/crash-point.ts";
import type { Text } from "../../../base/text.ts";
import { actionTable } from "../../../domain/proposal/action.ts";
import type { ApplyPlan } from "../../../domain/proposal/apply-plan.ts";
import type { EventOf, Proposal, ProposalEvent } from "../../../domain/proposal/proposal.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { headOf } from "../../core/main-head.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { appendEvent, findReadable } from "../../records/proposals/proposal-log.ts";
import { approvedViews } from "../../records/proposals/proposal-views.ts";
import { keepEvent } from "../../records/runs/pending-events.ts";
import type { ReadyEffect } from "../effect/effect.ts";
import { prepareAt } from "../effect/review.ts";
import type { NotApplicable } from "./failures.ts";
import { raiseFence } from "./fence.ts";
import { bindTrace, landedPlan } from "./landing.ts";

/** `over`: the last event is written. `again`: another process wrote an event first, so the proposal must be read again. */
export type Concluded = { readonly kind: "over"; readonly proposal: Proposal } | { readonly kind: "again" };

type Behind = readonly { readonly path: string; readonly why: Text }[];

/** Records that an attempt begins, or continues with another plan. Undefined: another process wrote first. */
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
 * The plan has landed: binds the trace, makes the projections and writes `applied`. After a crash in here the plan is found to
 * have landed and all of this is repeated; `ready` is then computed again at the commit that the plan was made on.
 */
export async function conclude(
  garden: Garden,
  proposal: Proposal,
  plan: ApplyPlan,
  { ready, behind = [] }: { readonly ready?: ReadyEffect; readonly behind?: Behind } = {},
): Promise<Concluded> {
  const begun = proposal.status === "applying" ? proposal : await recordPlan(garden, proposal, "gateway", plan);
  if (!begun) return { kind: "again" };
  if (plan.commit !== undefined) await bindTrace(garden, proposal, plan.commit);
  crashPoint("apply.traced");
  const effect = ready ?? (await plannedEffect(garden, proposal, plan));
  const projected = await effect?.project?.(garden, proposal.approval?.decided_by ?? "gateway");
  crashPoint("apply.projected");
  const path = plan.objects.at(-1)?.key ?? projected?.[0]; // the main object is last, after those it refers to
  const event: EventOf<"applied"> = {
    type: "applied",
    ...stamp(garden),
    ...(plan.commit !== undefined && { git_commit: plan.commit }),
    ...(path !== undefined && { object_path: path }),
    events: [...(effect?.events ?? [actionTable[proposal.action].event])],
  };
  const appended = await appendEvent(garden.store, begun, event, async (next) => {
    crashPoint("apply.applied");
    await auditResult(garden, next, event, behind);
    crashPoint("apply.told");
  });
  crashPoint("apply.settled");
  return appended.kind === "won" ? { kind: "over", proposal: appended.proposal } : { kind: "again" };
}

/**
 * Writes `failed` or `returned`, after making sure that no plan of it has landed or can still land (see fence.ts). `proposal` is the
 * one that was read before: an event that was written since takes our number, and the answer is `again`.
 */
export async function giveUp(
  garden: Garden,
  proposal: Proposal,
  by: string,
  { failure, ending }: NotApplicable,
): Promise<Concluded> {
  const begun = proposal.status === "applying" ? proposal : await recordPlan(garden, proposal, by, { objects: [] });
  if (!begun) return { kind: "again" };
  crashPoint("apply.giving-up");
  if (begun.plans.some(({ commit }) => commit !== undefined)) {
    await raiseFence(garden.repo, proposal.id);
    crashPoint("apply.fenced");
    const landed = await landedPlan(garden, begun, await headOf(garden.repo));
    if (landed) return conclude(garden, begun, landed);
  }
  const { code, text, details } = failure;
  const error = { code, message: text, details: JSON.parse(JSON.stringify(details)) as Record<string, never> };
  const event: EventOf<"failed" | "returned"> =
    ending === "returned"
      ? { type: "returned", ...stamp(garden), why: text }
      : { type: "failed", ...stamp(garden), error };
  const appended = await appendEvent(garden.store, begun, event, async (next) => {
    crashPoint("apply.failed");
    await auditResult(garden, next, event);
    crashPoint("apply.failure-told");
  });
  crashPoint("apply.failure-settled");
  return appended.kind === "won" ? { kind: "over", proposal: appended.proposal } : { kind: "again" };
}

/**
 * Concludes open proposals that have written one of these objects and crashed before recording it. Called before the
 * object is replaced: afterwards their plan would no longer be found as landed.
 */
export async function concludeEarlierWriters(garden: Garden, proposal: Proposal, plan: ApplyPlan): Promise<void> {
  const keys = new Set(plan.objects.map(({ key }) => key));
  const head = await headOf(garden.repo);
  for await (const { id } of approvedViews(garden.store)) {
    if (id === proposal.id) continue;
    const writer = await findReadable(garden.store, id);
    if (writer?.status !== "applying") continue;
    if (!writer.plans.some(({ objects }) => objects.some(({ key }) => keys.has(key)))) continue;
    const landed = await landedPlan(garden, writer, head);
    if (landed) await conclude(garden, writer, landed);
  }
}

/** P-12: the audit record of `applied`, `failed` or `returned`. Its name and time are derived from the event, so writing it is idempotent. */
export async function auditResult(
  garden: Garden,
  proposal: Proposal,
  event: ProposalEvent,
  behind: Behind = [],
): Promise<void> {
  if (event.type !== "applied" && event.type !== "failed" && event.type !== "returned") return;
  const { id, action, target, approval } = proposal;
  const name = `${id}-${String(proposal.length - 1).padStart(4, "0")}-${event.type}`;
  const by = approval?.decided_by ?? "gateway";
  const common = { at: event.at, by, subject: id };
  if (event.type === "returned") {
    const why = event.why.en;
    await recordAudit(garden, name, { kind: "apply-returned", ...common, why, details: { action, target } });
    return;
  }
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

/** Events for agents with such a trigger (O-4). Stored before the proposal is closed, so that a crash cannot lose them. */
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

/** The effect that the plan was made from, computed again at the same commit. */
async function plannedEffect(garden: Garden, proposal: Proposal, plan: ApplyPlan): Promise<ReadyEffect | undefined> {
  if (plan.head === undefined || plan.commit === undefined) return undefined;
  const prepared = await prepareAt(garden, proposal, plan.head);
  return prepared.kind === "ready" ? prepared : undefined;
}

const stamp = ({ world }: Garden): { op: string; at: string } => ({
  op: operationMark(world),
  at: new Date(world.now()).toISOString(),
});
