import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { keys, type ProposalFolder } from "../../../domain/layout.ts";
import {
  afterEvent,
  foldProposal,
  type Proposal,
  type ProposalChange,
  type ProposalEvent,
  type ProposalMade,
  proposalEvent,
} from "../../../domain/proposal/proposal.ts";
import { type ProposalState } from "../../../domain/proposal/proposal-state.ts";
import { besideEachOther, type Store, type Write } from "../../../ports/store.ts";
import { createOrFind } from "../../core/flow/create-record.ts";
import { isDamagedRecord, jsonBytes, readJson } from "../../core/json-record.ts";
import { markRunForRecount } from "./mark-recount.ts";
import { cardBytes, closingView } from "./pending-view-state.ts";
import { addRevertView } from "./revert-views.ts";

/**
 * The log of a proposal: numbered events, each created once, and views that make listing cheap. The view of an open proposal
 * (pending; approved and not yet applied) is written in one group with the event that opens it, before the event, and removed last
 * after the event that closes it. A crash can leave too many views, never too few; readers check a view against the events, and
 * recovery finds whatever else is unfinished by the view that is left. Before the event that closes a pending proposal its view is
 * replaced by one that says so: a view that was checked once stays true for as long as it is the same.
 */
export type AppendedEvent =
  | { readonly kind: "won"; readonly proposal: Proposal }
  /** Another writer appended the next event first; `proposal` includes it. */
  | { readonly kind: "lost"; readonly proposal: Proposal };

export async function findProposal(store: Store, id: string): Promise<Proposal | undefined> {
  const events = await readEvents(store, id);
  return events.length === 0 ? undefined : foldProposal(events);
}

/** The same for callers that read many: undefined also if the record is damaged, which `bloom verify` reports. */
export async function findReadable(store: Store, id: string): Promise<Proposal | undefined> {
  try {
    return await findProposal(store, id);
  } catch (error) {
    if (isDamagedRecord(error)) return undefined;
    throw error;
  }
}

export async function readProposal(store: Store, id: string): Promise<Proposal> {
  const proposal = /^prop_[0-9a-z_-]{1,60}$/.test(id) ? await findProposal(store, id) : undefined;
  if (proposal) return proposal;
  throw new Failure("NOT_FOUND", {
    en: `there is no proposal ${id}`,
    uk: `немає пропозиції ${id}`,
    hint: {
      en: "`bloom proposals` lists pending ones; `bloom proposals list --all` lists all.",
      uk: "`bloom proposals` показує ті, що чекають; `bloom proposals list --all` — усі.",
    },
    details: { proposal: id },
  });
}

/** The events of a proposal, in order, at most so many; none if there is no such proposal. */
export async function readEvents(store: Store, id: string, most: number = Infinity): Promise<ProposalEvent[]> {
  const events: ProposalEvent[] = [];
  while (events.length < most) {
    const key = keys.proposalEvent(id, events.length);
    const stored = await store.get(key);
    if (!stored) return events;
    events.push(readJson(key, stored.bytes, proposalEvent));
  }
  return events;
}

/** Writes the first event. Idempotent: a second call with the same id returns the proposal of the first. */
export async function recordProposal(store: Store, made: ProposalMade): Promise<Proposal> {
  const proposal = foldProposal([made]);
  if (made.reverts !== undefined) await addRevertView(store, made.reverts, made.id);
  const event = jsonBytes(proposalEvent.parse(made));
  const { isNew } = await createOrFind(store, keys.proposalEvent(made.id, 0), event, viewWrites(proposal));
  if (isNew) return proposal; // a look for later events is a request in vain
  const now = await readProposal(store, made.id);
  if (now.length > 1) await settleViews(store, now, [proposal]); // made and decided before: our view is of a former state
  return now;
}

/**
 * Appends one event to the proposal as the caller read it, and moves its views. `followUp` (the audit record) runs between the
 * two: after a crash in it the view is still open, so recovery repeats it.
 */
export async function appendEvent(
  store: Store,
  proposal: Proposal,
  change: ProposalChange,
  followUp?: (next: Proposal) => Promise<void>,
): Promise<AppendedEvent> {
  const next = afterEvent(proposal, change);
  // From approved to applying the key of the view stays the same.
  const goesOn = isOpen(proposal.status) && isOpen(next.status) && viewKey(proposal) === viewKey(next);
  // A failed proposal has no open view: a mark makes recovery find it if we crash while closing it.
  const mark = proposal.status === "failed" && !isOpen(next.status) ? openMark(proposal) : undefined;
  const before = besideEachOther([
    ...(mark === undefined ? [] : [{ verb: "put", key: mark, bytes: cardBytes(proposal) } as const]),
    ...(proposal.status === "pending" ? [closingView(proposal)] : []),
    ...(isOpen(next.status) && !goesOn ? viewWrites(next) : []),
  ]);
  const won = await createOnce(
    store,
    proposal.id,
    proposal.length,
    change,
    (event) => event.type !== "made" && event.op === change.op,
    before,
  );
  if (!won) {
    const now = await readProposal(store, proposal.id);
    await settleViews(store, now, [next]);
    if (mark !== undefined) await dropStaleView(store, proposal.id, mark);
    return { kind: "lost", proposal: now };
  }
  crashPoint("proposals.appended");
  await followUp?.(next);
  crashPoint("proposals.told");
  if (!goesOn) await settleViews(store, next, [proposal], { isPut: proposal.length === 1 && isOpen(next.status) });
  if (mark !== undefined) await store.delete(mark);
  return { kind: "won", proposal: next };
}

/**
 * Brings the views of a proposal in line with its state: puts its view, releases its claim, removes the views of former states. The
 * pending view goes last, because recovery looks for it. If an event was appended meanwhile, everything is repeated for the new
 * state, so that a slow process leaves no view of an old one. `isPut`: its view was written with the event and no other process can
 * have removed it (the writer of `failed` can, when a retry is under way).
 */
export async function settleViews(
  store: Store,
  proposal: Proposal,
  former: readonly Proposal[] = [],
  { isPut = false }: { readonly isPut?: boolean } = {},
): Promise<void> {
  if (!isPut) await putView(store, proposal);
  // The agent reads why people rejected its proposals, not which of its updates a newer one replaced.
  if (proposal.status === "rejected" && proposal.source.type === "agent" && proposal.approval?.decided_by !== "gateway")
    await store.put(keys.rejectionOf(proposal.source.identity, proposal.id), cardBytes(proposal));
  if (proposal.length > 1) await markRunForRecount(store, proposal);
  if (proposal.status === "pending") await reclaimEffect(store, proposal);
  crashPoint("proposals.view-put");
  if (proposal.status !== "pending") await releaseEffect(store, proposal);
  crashPoint("proposals.claim-released");
  const kept = viewKey(proposal);
  const views = new Set([...former.map(viewKey), keys.pendingProposal(proposal.id)]);
  for (const old of views) if (old !== undefined && old !== kept) await store.delete(old);
  if (!(await store.get(keys.proposalEvent(proposal.id, proposal.length)))) return;
  await settleViews(store, await readProposal(store, proposal.id), [...former, proposal]);
}

/**
 * Removes a view that the records of its proposal do not call for; returns whether it did. Safe beside processes at work: a view that
 * was replaced since it was read stays, and if an event was appended meanwhile the views are settled again.
 */
export async function dropStaleView(store: Store, id: string, key: string): Promise<boolean> {
  const seen = await store.get(key); // before the records: an event that calls for the view writes it anew
  const before = seen && (await findProposal(store, id));
  if (!seen || (before && viewKey(before) === key)) return false;
  if ((await store.remove(key, seen.hash)).kind === "moved") return false;
  const now = await findProposal(store, id);
  if (now && now.length !== before?.length) await settleViews(store, now);
  return true;
}

/** The proposal after each of its events but the last: a crash may have left the views of these states behind. */
export const formerStates = (events: readonly ProposalEvent[]): Proposal[] =>
  events.slice(0, -1).map((_, number) => foldProposal(events.slice(0, number + 1)));

/** The key of an approved proposal's view while it is open. */
const openMark = ({ id, approval, created_at }: Proposal): string =>
  keys.proposalView("approved", approval?.decided_at ?? created_at, id);

/** The key of a proposal's view in its present state. */
export function viewKey(proposal: Proposal): string | undefined {
  if (proposal.status === "pending") return keys.pendingProposal(proposal.id);
  const at = proposal.apply_result?.at ?? proposal.approval?.decided_at ?? proposal.created_at;
  const folder = FOLDERS[proposal.status];
  // While it is open the key stays the same through retries: the month of the decision.
  const month = isOpen(proposal.status) ? (proposal.approval?.decided_at ?? at) : at;
  return folder && keys.proposalView(folder, month, proposal.id);
}

export const isOpen = (state: ProposalState): boolean =>
  state === "pending" || state === "approved" || state === "auto_approved" || state === "applying";

const FOLDERS: Readonly<Record<ProposalState, ProposalFolder | undefined>> = {
  pending: undefined,
  approved: "approved",
  auto_approved: "approved",
  applying: "approved",
  rejected: "rejected",
  expired: "expired",
  applied: "applied",
  failed: "failed",
};

async function createOnce(
  store: Store,
  id: string,
  number: number,
  event: ProposalEvent,
  isOurs: (event: ProposalEvent) => boolean,
  before: readonly Write[],
): Promise<boolean> {
  const key = keys.proposalEvent(id, number);
  const { first, bytes } = await createOrFind(store, key, jsonBytes(proposalEvent.parse(event)), before);
  return first || isOurs(readJson(key, bytes, proposalEvent));
}

/** A withdrawn proposal is pending again: claims its effect, unless another pending proposal has claimed it meanwhile. */
async function reclaimEffect(store: Store, { id, entry_id, effect, length }: Proposal): Promise<void> {
  if (length === 1) return;
  await store.create(keys.sameEffect(effect), Buffer.from(`${JSON.stringify({ proposal: id, entry: entry_id })}\n`));
}

/** Releases the claim on the effect (`claimEffect`), unless another proposal holds it by now. */
async function releaseEffect(store: Store, proposal: Proposal): Promise<void> {
  const key = keys.sameEffect(proposal.effect);
  const there = await store.get(key);
  if (there && Buffer.from(there.bytes).toString().includes(proposal.id)) await store.remove(key, there.hash);
}

const putView = async (store: Store, proposal: Proposal): Promise<void> => {
  const key = viewKey(proposal);
  if (key !== undefined) await store.put(key, cardBytes(proposal));
};

/** The view of an open proposal, as a write before its event. */
function viewWrites(proposal: Proposal): readonly Write[] {
  const key = viewKey(proposal);
  return key === undefined ? [] : [{ verb: "put", key, bytes: cardBytes(proposal) }];
}
