import { ruleFor, ruleName, ruleText } from "../../../domain/config/auto-approve.ts";
import type { GardenConfig } from "../../../domain/config/garden-config.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import type { EventOf, Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { appendEvent } from "../../records/proposals/proposal-log.ts";
import { prepareAt } from "../effect/review.ts";

/**
 * Approves a pending proposal if a rule in the current `garden.yaml` matches (P-9). If it was decided meanwhile, returns it with
 * that decision.
 */
export async function approveByRule(
  garden: Pick<Garden, "store" | "repo" | "signals" | "world">,
  config: GardenConfig,
  proposal: Proposal,
  head: Oid,
): Promise<Proposal> {
  const { auto_approve: rules } = config;
  const match = proposal.status === "pending" ? ruleFor(rules, proposal) : undefined;
  if (!match || (await isHeld(garden, config, proposal, head))) return proposal;
  const decided: EventOf<"decided"> = {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    decision: "auto_approved",
    by: ruleName(match.rule, match.number),
    via: "rule",
    note: ruleText(match.rule, match.number),
    digest: proposal.digest,
    effect: proposal.effect,
    head,
  };
  const appended = await appendEvent(garden.store, proposal, decided, (next) =>
    auditEvent(garden, next, decided, next.length - 1),
  );
  return appended.proposal;
}

/** True if a memory update removes so much that a person must decide; known only after preparing it. */
async function isHeld(
  garden: Pick<Garden, "store" | "repo">,
  config: GardenConfig,
  proposal: Proposal,
  head: Oid,
): Promise<boolean> {
  if (proposal.action !== "memory-update") return false;
  const prepared = await prepareAt({ ...garden, config }, proposal, head);
  return prepared.kind === "ready" && prepared.held !== undefined;
}
