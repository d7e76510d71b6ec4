import type { Identity } from "../../../domain/identity.ts";
import type { Garden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { type Received, receive } from "../inbox/receive.ts";
import { notApplied } from "./failures.ts";
import { inverseOf } from "./inverse-operation.ts";

const MAX_SUMMARY = 400;

/**
 * Proposes to take an applied proposal back (P-10b): an ordinary proposal that names the first in `reverts`, merged with the
 * changes since. Throws CONCURRENT_MODIFICATION with both sides if the same lines were changed since.
 */
export async function proposeRevert(
  garden: Garden,
  {
    proposal: id,
    by,
    reason,
  }: { readonly proposal: string; readonly by: Identity; readonly reason?: string | undefined },
): Promise<Received> {
  const proposal = await readProposal(garden.store, id);
  if (proposal.status !== "applied") throw notApplied(id, proposal.status);
  const why = reason?.trim() || `Take back ${id}`;
  const { action, payload } = await inverseOf(garden, proposal, why);
  return receive(garden, {
    identity: by,
    action,
    payload,
    summary: `Revert: ${proposal.summary}`.slice(0, MAX_SUMMARY).toWellFormed(),
    reasoning: why,
    reverts: id,
  });
}
