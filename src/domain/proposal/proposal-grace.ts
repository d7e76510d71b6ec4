import type { ProposalState } from "./proposal-state.ts";

/** The part of a proposal that its grace depends on. */
interface Decided {
  readonly status: ProposalState;
  readonly approval: { readonly decided_at: string; readonly apply_after?: string } | undefined;
}

/** True for an approval that can be withdrawn until it is being applied (P-6a). */
export const hasGrace = ({ status, approval }: Decided): boolean =>
  status === "approved" && approval?.apply_after !== undefined;

/** True while nothing may be applied yet. A clock that was set back by more than the grace does not prolong it. */
export const isInGrace = ({ status, approval }: Decided, now: number): boolean => {
  if (status !== "approved" || approval?.apply_after === undefined) return false;
  const [from, until] = [Date.parse(approval.decided_at), Date.parse(approval.apply_after)];
  return now < until && now > from - (until - from);
};
