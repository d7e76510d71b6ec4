import { commandLineOwner } from "../../../../domain/identity.ts";
import type { Proposal } from "../../../../domain/proposal/proposal.ts";
import type { Garden } from "../../../core/garden.ts";
import { readProposal } from "../../../records/proposals/proposal-log.ts";
import { reviewProposal } from "../../effect/review.ts";
import { decide } from "../decide.ts";

/** The owner reviews and approves. */
export async function approve(garden: Garden, id: string): Promise<Proposal> {
  const { digest } = await reviewProposal(garden, await readProposal(garden.store, id));
  return decide(garden, { proposal: id, verdict: "approve", digest, by: commandLineOwner });
}

export async function reject(garden: Garden, id: string, note: string): Promise<Proposal> {
  const { digest } = await readProposal(garden.store, id);
  return decide(garden, { proposal: id, verdict: "reject", digest, by: commandLineOwner, note });
}
