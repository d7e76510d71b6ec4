import { trailerOf } from "./trailers.ts";

/** Committer of applied proposals. The reserved domain `.invalid` has no mailboxes. */
export const GATEWAY = { name: "Garden Bloom", email: "gateway@garden.invalid" } as const;

/** P-8a: the trailer of commits that only record derived facts. */
export const BOOKKEEPING = "Bookkeeping";

/** G-1a: the trailer of commits that change the files of an agent; its value is the slug. */
export const CONTRACT = "Contract";
/** G-1a: the identity that changed them. */
export const CHANGED_BY = "Changed-by";

/** The parts of a commit that identify its maker. */
interface Signed {
  readonly committer: { readonly email: string };
  readonly message: string;
}

/**
 * True if the gateway made this commit. Trailers alone are not proof: a cherry-pick by a person copies them. Every
 * other commit of a garden is a human edit (G-5).
 */
export const isGatewayCommit = (commit: Signed): boolean =>
  commit.committer.email === GATEWAY.email &&
  ["Proposal", BOOKKEEPING, CONTRACT].some((name) => trailerOf(commit.message, name) !== undefined);

/** The agent whose files this commit of the gateway changed; undefined for other commits. */
export const contractCommitOf = (commit: Signed): string | undefined =>
  isGatewayCommit(commit) ? trailerOf(commit.message, CONTRACT) : undefined;

/** The kind of a bookkeeping commit (statistics, timelines, consequences of a revert by hand); undefined for other commits. */
export const bookkeepingOf = (commit: Signed): string | undefined =>
  isGatewayCommit(commit) ? trailerOf(commit.message, BOOKKEEPING) : undefined;
