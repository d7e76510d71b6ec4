import { crashPoint } from "../../../base/crash-point.ts";
import { Failure, isFailure } from "../../../base/failure.ts";
import { keys, type ProposalFolder } from "../../../domain/layout.ts";
import {
  after,
  cardOf,
  foldProposal,
  type Proposal,
  type ProposalChange,
  type ProposalEvent,
  type ProposalMade,
  type ProposalState,
  proposalEvent,
} from "../../../domain/proposal/proposal.ts";
import type { Store } from "../../../ports/store.ts";
import { markRunBehind } from "./run-behind.ts";
import { noteRevert } from "./taken-back.ts";

/**
 * The truth of a proposal: numbered events, each created once. Beside it the views that make listing cheap. A view of what
 * is open (pending; approved and not yet applied) is written before the event that opens it and removed after the one that
 * closes it, so that a crash can leave too many of them, never too few; whoever reads one checks it against the events.
 */
export type Appended =
  | { readonly kind: "won"; readonly proposal: Proposal }
  /** Somebody else wrote the next event first: this is what the proposal is now. */
  | { readonly kind: "lost"; readonly proposal: Proposal };

export async function findProposal(store: Store, id: string): Promise<Proposal | undefined> {
  const events = await readEvents(store, id);
  return events.length === 0 ? undefined : foldProposal(events);
}

/** The same, for those who look at many: one whose record is damaged keeps nobody from the others (`bloom verify` names it). */
export async function findReadable(store: Store, id: string): Promise<Proposal | undefined> {
  try {
    return await findProposal(store, id);
  } catch (error) {
    if (isDamaged(error)) return undefined;
    throw error;
  }
}

/** Whether a record that should be a proposal's event is not. */
const isDamaged = (error: unknown): boolean => isFailure(error, "INTERNAL_ERROR") && "damaged" in error.details;

export async function readProposal(store: Store, id: string): Promise<Proposal> {
  const proposal = /^prop_[0-9a-z_-]{1,60}$/.test(id) ? await findProposal(store, id) : undefined;
  if (proposal) return proposal;
  throw new Failure(
    "NOT_FOUND",
    { en: `there is no proposal ${id}`, uk: `немає пропозиції ${id}` },
    {
      hint: {
        en: "`bloom proposals` lists those that wait; `bloom proposals list --all` all of them.",
        uk: "`bloom proposals` показує ті, що чекають; `bloom proposals list --all` — усі.",
      },
      details: { proposal: id },
    },
  );
}

/** The events of a proposal, in order; none if there is no such proposal. */
export async function readEvents(store: Store, id: string): Promise<ProposalEvent[]> {
  const events: ProposalEvent[] = [];
  for (;;) {
    const stored = await store.get(keys.proposalEvent(id, events.length));
    if (!stored) return events;
    events.push(parseEvent(stored.bytes, id, events.length));
  }
}

/** Writes the proposal itself, once: who comes second with the same id gets the first one's. */
export async function createProposal(store: Store, made: ProposalMade): Promise<Proposal> {
  const proposal = foldProposal([made]);
  if (made.reverts !== undefined) await noteRevert(store, made.reverts, made.id);
  await store.put(keys.pendingProposal(made.id), cardBytes(proposal));
  crashPoint("proposals.view-of-pending");
  await createOnce(store, made.id, 0, made, () => true);
  return readProposal(store, made.id);
}

/**
 * Appends one event to the proposal as the caller knows it, and moves its views. `told` is done in between: what must
 * follow every such event (its audit record) is found undone after a crash by the view that is still open.
 */
export async function appendEvent(
  store: Store,
  proposal: Proposal,
  change: ProposalChange,
  told?: (next: Proposal) => Promise<void>,
): Promise<Appended> {
  const next = after(proposal, change);
  // From approved to applying and on, one view stands all the time: nothing has to be opened or closed.
  const goesOn = isOpen(proposal.status) && isOpen(next.status) && viewKey(proposal) === viewKey(next);
  if (isOpen(next.status) && !goesOn) await putView(store, next);
  // Of one that failed nothing is open: while it is being closed for good, a mark says that somebody is at it.
  const mark = proposal.status === "failed" && !isOpen(next.status) ? openMark(proposal) : undefined;
  if (mark !== undefined) await store.put(mark, cardBytes(proposal));
  const won = await createOnce(
    store,
    proposal.id,
    proposal.length,
    change,
    (event) => event.type !== "made" && event.op === change.op,
  );
  if (!won) {
    const now = await readProposal(store, proposal.id);
    await settleViews(store, now, [next]);
    return { kind: "lost", proposal: now };
  }
  crashPoint("proposals.appended");
  await told?.(next);
  crashPoint("proposals.told");
  if (!goesOn)
    await settleViews(store, next, [proposal], { isPut: proposal.status === "pending" && isOpen(next.status) });
  if (mark !== undefined) await store.delete(mark);
  return { kind: "won", proposal: next };
}

/**
 * Brings the views of a proposal in line with it: puts its own, removes those of states that it has left. `isPut`: its own
 * stands there, and nobody can have taken it away. Of one that failed and is tried again, who wrote `failed` can, late.
 */
export async function settleViews(
  store: Store,
  proposal: Proposal,
  former: readonly Proposal[] = [],
  { isPut = false }: { readonly isPut?: boolean } = {},
): Promise<void> {
  const key = viewKey(proposal);
  if (key !== undefined && !isPut) await putView(store, proposal);
  if (proposal.status === "rejected" && proposal.source.type === "agent")
    await store.put(keys.rejectionOf(proposal.source.identity, proposal.id), cardBytes(proposal));
  if (proposal.status !== "pending") await markRunBehind(store, proposal);
  crashPoint("proposals.view-put");
  const left = [keys.pendingProposal(proposal.id), ...former.map(viewKey)];
  const views = [...new Set(left)].filter((old) => old !== undefined && old !== key);
  await Promise.all([
    ...views.map((old) => store.delete(old!)),
    ...(proposal.status === "pending" ? [] : [forgetEffect(store, proposal)]),
  ]);
}

/** The proposal as it was after each of its events but the last: whose views a crash may have left behind. */
export const formerStates = (events: readonly ProposalEvent[]): Proposal[] =>
  events.slice(0, -1).map((_, number) => foldProposal(events.slice(0, number + 1)));

/** Where an approved proposal's view is while it is open. */
const openMark = ({ id, approval, created_at }: Proposal): string =>
  keys.proposalView("approved", approval?.decided_at ?? created_at, id);

/** Where the view of a proposal is, in its present state. */
export function viewKey(proposal: Proposal): string | undefined {
  if (proposal.status === "pending") return keys.pendingProposal(proposal.id);
  const at = proposal.apply_result?.at ?? proposal.approval?.decided_at ?? proposal.created_at;
  const folder = FOLDERS[proposal.status];
  // Open ones keep one key through retries: the month of the decision.
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
): Promise<boolean> {
  const key = keys.proposalEvent(id, number);
  try {
    const made = await store.create(key, Buffer.from(`${JSON.stringify(proposalEvent.parse(event), null, 2)}\n`));
    if (made.kind === "created") return true;
  } catch (error) {
    if (!(isFailure(error) && error.outcome === "unknown")) throw error;
  }
  // Taken, or the answer was lost: what stands there says whose it is.
  const there = await store.get(key);
  if (!there) throw lostAnswer();
  return isOurs(parseEvent(there.bytes, id, number));
}

/** Conditional on what it says: another proposal may have taken the place since. */
async function forgetEffect(store: Store, proposal: Proposal): Promise<void> {
  const key = keys.sameEffect(proposal.effect);
  const there = await store.get(key);
  if (there && Buffer.from(there.bytes).toString().includes(proposal.id)) await store.remove(key, there.hash);
}

const putView = async (store: Store, proposal: Proposal): Promise<void> => {
  const key = viewKey(proposal);
  if (key !== undefined) await store.put(key, cardBytes(proposal));
};

const cardBytes = (proposal: Proposal): Uint8Array => Buffer.from(`${JSON.stringify(cardOf(proposal), null, 2)}\n`);

function parseEvent(bytes: Uint8Array, id: string, number: number): ProposalEvent {
  try {
    return proposalEvent.parse(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)));
  } catch (cause) {
    throw new Failure(
      "INTERNAL_ERROR",
      {
        en: `the record ${keys.proposalEvent(id, number)} is damaged; \`bloom verify\` says more`,
        uk: `запис ${keys.proposalEvent(id, number)} пошкоджено; докладніше — \`bloom verify\``,
      },
      { cause, details: { damaged: keys.proposalEvent(id, number) } },
    );
  }
}

const lostAnswer = (): Failure =>
  new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: "the store did not say whether it wrote", uk: "сховище не відповіло, чи записало" },
    { outcome: "unknown" },
  );
