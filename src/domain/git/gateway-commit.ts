import { trailerOf } from "./trailers.ts";

/** Who commits what a proposal changed. Nobody can have mail there: `.invalid` is reserved. */
export const GATEWAY = { name: "Garden Bloom", email: "gateway@garden.invalid" } as const;

/** P-8a: the trailer of commits that only write down what follows from the rest. */
export const BOOKKEEPING = "Bookkeeping";

/** The little of a commit that tells whose it is. */
interface Signed {
  readonly committer: { readonly email: string };
  readonly message: string;
}

/**
 * Whether the gateway made this commit. Trailers alone do not tell: cherry-picks copy them, and then a person committed.
 * Everything else in a garden's history is a person's own edit (G-5).
 */
export const isGatewayCommit = (commit: Signed): boolean =>
  commit.committer.email === GATEWAY.email &&
  (trailerOf(commit.message, "Proposal") !== undefined || trailerOf(commit.message, BOOKKEEPING) !== undefined);

/** What the gateway wrote down and nobody decided: statistics, timelines, what follows from a revert by hand. */
export const bookkeepingOf = (commit: Signed): string | undefined =>
  isGatewayCommit(commit) ? trailerOf(commit.message, BOOKKEEPING) : undefined;
