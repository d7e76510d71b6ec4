import { canonicalId, type Json } from "../../base/canonical.ts";

/**
 * S-6: a name of the change that survives a rewrite of its commit, because it is part of the message. Derived from what the commit is
 * made of: of two commits on one parent of a branch only one can land, so the id is unique, and building a commit again gives the same.
 */
export const changeIdOf = (made: { readonly [part: string]: Json | undefined }): string => `I${canonicalId(made)}`;

const LINE = /^[ \t]*Change-Id:[ \t]*(I[0-9a-f]{40})[ \t]*$/gim;

/**
 * Every change id in a message, in order, each once. The whole message counts: a squash leaves the blocks of the squashed commits in the
 * middle, and `git merge --squash` indents them.
 */
export const changeIdsIn = (message: string): readonly string[] => [
  ...new Set([...message.matchAll(LINE)].map((match) => match[1]!)),
];
