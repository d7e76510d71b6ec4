import { ruleFor, ruleText } from "../../domain/auto-approve.ts";
import type { GardenConfig } from "../../domain/garden-config.ts";
import type { Oid } from "../../domain/git-names.ts";
import type { EventOf, Proposal } from "../../domain/proposal.ts";
import type { Garden } from "../garden.ts";
import { operationMark } from "./operation-mark.ts";
import { auditEvent } from "./proposal-audit.ts";
import { appendEvent } from "./proposal-log.ts";

/**
 * Approves a pending proposal where a rule of the owner's says so (P-9). The rules are those of `garden.yaml` now. Whoever
 * decided in the meantime has decided: then the proposal comes back as they left it.
 */
export async function approveByRule(
  garden: Pick<Garden, "store" | "signals" | "world">,
  { auto_approve: rules }: Pick<GardenConfig, "auto_approve">,
  proposal: Proposal,
  head: Oid,
): Promise<Proposal> {
  const match = proposal.status === "pending" ? ruleFor(rules, proposal) : undefined;
  if (!match) return proposal;
  const decided: EventOf<"decided"> = {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    decision: "auto_approved",
    by: "owner",
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
