import { foldProposal, type Proposal } from "../../../domain/proposal/proposal.ts";
import type { Garden } from "../../core/garden.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { findProposal, formerStates, isOpen, readEvents, settleViews } from "../../records/proposals/proposal-log.ts";
import { enqueue } from "./apply-queue.ts";
import { openProposals } from "./open-proposals.ts";
import { tell } from "./outcome.ts";

/**
 * Carries out an approved proposal (P-7): it ends up applied exactly once, or failed with nothing changed. Answers with
 * what it has become; one that failed before is tried again. Throws if it is not approved (INVALID_TRANSITION), and if
 * the machine gives out: then it stays open, and `resumeApplying` ends it. May be called from several processes at once.
 */
export const applyProposal = (garden: Garden, id: string, by: string): Promise<Proposal> =>
  enqueue(garden, id, by, { retry: true });

/**
 * Ends whatever a crash left open: approved or applying. Called when a garden is served; safe beside appliers that are
 * alive. Returns those that it ended.
 */
export async function resumeApplying(garden: Garden): Promise<readonly string[]> {
  const work: Promise<string | undefined>[] = [];
  for await (const { id, key } of openProposals(garden.store)) work.push(resumeOne(garden, id, key));
  const ended = await Promise.all(work);
  return ended.filter((id) => id !== undefined);
}

async function resumeOne(garden: Garden, id: string, key: string): Promise<string | undefined> {
  try {
    const proposal = await findProposal(garden.store, id);
    if (proposal && isOpen(proposal.status) && proposal.status !== "pending") {
      await enqueue(garden, id, "gateway", { retry: false });
      if (proposal.attempt > 1) await settle(garden, id); // an attempt before this one may have left its view
      return id;
    }
    if (proposal) await settle(garden, id);
    // While it is pending or failed, somebody may be about to open it: their view stands there before their event.
    if (proposal?.status !== "pending" && proposal?.status !== "failed") await garden.store.delete(key);
    return undefined;
  } catch {
    return undefined; // one that cannot be ended now stays open, and keeps nobody else from it
  }
}

/** Tells again what a crash may have kept from being told, and leaves the one view that is true. */
async function settle(garden: Garden, id: string): Promise<void> {
  const events = await readEvents(garden.store, id);
  const proposal = foldProposal(events);
  for (const [number, event] of events.entries()) await auditEvent(garden, proposal, event, number);
  await tell(garden, proposal, events.at(-1)!);
  const former = formerStates(events);
  await settleViews(
    garden.store,
    proposal,
    proposal.status === "failed" ? former.filter(({ status }) => status === "failed") : former,
  );
}
