import { keys } from "../../../domain/layout.ts";
import type { EventOf, Proposal } from "../../../domain/proposal/proposal.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { appendEvent, findReadable } from "../../records/proposals/proposal-log.ts";
import { cardIn, PENDING_VIEWS, pendingIdIn } from "../../records/proposals/views.ts";

type Ground = Pick<Garden, "store" | "signals" | "world">;

/**
 * Expires every pending proposal whose time is over (P-10), and tells which. Expiry is an event like any decision: a clock
 * that jumps back afterwards changes nothing. Safe to call from several processes at once.
 */
export async function expireDue(garden: Ground): Promise<readonly string[]> {
  const expired: string[] = [];
  for await (const { key } of everyKey(garden.store, PENDING_VIEWS)) {
    const id = pendingIdIn(key);
    if (id === undefined || !isDue(garden, await cardIn(garden.store, key))) continue;
    const proposal = await findReadable(garden.store, id);
    if (proposal && (await expireIfDue(garden, proposal)) !== proposal) expired.push(id);
    // A request that died before it made its proposal, and was refused when it was taken up, left this behind.
    if (!proposal && !(await garden.store.get(keys.proposalEvent(id, 0)))) await garden.store.delete(key);
  }
  return expired;
}

/** The proposal as it stands after its time was looked at: the same object while it may still be decided. */
export async function expireIfDue(garden: Ground, proposal: Proposal): Promise<Proposal> {
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

/** A card that cannot be read is due for a look at the truth. */
export const isDue = ({ world }: Pick<Garden, "world">, card: { readonly expires_at: string } | undefined): boolean =>
  card === undefined || Date.parse(card.expires_at) <= world.now();
