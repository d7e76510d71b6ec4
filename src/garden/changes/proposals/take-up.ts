import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { findReadable, readEvents, settleViews } from "../../records/proposals/proposal-log.ts";
import { PENDING_VIEWS, pendingIdIn } from "../../records/proposals/views.ts";
import { resumeApplying } from "../apply/apply-proposal.ts";
import { recoverInbox } from "../inbox/receive.ts";
import { expireDue } from "./expire.ts";

export interface TakenUp {
  /** Entries that a crash had left in `inbox/pending/`. */
  readonly received: number;
  /** Views of proposals that were decided, and whose decision was not told to the end. */
  readonly settled: readonly string[];
  readonly applied: readonly string[];
  readonly expired: readonly string[];
}

/**
 * Ends whatever a crash left open, from the inbox to the apply: called when a garden is served, and before a person looks
 * at what waits. Costs next to nothing where nothing is open; safe beside processes that are at work.
 */
export async function takeUp(garden: Garden): Promise<TakenUp> {
  const received = (await recoverInbox(garden)).length;
  const settled = await settlePending(garden);
  const applied = await resumeApplying(garden);
  return { received, settled, applied, expired: await expireDue(garden) };
}

/**
 * Tells again what was decided while its pending view still stands, and removes the view. A view without a proposal stays:
 * it is written before the proposal, and somebody may be about to make it.
 */
export async function settlePending(garden: Garden): Promise<string[]> {
  const settled: string[] = [];
  for await (const { key } of everyKey(garden.store, PENDING_VIEWS)) {
    const id = pendingIdIn(key);
    const proposal = id === undefined ? undefined : await findReadable(garden.store, id);
    if (!proposal || proposal.status === "pending") continue;
    for (const [number, event] of (await readEvents(garden.store, proposal.id)).entries())
      await auditEvent(garden, proposal, event, number);
    await settleViews(garden.store, proposal);
    settled.push(proposal.id);
  }
  return settled;
}
