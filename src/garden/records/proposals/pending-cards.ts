import { z } from "zod";
import { inTurns } from "../../../base/in-turns.ts";
import { keys } from "../../../domain/layout.ts";
import { cardOf, type ProposalCard, proposalCard } from "../../../domain/proposal/proposal-card.ts";
import type { KeyPage, Store } from "../../../ports/store.ts";
import { jsonBytes, tryReadJson } from "../../core/json-record.ts";
import { pendingViewState } from "./pending-view-state.ts";
import { findReadable } from "./proposal-log.ts";
import { pendingIdIn } from "./proposal-views.ts";

/**
 * Cards of pending proposals for listings. A view is checked against the events of its proposal. In a bucket that costs two requests
 * for each proposal, so the result of a check is kept by the version of the view that the listing tells: before a proposal is
 * decided its view is replaced (`appendEvent`), so a view that was checked once and is still the same is of a pending proposal. The
 * kept cards are shared by all processes through one object; it can be deleted at any time.
 */
export async function pendingCards(store: Store, entries: Entries): Promise<readonly (ProposalCard | undefined)[]> {
  const known = knownOf(store);
  const unknown = (): Entries => entries.filter(({ version }) => version !== undefined && !known.has(version));
  // One unknown view costs as much as it would to read the shared cards.
  if (unknown().length > 1) await readShared(store, known);
  const fresh = unknown();
  const cards = await checkedCards(store, entries, known);
  if (fresh.length >= Math.max(2, entries.length / SHARE_PART)) await share(store, entries, known);
  return cards;
}

type Entries = KeyPage["entries"];
/** Checked cards by the version of their view. */
type KnownCards = Map<string, { readonly key: string; readonly card: ProposalCard }>;

const MAX_KNOWN = 5000;
const MAX_SHARED = 2000;
/** The shared cards are written again when one in this many of a listing was missing. */
const SHARE_PART = 50;

const byStore = new WeakMap<Store, KnownCards>();
function knownOf(store: Store): KnownCards {
  const known = byStore.get(store) ?? new Map();
  byStore.set(store, known);
  return known;
}

const checkedCards = (store: Store, entries: Entries, known: KnownCards): Promise<(ProposalCard | undefined)[]> =>
  inTurns(entries, async (entry) => {
    const there = entry.version === undefined ? undefined : known.get(entry.version);
    return there?.key === entry.key ? there.card : await checkedCard(store, entry, known);
  });

/** The card of a view, if the proposal is undecided: its log has one event, or its approval was withdrawn. */
async function checkedCard(
  store: Store,
  { key, version }: Entries[number],
  known: KnownCards,
): Promise<ProposalCard | undefined> {
  const id = pendingIdIn(key);
  if (id === undefined) return undefined;
  // The view first: a decision replaces it before its event.
  const stored = version === undefined ? undefined : await store.get(key);
  const { entries } = await store.list(keys.proposalLog(id), { limit: 3 });
  if (entries.length === 0 || entries.length === 2) return undefined; // never created, or decided
  const bytes = (stored ?? (entries.length === 1 ? await store.get(key) : undefined))?.bytes;
  const view = tryReadJson(bytes, proposalCard);
  const card = entries.length === 1 && view?.id === id ? view : await cardFromEvents(store, id);
  const isKept = stored && stored.version === version && pendingViewState(bytes) === entries.length;
  if (card && version !== undefined && isKept) keep(known, version, { key, card });
  return card;
}

async function cardFromEvents(store: Store, id: string): Promise<ProposalCard | undefined> {
  const proposal = await findReadable(store, id);
  return proposal?.status === "pending" ? cardOf(proposal) : undefined;
}

function keep(known: KnownCards, version: string, one: { readonly key: string; readonly card: ProposalCard }): void {
  known.set(version, one);
  if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
}

const sharedCards = z.object({
  cards: z.array(z.object({ key: z.string(), version: z.string(), card: proposalCard })),
});

async function readShared(store: Store, known: KnownCards): Promise<void> {
  const shared = tryReadJson((await store.get(keys.pendingCards))?.bytes, sharedCards);
  for (const { version, ...one } of shared?.cards ?? []) keep(known, version, one);
}

/** Those of this listing first, then those that this process knows outside of it. A failure costs the next process some requests. */
async function share(store: Store, entries: Entries, known: KnownCards): Promise<void> {
  const [first, last] = [entries[0]!.key, entries.at(-1)!.key];
  const listed = new Set(entries.map(({ version }) => version));
  const cards = [...known]
    .map(([version, { key, card }]) => ({ version, key, card }))
    .filter(({ key, version }) => listed.has(version) || key < first || key > last);
  const own = cards.filter(({ version }) => listed.has(version));
  const others = cards.filter(({ version }) => !listed.has(version));
  const bytes = jsonBytes({ cards: [...own, ...others].slice(0, MAX_SHARED) });
  await store.put(keys.pendingCards, bytes).catch(() => undefined);
}
