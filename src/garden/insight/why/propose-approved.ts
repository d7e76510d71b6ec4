import { GATEWAY } from "../../../domain/git/gateway-commit.ts";
import { isOid } from "../../../domain/git/git-names.ts";
import type { Identity } from "../../../domain/identity.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Commit } from "../../../ports/repo.ts";
import { textOf } from "../../changes/effect/note-target.ts";
import { type Received, receive } from "../../changes/inbox/receive.ts";
import type { Garden } from "../../core/garden.ts";
import { claimedProposal, type DifferingFile, differingFiles, notePathOf } from "./approved-words.ts";
import type { WhyGarden } from "./chain.ts";
import { commitsMadeBy, falseTrailers, findCommit } from "./commit-facts.ts";
import { namesNoProposal, noSuchCommit, wordsNotKnown } from "./failures.ts";

const MAX_SUMMARY = 400;

/**
 * Proposes the words that were approved where a commit holds others (P-11): an ordinary proposal against that commit, merged with the
 * changes since. Refused, like any other, if the same lines were changed since. Throws if the approved words are not known.
 */
export async function proposeApproved(
  garden: Garden,
  {
    commit: named,
    by,
    reason,
  }: { readonly commit: string; readonly by: Identity; readonly reason?: string | undefined },
): Promise<Received> {
  const { commit, proposal, files } = await brokenCommit(garden, named);
  const wish = wishFor(commit, proposal, files);
  if (!wish) throw wordsNotKnown(commit.oid);
  const why = reason?.trim() || `${commit.oid.slice(0, 8)} holds other words than ${proposal.id}, which was approved`;
  const summary = `Restore the approved words: ${proposal.summary}`.slice(0, MAX_SUMMARY).toWellFormed();
  return receive(garden, { identity: by, ...wish, summary, reasoning: why });
}

export interface BrokenCommit {
  readonly commit: Commit;
  readonly proposal: Proposal;
  /** False if everything in the commit is as the record of the proposal says. */
  readonly isBroken: boolean;
  readonly files: readonly DifferingFile[] | undefined;
}

/** A commit and the proposal that it names. Throws if there is no such commit, or if it names no proposal. */
export async function brokenCommit(garden: WhyGarden, named: string): Promise<BrokenCommit> {
  const commit = isOid(named) ? await findCommit(garden.repo, named) : undefined;
  if (!commit) throw noSuchCommit(named);
  const proposal = await claimedProposal(garden, commit);
  if (!proposal) throw namesNoProposal(commit.oid);
  const files = await differingFiles(garden, commit, proposal);
  const isBroken =
    !commitsMadeBy(proposal).includes(commit.oid) ||
    commit.committer.email !== GATEWAY.email ||
    falseTrailers(commit, proposal).length > 0 ||
    (files?.length ?? 0) > 0;
  return { commit, proposal, isBroken, files };
}

/** True if the approved words can be proposed: one note, and text. */
export const isProposable = (
  commit: Commit,
  proposal: Proposal,
  files: readonly DifferingFile[] | undefined,
): boolean => wishFor(commit, proposal, files) !== undefined;

function wishFor(
  { oid: base }: Commit,
  { operation }: Proposal,
  files: readonly DifferingFile[] | undefined,
): { readonly action: Action; readonly payload: unknown } | undefined {
  const [file] = files ?? [];
  if (!file || files!.length > 1 || file.path !== notePathOf(operation)) return undefined;
  const { path, approved, committed } = file;
  if (!approved) return { action: "propose-edit", payload: { path, remove: true, base } };
  const text = textOf(approved);
  if (text === undefined) return undefined;
  return committed
    ? { action: "propose-edit", payload: { path, text, base } }
    : { action: "propose-note", payload: { path, text } };
}
