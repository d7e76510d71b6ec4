import { Failure } from "../../base/failure.ts";

export const proposalStates = [
  "pending",
  "approved",
  "auto_approved",
  "rejected",
  "expired",
  "applying",
  "applied",
  "failed",
] as const;
export type ProposalState = (typeof proposalStates)[number];

/** P-6: all allowed moves. */
export const proposalMoves: Readonly<Record<ProposalState, readonly ProposalState[]>> = {
  pending: ["approved", "auto_approved", "rejected", "expired"],
  approved: ["applying", "pending"], // pending: withdrawn within its grace (P-6a)
  auto_approved: ["applying"],
  applying: ["applied", "failed", "pending"], // pending: its effect is not the approved one any more (P-10a)
  failed: ["applying", "rejected"],
  applied: [],
  rejected: [],
  expired: [],
};

export const invalidMove = (
  proposal: { readonly id: string; readonly status: ProposalState },
  to: ProposalState,
): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the proposal ${proposal.id} is ${proposal.status} and cannot become ${to}`,
    uk: `пропозиція ${proposal.id} має стан ${proposal.status} і не може стати ${to}`,
    details: { proposal: proposal.id, from: proposal.status, to },
  });
