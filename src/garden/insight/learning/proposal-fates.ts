import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import type { Decisions } from "../../../domain/run/run-path.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { readJournal } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { revertIdIn, revertViewsOf } from "../../records/proposals/revert-views.ts";
import { supersededBy } from "../../records/proposals/superseded-by.ts";

/** The result of one proposal. `waiting`: not decided yet; `expired`: never decided. */
export type ProposalFate = "accepted" | "edited" | "rejected" | "reverted" | "waiting" | "expired";

/** Limit for chains of edits and of reverts: a damaged record must not cause an endless loop. */
const MOST_LINKS = 20;

/**
 * The current decisions on the proposals of a run (L-4a): a decision, edit or revert days later counts for the run that proposed. A
 * proposal with a missing or damaged record counts as open.
 */
export async function decisionsOf({ store }: Pick<Garden, "store">, manifest: RunManifest): Promise<Decisions> {
  const { accepted, edited, rejected, reverted, waiting, expired } = await fatesOf(store, manifest);
  return { accepted, edited, rejected, reverted, open: waiting + expired };
}

export async function fatesOf(store: Store, manifest: RunManifest): Promise<Record<ProposalFate, number>> {
  const count: Record<ProposalFate, number> = {
    accepted: 0,
    edited: 0,
    rejected: 0,
    reverted: 0,
    waiting: 0,
    expired: 0,
  };
  for (const id of await proposalsOf(store, manifest)) count[await fateOf(store, id)]++;
  return count;
}

/** The proposals of a run, in order. Those of a failed run are in its journal only. */
export async function proposalsOf(store: Store, manifest: RunManifest): Promise<readonly string[]> {
  const { outcome, proposals_created, agent_slug: slug, run_id: run } = manifest;
  const named = outcome?.kind === "effects" ? outcome.proposals : [];
  if (named.length === proposals_created) return named;
  const journal = await readJournal(store, { slug, run }).catch(() => undefined);
  return [...new Set([...named, ...(journal?.records ?? []).flatMap(({ proposals }) => proposals)])];
}

export async function fateOf(store: Store, id: string): Promise<ProposalFate> {
  let proposal = await findReadable(store, id);
  let edited = false;
  for (let links = 0; proposal && links < MOST_LINKS; links++) {
    const next = await supersededBy(store, proposal);
    if (next === undefined) return fateOfOne(store, proposal, edited);
    // The gateway ends an update that a newer one of the agent has replaced; that is no edit by a person.
    edited ||= proposal.approval?.decided_by !== "gateway";
    proposal = await findReadable(store, next);
  }
  return "expired";
}

async function fateOfOne(store: Store, proposal: Proposal, edited: boolean): Promise<ProposalFate> {
  switch (proposal.status) {
    case "pending":
      return "waiting";
    case "expired":
    case "rejected":
      return proposal.status;
    case "approved":
    case "auto_approved":
    case "applying":
    case "failed": // approved by a person; that applying failed is not the agent's fault
      return edited ? "edited" : "accepted";
    case "applied":
      return (await isTakenBack(store, proposal.id)) ? "reverted" : edited ? "edited" : "accepted";
  }
}

/** An applied revert names it, and that revert is not reverted itself (P-10b). */
export async function isTakenBack(store: Store, id: string, links = 0): Promise<boolean> {
  if (links === MOST_LINKS) return false;
  for await (const { key } of everyKey(store, revertViewsOf(id))) {
    const by = revertIdIn(key);
    const revert = by === undefined ? undefined : await findReadable(store, by);
    if (revert?.reverts !== id || revert.status !== "applied") continue;
    if (!(await isTakenBack(store, revert.id, links + 1))) return true;
  }
  return false;
}
