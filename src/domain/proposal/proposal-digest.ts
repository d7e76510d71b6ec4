import { canonicalId } from "../../base/canonical.ts";
import type { Proposal, ProposalMade } from "./proposal.ts";

/** Covers everything that would be done, the proposer, and the base (P-5). */
export const digestOf = (made: Omit<ProposalMade, "type" | "digest">): string =>
  canonicalId({
    id: made.id,
    source: made.source,
    action: made.action,
    target: made.target,
    operation: made.operation,
    base: made.base,
    effect: made.effect,
  });

/**
 * The digest that a decision must name: the proposal's own while its effect is unchanged, another one after main
 * moved and the effect differs. Then the person has reviewed something else and must review again (P-10a).
 */
export const reviewDigest = (proposal: Pick<Proposal, "digest" | "effect">, effectNow: string): string =>
  effectNow === proposal.effect ? proposal.digest : canonicalId({ proposal: proposal.digest, effect: effectNow });
