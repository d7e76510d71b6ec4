import { Failure } from "../../../base/failure.ts";
import { keys, type ProposalFolder } from "../../../domain/layout.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import { cardOf, type ProposalCard, type ProposalState } from "../../../domain/proposal/proposal.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { findReadable } from "../../records/proposals/proposal-log.ts";
import { cardIn, PENDING_VIEWS, pendingIdIn } from "../../records/proposals/views.ts";
import { expireIfDue, isDue } from "./expire.ts";

export interface CardPage {
  readonly proposals: readonly ProposalCard[];
  /** Pass as `after` for the next page; left out when there is none. */
  readonly next?: string;
}

type Ground = Pick<Garden, "store" | "signals" | "world">;

const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 500;
const STEP = 200;

/**
 * What waits for a decision, oldest first: from the views of what is open, each checked against the truth. It costs what
 * is pending, however much is archived. What is due expires on the way.
 */
export async function listPending(
  garden: Ground,
  wanted: {
    readonly after?: string | undefined;
    readonly limit?: number | undefined;
    readonly agent?: string | undefined;
    readonly action?: Action | undefined;
  } = {},
): Promise<CardPage> {
  const limit = limitOf(wanted.limit);
  const proposals: ProposalCard[] = [];
  let after = wanted.after === undefined ? undefined : keys.pendingProposal(wanted.after);
  for (;;) {
    const page = await garden.store.list(PENDING_VIEWS, { ...(after !== undefined && { after }), limit: STEP });
    for (const { key } of page.entries) {
      const card = await pendingCard(garden, key);
      if (!card || !isWanted(card, wanted)) continue;
      if (proposals.length === limit) return { proposals, next: proposals.at(-1)!.id };
      proposals.push(card);
    }
    if (page.next === undefined) return { proposals };
    after = page.next;
  }
}

/** The card of a view, if its proposal is pending in truth: the proposal is there, and nothing has happened to it. */
async function pendingCard(garden: Ground, key: string): Promise<ProposalCard | undefined> {
  const id = pendingIdIn(key);
  if (id === undefined) return undefined;
  const { entries } = await garden.store.list(keys.proposalLog(id), { limit: 2 });
  if (entries.length !== 1) return undefined; // begun and never made, or decided
  const card = await cardIn(garden.store, key);
  if (card && card.id === id && !isDue(garden, card)) return card;
  const proposal = await findReadable(garden.store, id);
  const now = proposal && (await expireIfDue(garden, proposal));
  return now?.status === "pending" ? cardOf(now) : undefined;
}

interface HistoryWish {
  readonly status?: Exclude<ProposalState, "pending"> | undefined;
  /** `2026-02`: of the decision, or of the result. */
  readonly month?: string | undefined;
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
  readonly agent?: string | undefined;
}

/** What was decided: newest month first, and in a month those that were proposed last first. */
export async function history(garden: Ground, wanted: HistoryWish = {}): Promise<CardPage> {
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

/** Rejections of an agent's proposals with their reasons, newest first: for that agent to read before it asks again. */
export async function rejectionsFor(garden: Ground, slug: string, limit = 20): Promise<readonly ProposalCard[]> {
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

/** The whole id of a proposal from its end, or from all of it: `k3x9qf` of what waits, or any id in full. */
export async function resolveId(garden: Ground, written: string): Promise<string> {
  if (/^prop_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}$/.test(written)) return written;
  const found = new Set<string>();
  if (/^[0-9a-z_-]{3,}$/.test(written)) {
    for (const folder of ["pending", ...FOLDERS]) {
      for await (const key of keysUnder(garden.store, `proposals/${folder}/`)) {
        const id = idIn(key);
        if (id?.endsWith(written)) found.add(id);
      }
      if (folder === "pending" && found.size > 0) break; // what waits is what people mean
    }
  }
  const [only, second] = found;
  if (only !== undefined && second === undefined) return only;
  throw new Failure(
    "NOT_FOUND",
    found.size > 1
      ? {
          en: `${written} fits ${found.size} proposals: ${[...found].slice(0, 5).join(", ")}`,
          uk: `${written} підходить до ${found.size} пропозицій: ${[...found].slice(0, 5).join(", ")}`,
        }
      : { en: `no proposal ends in ${written}`, uk: `жодна пропозиція не закінчується на ${written}` },
    {
      hint: { en: "`bloom proposals` lists those that wait.", uk: "`bloom proposals` показує ті, що чекають." },
      details: { proposal: written },
    },
  );
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

/** States that are never left: their view is written after the event, and stays true. */
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

/** The months that there are, newest first: one look per month, however much lies in it. */
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
      after = `${prefix}${month}/q`; // behind every `prop_…`
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
  { agent, action, status }: { agent?: string | undefined; action?: Action | undefined; status?: string | undefined },
): boolean {
  if (agent !== undefined && !(card.source.type === "agent" && card.source.identity === agent)) return false;
  if (status !== undefined && card.status !== status) return false;
  return action === undefined || card.action === action;
}

function cursor(after: string): { month: string; id: string } {
  const [month, id] = after.split("/");
  if (month !== undefined && id !== undefined && /^\d{4}-\d{2}$/.test(month)) return { month, id };
  throw new Failure("VALIDATION_FAILED", {
    en: "after: expected what the page before gave as next",
    uk: "after: потрібне те, що попередня сторінка дала як next",
  });
}

const limitOf = (asked: number | undefined): number => Math.min(Math.max(1, asked ?? DEFAULT_LIMIT), MAX_LIMIT);
