import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { everyKey } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { auditEvent } from "../../records/proposals/proposal-audit.ts";
import { appendEvent, findReadable } from "../../records/proposals/proposal-log.ts";
import { cardIn, PENDING_VIEWS, pendingIdIn } from "../../records/proposals/proposal-views.ts";
import { reviewProposal } from "../effect/review.ts";

/**
 * M-4: rejects the pending memory updates of which nothing is left to do, because newer updates of the same agent were just applied,
 * with `superseded_by`. Idempotent: one that a crash leaves pending shows the same in its review and ends with the next decision.
 */
export async function endSuperseded(garden: Garden, applied: readonly Proposal[]): Promise<void> {
  const memories = new Set(applied.filter(isOwnMemory).map(({ target }) => target));
  if (memories.size === 0) return;
  for await (const { key } of everyKey(garden.store, PENDING_VIEWS)) {
    const card = await cardIn(garden.store, key);
    if (!card || !isOwnMemory(card) || !memories.has(card.target)) continue;
    const proposal = await findReadable(garden.store, pendingIdIn(key) ?? "");
    if (proposal?.status === "pending") await endIfSuperseded(garden, proposal);
  }
}

const isOwnMemory = ({ action, source }: Pick<Proposal, "action" | "source">): boolean =>
  action === "memory-update" && source.type === "agent";

async function endIfSuperseded(garden: Garden, proposal: Proposal): Promise<void> {
  const { superseded_by } = await reviewProposal(garden, proposal);
  if (superseded_by === undefined) return;
  const decided = {
    type: "decided",
    op: operationMark(garden.world),
    at: new Date(garden.world.now()).toISOString(),
    decision: "rejected",
    by: "gateway",
    note: `superseded: ${superseded_by}`,
    superseded_by,
    digest: proposal.digest,
    effect: proposal.effect,
  } as const;
  // If somebody else decided meanwhile, that decision stands.
  await appendEvent(garden.store, proposal, decided, (next) => auditEvent(garden, next, decided, next.length - 1));
}
