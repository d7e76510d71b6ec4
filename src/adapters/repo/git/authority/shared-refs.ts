import type { RefName } from "../../../../domain/git/git-names.ts";
import { AUTHORITY_REFS, MAIN_REF, PEER_REFS } from "../../../../domain/layout.ts";

/**
 * The refs that every machine shares: main, the branches of sessions with their dossiers, edges and kinds, the notes (traces) and
 * the fence. All others belong to one
 * clone: branches of a person, tags, the stash, and what was fetched from other remotes and accepted from other gardens.
 */
const PREFIXES = ["refs/heads/agents/", "refs/agentic/", "refs/notes/", "refs/bloom/"] as const;
/** Notes that a clone fetched from a remote of its own, and what it accepted from other gardens: their branches are its own too. */
const FOREIGN = ["refs/notes/remotes/", PEER_REFS] as const;

export const isSharedRef = (ref: RefName): boolean =>
  ref === MAIN_REF || (startsWithAny(ref, PREFIXES) && !startsWithAny(ref, FOREIGN));

const startsWithAny = (ref: RefName, prefixes: readonly string[]): boolean =>
  prefixes.some((prefix) => ref.startsWith(prefix));

/** The remote's value of a shared ref at the last contact. Not under `refs/remotes/`: a person's fetch must not move it. */
export const trackingRef = (ref: RefName): RefName => `${AUTHORITY_REFS}${ref.slice("refs/".length)}`;
export const sharedRefOf = (tracking: RefName): RefName => `refs/${tracking.slice(AUTHORITY_REFS.length)}`;
/** A local value of a shared ref other than main that the remote's value replaced. */
export const keptRef = (ref: RefName, oid: string): RefName => `refs/replaced/${ref.slice("refs/".length)}-${oid}`;

export const MAIN_TRACKING = trackingRef(MAIN_REF);

/** Without `+`: main is never moved back, so that a rewritten history is noticed (`remote-problem.ts`). */
export const MAIN_REFSPEC = `${MAIN_REF}:${MAIN_TRACKING}`;
export const OTHER_REFSPECS: readonly string[] = [
  ...PREFIXES.map((prefix) => `+${prefix}*:${trackingRef(prefix)}*`),
  ...FOREIGN.map((prefix) => `^${prefix}*`),
];
