import { MAIN_REF } from "../../../domain/layout.ts";
import type { ApplyPlan, Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { landedPlan } from "./landing.ts";
import { openProposals } from "./open-proposals.ts";
import { conclude } from "./outcome.ts";

/**
 * Before an object is replaced, whoever has written it and died before saying so is written down as applied: afterwards
 * nobody could tell that it had been.
 */
export async function settleRivals(garden: Garden, proposal: Proposal, plan: ApplyPlan): Promise<void> {
  const keys = new Set(plan.objects.map(({ key }) => key));
  const head = await garden.repo.resolve(MAIN_REF);
  if (head === undefined) return;
  for await (const { id } of openProposals(garden.store)) {
    if (id === proposal.id) continue;
    const rival = await findReadable(garden.store, id);
    if (rival?.status !== "applying") continue;
    if (!rival.plans.some(({ objects }) => objects.some(({ key }) => keys.has(key)))) continue;
    const landed = await landedPlan(garden, rival, head);
    if (landed) await conclude(garden, rival, landed);
  }
}
