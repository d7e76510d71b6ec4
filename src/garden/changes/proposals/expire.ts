import { keys } from "../../../domain/layout.ts";
import type { EventOf, Proposal } from "../../../domain/proposal/proposal.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { appendEvent, findReadable } from "../../records/proposals/proposal-log.ts";
import { cardIn, PENDING_VIEWS, pendingIdIn } from "../../records/proposals/proposal-views.ts";

type ExpireDeps = Pick<Garden, "store" | "signals" | "world">;

/**
 * Expires every pending proposal that is past `expires_at` (P-10) and returns their ids. Expiry is an event: a clock that jumps
 * back afterwards does not undo it. Safe in several processes at once.
 */
export async function expireDue(garden: ExpireDeps): Promise<readonly string[]> {
  const expired: string[] = [];
  for await (const { key } of everyKey(garden.store, PENDING_VIEWS)) {
    const id = pendingIdIn(key);
    if (id === undefined || !isDue(garden, await cardIn(garden.store, key))) continue;
    const proposal = await findReadable(garden.store, id);
    if (proposal && (await expireIfDue(garden, proposal)) !== proposal) expired.push(id);
    // A view without a proposal: the request crashed before creating it, and recovery refused the entry.
    if (!proposal && !(await garden.store.get(keys.proposalEvent(id, 0)))) await garden.store.delete(key);
  }
  return expired;
}

/** The proposal after the check of its time: the same object if it is not due. */
export async function expireIfDue(garden: ExpireDeps, proposal: Proposal): Promise<Proposal> {
  if (proposal.status !== "pending" || !isDue(garden, proposal)) return proposal;
  const decided: EventOf<"decided"> = {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    decision: "expired",
    by: "gateway",
    note: `expires_at ${proposal.expires_at}`,
    digest: proposal.digest,
    effect: proposal.effect,
  };
  const appended = await appendEvent(garden.store, proposal, decided, (next) =>
    auditEvent(garden, next, decided, next.length - 1),
  );
  return appended.proposal;
}

/** A missing or damaged card counts as due, so that the events are read. */
export const isDue = ({ world }: Pick<Garden, "world">, card: { readonly expires_at: string } | undefined): boolean =>
  card === undefined || Date.parse(card.expires_at) <= world.now();
