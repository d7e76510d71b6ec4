import { type FailureRecord, failureToRecord, isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import { type Proposal } from "../../../domain/proposal/proposal.ts";
import type { ProposalCitation } from "../../../domain/proposal/proposal-content.ts";
import { reviewDigest } from "../../../domain/proposal/proposal-digest.ts";
import type { Conflict } from "../../../ports/repo.ts";
import type { Garden } from "../../core/garden.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import type { EffectContext, EffectMoment, PreparedEffect, ReviewExcerpt, ReviewFile } from "./effect.ts";
import { prepareEffect } from "./effects.ts";

/**
 * The change as a person sees it before deciding (P-10a): computed from the stored operation and the present garden, never from the
 * proposer's description. `words` are the proposer's, and are shown as such.
 */
export interface Review {
  /** The digest that a decision must name. */
  readonly digest: string;
  /** Undefined if it cannot be applied: `conflicts` or `refusal` say why. */
  readonly effect: string | undefined;
  readonly files: readonly ReviewFile[];
  /** The change in sentences (memory). */
  readonly sentences: readonly Text[];
  /** The lines that a comment is about. */
  readonly about: ReviewExcerpt | undefined;
  /** The target changed since it was proposed, and both changes were merged. */
  readonly merged: boolean;
  readonly conflicts: readonly Conflict[];
  readonly refusal: FailureRecord | undefined;
  /** Set if the change would have no effect. */
  readonly nothing: Text | undefined;
  /** The newer update of the same agent that has set everything that this one would set (M-4). */
  readonly superseded_by: string | undefined;
  /** The commit that it was computed at. */
  readonly head: Oid;
  readonly warnings: readonly Text[];
  readonly words: {
    readonly summary: string;
    readonly reasoning: string | undefined;
    readonly citations: readonly ProposalCitation[];
  };
}

/** `chosen`: only these files of a merge, in place of those that were approved. */
export async function reviewProposal(
  garden: EffectContext["garden"],
  read: Proposal,
  chosen?: readonly string[],
): Promise<Review> {
  const { proposal, head, prepared } = await prepareShown(garden, read, chosen);
  const ready = prepared.kind === "ready" ? prepared : undefined;
  const shown = prepared.kind === "conflict" ? prepared.wanted : ready;
  return {
    digest: ready ? reviewDigest(proposal, ready.effect) : proposal.digest,
    effect: ready?.effect,
    files: shown?.review ?? [],
    sentences: ready?.sentences ?? [],
    about: ready?.about,
    merged: ready?.merged ?? false,
    conflicts: prepared.kind === "conflict" ? prepared.conflicts : [],
    refusal: prepared.kind === "refused" ? failureToRecord(prepared.failure) : undefined,
    nothing: prepared.kind === "nothing" ? prepared.why : undefined,
    superseded_by: prepared.kind === "nothing" ? prepared.superseded_by : undefined,
    head,
    warnings: ready?.warnings ?? [],
    words: {
      summary: proposal.summary,
      reasoning: proposal.reasoning,
      citations: proposal.content.citations,
    },
  };
}

interface ShownEffect {
  /** The record as it was read last. */
  readonly proposal: Proposal;
  readonly head: Oid;
  readonly prepared: PreparedEffect;
}

/**
 * The effect of a proposal as it is shown to a person. If there is none, it may have been applied since the record was read, and main
 * has its change: then the record is read again.
 */
export async function prepareShown(
  garden: EffectContext["garden"],
  proposal: Proposal,
  chosen?: readonly string[],
): Promise<ShownEffect> {
  const head = await headFor(garden, proposal);
  const prepared = await prepareAt(garden, proposal, head, chosen);
  if (prepared.kind === "ready") return { proposal, head, prepared };
  const now = await readProposal(garden.store, proposal.id);
  return now.length > proposal.length ? prepareShown(garden, now, chosen) : { proposal, head, prepared };
}

/** The effect of a proposal at a commit, with the facts of its own record. */
export function prepareAt(
  garden: EffectContext["garden"],
  proposal: Proposal,
  head: Oid,
  chosen: readonly string[] | undefined = proposal.approval?.files,
): Promise<PreparedEffect> {
  const context = { garden, head, base: proposal.base.revision, moment: momentOfProposal(proposal), files: chosen };
  return prepareEffect(context, proposal.operation);
}

/** Derived from the record alone, so that every attempt writes the same bytes. */
export const momentOfProposal = (proposal: Proposal): EffectMoment => ({
  proposal: proposal.id,
  at: proposal.approval?.decided_at ?? proposal.created_at,
  made: proposal.created_at,
  by: proposal.source.identity,
  agent: proposal.agent,
  run: proposal.source.run_id,
  summary: proposal.summary,
});

/**
 * An applied proposal is shown at the commit that it was applied on, a closed one at its base, an open one on main. One whose commit is
 * on main already, and whose end is not recorded yet, is shown as applied.
 */
export async function headFor({ repo }: Pick<Garden, "repo">, proposal: Proposal): Promise<Oid> {
  const { status, plans, base } = proposal;
  if (status === "rejected" || status === "expired") return base.revision;
  const done =
    status === "applied" ? plans.find(({ commit }) => commit === proposal.apply_result?.git_commit) : undefined;
  if (done?.head !== undefined) return done.head;
  const main = await repo.resolve(MAIN_REF);
  if (main === undefined) return base.revision;
  if (status !== "applying") return main;
  for (const { head, commit } of plans)
    if (head !== undefined && head !== main && commit !== undefined && (await isPartOf(repo, commit, main)))
      return head;
  return main;
}

/** A commit that is not here is not part of main here: a crash lost it, or only the remote has it, which does not answer. */
const isPartOf = (repo: Garden["repo"], commit: Oid, main: Oid): Promise<boolean> =>
  repo.isAncestor(commit, main).catch((error: unknown) => {
    if (isFailure(error, "NOT_FOUND") || isFailure(error, "UPSTREAM_UNAVAILABLE")) return false;
    throw error;
  });
