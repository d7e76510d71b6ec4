import { everyKey } from "../../ports/store.ts";
import type { Garden } from "../core/garden.ts";
import { commitPendingAgentFiles } from "../records/agents/commit-agent-files.ts";
import { auditEvent } from "../records/proposals/proposal-audit.ts";
import { findReadable, readEvents, settleViews } from "../records/proposals/proposal-log.ts";
import { PENDING_VIEWS, pendingIdIn } from "../records/proposals/proposal-views.ts";
import { resumeApplying } from "./apply/apply-proposal.ts";
import { settleClaims } from "./inbox/effect-claim.ts";
import { recoverInbox } from "./inbox/recover-inbox.ts";
import { expireDue } from "./proposals/expire.ts";

export interface RecoveredChanges {
  /** The number of entries that a crash had left in `inbox/pending/`. */
  readonly received: number;
  /** Proposals that were decided, with a crash before their audit record and views were written. */
  readonly settled: readonly string[];
  readonly applied: readonly string[];
  readonly expired: readonly string[];
}

/**
 * Completes everything that a crash left open, from inbox to commit. Called when a garden is served, and before pending proposals
 * are listed. Cheap if nothing is open; safe beside processes that are at work.
 */
export async function recoverChanges(garden: Garden): Promise<RecoveredChanges> {
  const received = (await recoverInbox(garden)).length;
  const settled = await settlePending(garden);
  const applied = await resumeApplying(garden);
  await commitPendingAgentFiles(garden);
  return { received, settled, applied, expired: await expireDue(garden) };
}

/**
 * Repeats the audit records of decided proposals that still have a pending view, removes the view, and removes claims that no pending
 * proposal has. A view without a proposal stays: recovery of its inbox entry creates the proposal or removes the view.
 */
export async function settlePending(garden: Garden): Promise<string[]> {
  const settled: string[] = [];
  const pending = new Set<string>();
  for await (const { key } of everyKey(garden.store, PENDING_VIEWS)) {
    const id = pendingIdIn(key);
    const proposal = id === undefined ? undefined : await findReadable(garden.store, id);
    if (proposal?.status === "pending") pending.add(proposal.id);
    if (!proposal || proposal.status === "pending") continue;
    for (const [number, event] of (await readEvents(garden.store, proposal.id)).entries())
      await auditEvent(garden, proposal, event, number);
    await settleViews(garden.store, proposal);
    settled.push(proposal.id);
  }
  await settleClaims(garden.store, pending);
  return settled;
}
