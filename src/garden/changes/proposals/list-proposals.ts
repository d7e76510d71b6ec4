import { keys, type ProposalFolder } from "../../../domain/layout.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import { cardOf, type ProposalCard, type ProposalGroup } from "../../../domain/proposal/proposal-card.ts";
import { type ProposalState } from "../../../domain/proposal/proposal-state.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { pendingCards } from "../../records/proposals/pending-cards.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { cardIn, PENDING_VIEWS } from "../../records/proposals/proposal-views.ts";
import { isDue } from "./expire.ts";
import { manyProposalsFit, noProposalFits, wrongCursor } from "./failures.ts";

export interface CardPage {
  readonly proposals: readonly ProposalCard[];
  /** Pass as `after` for the next page; left out when there is none. */
  readonly next?: string;
}

/** A filter; what is left out does not filter. */
export interface PendingWish {
  readonly agent?: string | undefined;
  readonly action?: Action | undefined;
  readonly run?: string | undefined;
  /** The path that it would change: `logic/gardener`. */
  readonly target?: string | undefined;
  /** In the title, the preview, the target or the sender's name; letters of both cases are alike. */
  readonly text?: string | undefined;
}

type ListDeps = Pick<Garden, "store" | "signals" | "world">;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const STEP = 200;

/**
 * Pending proposals, oldest first: from their views, each checked against the events. Costs what is pending, not what is
 * archived. Proposals that are due are left out; upkeep expires them. Writes no record and no proposal's view.
 */
export async function listPending(
  garden: ListDeps,
  wanted: PendingWish & { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<CardPage> {
  const limit = limitOf(wanted.limit);
  const proposals: ProposalCard[] = [];
  let after = wanted.after === undefined ? undefined : keys.pendingProposal(wanted.after);
  for (;;) {
    const page = await garden.store.list(PENDING_VIEWS, {
      ...(after !== undefined && { after }),
      limit: Math.max(limit + 1, STEP),
    });
    // No more of them side by side than the page may need.
    for (let from = 0; from < page.entries.length; from += limit + 1) {
      for (const card of await pendingCards(garden.store, page.entries.slice(from, from + limit + 1))) {
        if (!card || isDue(garden, card) || !isWanted(card, wanted)) continue;
        if (proposals.length === limit) return { proposals, next: proposals.at(-1)!.id };
        proposals.push(card);
      }
    }
    if (page.next === undefined) return { proposals };
    after = page.next;
  }
}

/** The most proposals that are counted: more waiting ones are more than a person decides. */
const MOST_COUNTED = 5000;
const SHOWN_OF_GROUP = 3;

/** Pending proposals by sender and run, the group with the oldest proposal first, with its first proposals and its size. */
export async function groupPending(
  garden: ListDeps,
  wanted: PendingWish = {},
): Promise<{ readonly groups: readonly ProposalGroup[]; readonly isWhole: boolean }> {
  const groups = new Map<string, ProposalGroup>();
  let after: string | undefined;
  for (let counted = 0; counted < MOST_COUNTED; ) {
    const page = await listPending(garden, { ...wanted, after, limit: MAX_LIMIT });
    for (const card of page.proposals) {
      const { identity, type, run_id } = card.source;
      const name = `${type} ${identity} ${run_id ?? ""}`;
      const group = groups.get(name) ?? {
        identity,
        type,
        ...(run_id !== undefined && { run_id }),
        count: 0,
        proposals: [],
      };
      const proposals = group.count < SHOWN_OF_GROUP ? [...group.proposals, card] : group.proposals;
      groups.set(name, { ...group, count: group.count + 1, proposals });
    }
    counted += page.proposals.length;
    if (page.next === undefined) return { groups: [...groups.values()], isWhole: true };
    after = page.next;
  }
  return { groups: [...groups.values()], isWhole: false };
}

interface HistoryWish {
  readonly status?: Exclude<ProposalState, "pending"> | undefined;
  /** `2026-02`: the month of the decision or of the result. */
  readonly month?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly agent?: string | undefined;
}

/** Decided proposals: newest month first, and within a month the newest proposals first. */
export async function listHistory(garden: ListDeps, wanted: HistoryWish = {}): Promise<CardPage> {
  const limit = limitOf(wanted.limit);
  const folders = wanted.status === undefined ? FOLDERS : [FOLDER_OF[wanted.status]];
  const from = wanted.after === undefined ? undefined : cursor(wanted.after);
  const months = wanted.month === undefined ? await monthsOf(garden.store, folders) : [wanted.month];
  const proposals: ProposalCard[] = [];
  let last = "";
  for (const month of months) {
    if (from && month > from.month) continue;
    for (const { id, key, folder } of await viewsOf(garden.store, folders, month)) {
      if (from && month === from.month && id >= from.id) continue;
      const card = await archivedCard(garden.store, key, id, folder);
      if (!card || !isWanted(card, wanted)) continue;
      if (proposals.length === limit) return { proposals, next: last };
      proposals.push(card);
      last = `${month}/${id}`;
    }
  }
  return { proposals };
}

/** Rejections of an agent's proposals with their reasons, newest first. The agent reads them before it proposes again. */
export async function rejectionsFor(garden: ListDeps, slug: string, limit = 20): Promise<readonly ProposalCard[]> {
  const found: string[] = [];
  for await (const key of keysUnder(garden.store, keys.rejectionsOf(slug))) found.push(key);
  const cards = await Promise.all(
    found
      .toReversed()
      .slice(0, limit)
      .map((key) => cardIn(garden.store, key)),
  );
  return cards.filter((card) => card !== undefined);
}

/**
 * Resolves a short id. A suffix (`k3x9qf`) matches pending proposals first, then decided ones; a full id is returned as it is.
 * Throws NOT_FOUND if it fits none or several.
 */
export async function resolveProposalId(garden: ListDeps, written: string): Promise<string> {
  if (/^prop_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}$/.test(written)) return written;
  const found = new Set<string>();
  if (/^[0-9a-z_-]{3,}$/.test(written)) {
    for (const folder of ["pending", ...FOLDERS]) {
      for await (const key of keysUnder(garden.store, `proposals/${folder}/`)) {
        const id = idIn(key);
        if (id?.endsWith(written)) found.add(id);
      }
      if (folder === "pending" && found.size > 0) break; // pending ones win over decided ones
    }
  }
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  throw found.size > 1 ? manyProposalsFit(written, [...found]) : noProposalFits(written);
}

const FOLDERS: readonly ProposalFolder[] = ["approved", "rejected", "applied", "expired", "failed"];
const FOLDER_OF: Readonly<Record<Exclude<ProposalState, "pending">, ProposalFolder>> = {
  approved: "approved",
  auto_approved: "approved",
  applying: "approved",
  rejected: "rejected",
  applied: "applied",
  expired: "expired",
  failed: "failed",
};

/** Final states: their view is written after the event and never changes. */
const isFinal = (folder: ProposalFolder): boolean => folder !== "approved" && folder !== "failed";

async function archivedCard(
  store: Store,
  key: string,
  id: string,
  folder: ProposalFolder,
): Promise<ProposalCard | undefined> {
  const card = await cardIn(store, key);
  if (card && isFinal(folder)) return card;
  const proposal = await findReadable(store, id);
  if (!proposal || proposal.status === "pending" || FOLDER_OF[proposal.status] !== folder) return undefined;
  return cardOf(proposal);
}

interface View {
  readonly id: string;
  readonly key: string;
  readonly folder: ProposalFolder;
}

async function viewsOf(store: Store, folders: readonly ProposalFolder[], month: string): Promise<View[]> {
  const views: View[] = [];
  for (const folder of folders) {
    for await (const key of keysUnder(store, `proposals/${folder}/${month}/`)) {
      const id = idIn(key);
      if (id !== undefined) views.push({ id, key, folder });
    }
  }
  return views.toSorted((a, b) => (a.id < b.id ? 1 : a.id > b.id ? -1 : 0));
}

/** The months that have proposals, newest first; one list call per month. */
async function monthsOf(store: Store, folders: readonly ProposalFolder[]): Promise<string[]> {
  const months = new Set<string>();
  for (const folder of folders) {
    const prefix = `proposals/${folder}/`;
    let after: string | undefined;
    for (;;) {
      const { entries } = await store.list(prefix, { ...(after !== undefined && { after }), limit: 1 });
      const month = /^\d{4}-\d{2}/.exec(entries[0]?.key.slice(prefix.length) ?? "")?.[0];
      if (month === undefined) break;
      months.add(month);
      after = `${prefix}${month}/q`; // sorts after every `prop_…`
    }
  }
  return [...months].toSorted().toReversed();
}

async function* keysUnder(store: Store, prefix: string): AsyncGenerator<string> {
  for await (const { key } of everyKey(store, prefix)) yield key;
}

const idIn = (key: string): string | undefined => /\/(prop_[0-9a-z_-]+)\.json$/.exec(key)?.[1];

function isWanted(
  card: ProposalCard,
  { agent, action, run, target, text, status }: PendingWish & { readonly status?: string | undefined },
): boolean {
  if (agent !== undefined && !(card.source.type === "agent" && card.source.identity === agent)) return false;
  if (run !== undefined && card.source.run_id !== run) return false;
  if (target !== undefined && card.target !== target) return false;
  if (status !== undefined && card.status !== status) return false;
  if (text !== undefined && !searchedText(card).includes(text.trim().toLowerCase())) return false;
  return action === undefined || card.action === action;
}

const searchedText = (card: ProposalCard): string =>
  [card.summary, card.target, card.preview?.text, card.source.identity].join("\n").toLowerCase();

function cursor(after: string): { month: string; id: string } {
  const [month, id] = after.split("/");
  if (month !== undefined && id !== undefined && /^\d{4}-\d{2}$/.test(month)) return { month, id };
  throw wrongCursor();
}

const limitOf = (asked: number | undefined): number => Math.min(Math.max(1, asked ?? DEFAULT_LIMIT), MAX_LIMIT);
