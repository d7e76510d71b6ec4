import { type Identity, identityName } from "../../../domain/identity.ts";
import type { EventOf, Proposal } from "../../../domain/proposal/proposal.ts";
import { hasGrace } from "../../../domain/proposal/proposal-grace.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { appendEvent, readProposal } from "../../records/proposals/proposal-log.ts";
import { expectPerson } from "./decision-checks.ts";
import { tooLateToWithdraw } from "./failures.ts";

/**
 * Takes an approval back before it is applied (P-6a): the proposal is pending again. Withdrawing and applying race for the same event
 * number, so exactly one of them wins; the loser gets INVALID_TRANSITION. Idempotent: withdrawing twice returns the pending
 * proposal.
 */
export async function withdrawApproval(
  garden: Pick<Garden, "store" | "signals" | "world">,
  { proposal: id, by }: { readonly proposal: string; readonly by: Identity },
): Promise<Proposal> {
  expectPerson(by);
  const proposal = await readProposal(garden.store, id);
  if (isWithdrawn(proposal)) return proposal;
  if (!hasGrace(proposal)) throw tooLateToWithdraw(proposal);
  const withdrawn: EventOf<"withdrawn"> = {
    type: "withdrawn",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    by: identityName(by),
    ...(by.type === "owner" && { via: by.via }),
  };
  const appended = await appendEvent(garden.store, proposal, withdrawn, (next) =>
    auditEvent(garden, next, withdrawn, next.length - 1),
  );
  if (appended.kind === "won" || isWithdrawn(appended.proposal)) return appended.proposal;
  throw tooLateToWithdraw(appended.proposal);
}

const isWithdrawn = ({ status, withdrawn }: Proposal): boolean => status === "pending" && withdrawn !== undefined;
