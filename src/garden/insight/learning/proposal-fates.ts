import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import type { Decisions } from "../../../domain/run/run-path.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { readJournal } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { takenBackBy, takenBackIn } from "../../records/proposals/revert-views.ts";
import { supersededBy } from "../../records/proposals/superseded-by.ts";

/** What became of one proposal. `waiting`: somebody may still decide; `expired`: nobody did. */
export type ProposalFate = "accepted" | "edited" | "rejected" | "reverted" | "waiting" | "expired";

/** Edits of edits, and reverts of reverts: nobody goes further by hand, and a damaged record must not lead us in a ring. */
const MOST_LINKS = 20;

/**
 * What people decided about what a run proposed (L-4a), as it stands now: a decision, an edit or a revert that comes days later
 * counts to the run that proposed. A proposal whose record is lost or damaged says nothing, and counts as open.
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

/** Everything that a run proposed, in order: what a run that failed had asked for before it did is in its journal alone. */
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
    edited = true;
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
    case "failed": // a person wanted it; that it could not be done is no word against it
      return edited ? "edited" : "accepted";
    case "applied":
      return (await isTakenBack(store, proposal.id)) ? "reverted" : edited ? "edited" : "accepted";
  }
}

/** Whether an applied revert names it, and nobody has taken that one back in turn (P-10b). */
async function isTakenBack(store: Store, id: string, links = 0): Promise<boolean> {
  if (links === MOST_LINKS) return false;
  for await (const { key } of everyKey(store, takenBackBy(id))) {
    const by = takenBackIn(key);
    const revert = by === undefined ? undefined : await findReadable(store, by);
    if (revert?.reverts !== id || revert.status !== "applied") continue;
    if (!(await isTakenBack(store, revert.id, links + 1))) return true;
  }
  return false;
}
