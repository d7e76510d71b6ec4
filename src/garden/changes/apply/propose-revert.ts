import { Failure } from "../../../base/failure.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { Garden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { type Received, receive } from "../inbox/receive.ts";
import { inverseOf } from "./inverse.ts";

const MAX_SUMMARY = 400;

/**
 * Proposes to take an applied proposal back (P-10b): an ordinary proposal that names the first in `reverts`, merged with
 * what came since. Where the same lines were changed again, it is refused with both sides shown, and nothing is proposed.
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

const notApplied = (id: string, status: string): Failure =>
  new Failure(
    "INVALID_TRANSITION",
    {
      en: `${id} is ${status}: only what was applied can be taken back`,
      uk: `${id} має стан ${status}: відкликати можна лише застосоване`,
    },
    { details: { proposal: id, from: status } },
  );
