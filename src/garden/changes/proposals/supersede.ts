import { type Identity, identityName } from "../../../domain/identity.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { findProposal } from "../../records/proposals/proposal-log.ts";
import { recordDecision } from "./decision-checks.ts";
import { decidedBefore } from "./failures.ts";

/**
 * Rejects the first proposal of an edited pair before the second is approved, so that never both are applied. Returns the first
 * as it is then; throws INVALID_TRANSITION if it was approved meanwhile.
 */
export async function supersede(garden: Garden, edited: Proposal, by: Identity): Promise<Proposal | undefined> {
  const first = edited.edits === undefined ? undefined : await findProposal(garden.store, edited.edits);
  if (!first || first.status === "rejected" || first.status === "expired") return first;
  if (first.status !== "pending" && first.status !== "failed") throw decidedBefore(first, "rejected");
  return recordDecision(garden, first, {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    decision: "rejected",
    by: identityName(by),
    ...(by.type === "owner" && { via: by.via }),
    note: `edited: ${edited.id}`,
    superseded_by: edited.id,
    digest: first.digest,
    effect: first.effect,
  });
}
