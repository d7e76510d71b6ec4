import { Failure } from "../../../base/failure.ts";
import { type SourceType, sourceTypes } from "../../../domain/identity.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { entryIn, type FiledEntry } from "./entry-files.ts";

export const inboxFolders = ["pending", "processed", "rejected"] as const;
export type InboxFolder = (typeof inboxFolders)[number];

export interface InboxStats {
  /** `2026-02`: `processed` and `rejected` count this month, `pending` counts all. */
  readonly month: string;
  readonly pending: number;
  readonly processed: number;
  readonly rejected: number;
  readonly by_source: Readonly<Record<SourceType, { readonly processed: number; readonly rejected: number }>>;
}

/** Counts of the entries of a month (default: the present one). */
export async function inboxStats(
  { store, world }: Pick<Garden, "store" | "world">,
  month = new Date(world.now()).toISOString().slice(0, 7),
): Promise<InboxStats> {
  const bySource = Object.fromEntries(sourceTypes.map((type) => [type, { processed: 0, rejected: 0 }])) as Record<
    SourceType,
    { processed: number; rejected: number }
  >;
  const totals = { pending: 0, processed: 0, rejected: 0 };
  for await (const _ of everyKey(store, "inbox/pending/")) totals.pending++;
  for (const folder of ["processed", "rejected"] as const) {
    for await (const { key } of everyKey(store, `inbox/${folder}/${month}/`)) {
      totals[folder]++;
      const type = await sourceIn(store, key);
      if (type) bySource[type][folder]++;
    }
  }
  return { month, ...totals, by_source: bySource };
}

export interface EntryPage {
  readonly entries: readonly EntryCard[];
  readonly next?: string;
}

/** An entry without its payload, for lists. */
export interface EntryCard {
  readonly id: string;
  readonly folder: InboxFolder;
  readonly source: FiledEntry["source"];
  readonly action: FiledEntry["intent"]["action"];
  readonly target: string;
  readonly summary?: string;
  readonly correlation_id: string;
  readonly proposal_id?: string;
  readonly rejection?: { readonly check: string; readonly code: string; readonly text: { uk: string; en: string } };
}

/** Entries of one folder, newest first. */
export async function inboxEntries(
  { store, world }: Pick<Garden, "store" | "world">,
  wanted: {
    readonly folder: InboxFolder;
    readonly month?: string | undefined;
    readonly after?: string | undefined;
    readonly limit?: number | undefined;
  },
): Promise<EntryPage> {
  const { folder, limit = 50 } = wanted;
  const month = wanted.month ?? new Date(world.now()).toISOString().slice(0, 7);
  const found: string[] = [];
  for await (const { key } of everyKey(store, folder === "pending" ? "inbox/pending/" : `inbox/${folder}/${month}/`))
    found.push(key);
  const entries: EntryCard[] = [];
  for (const key of found.toReversed()) {
    const id = /(inbox_[^/]+)\.json$/.exec(key)?.[1];
    if (id === undefined || (wanted.after !== undefined && id >= wanted.after)) continue;
    if (entries.length === limit) return { entries, next: entries.at(-1)!.id };
    const entry = await entryIn(store, key);
    if (entry) entries.push(cardOf(entry, folder));
  }
  return { entries };
}

/** One entry with its payload, from any folder; its id tells the month. Throws NOT_FOUND. */
export async function readEntry(
  { store }: Pick<Garden, "store">,
  id: string,
): Promise<{ readonly folder: InboxFolder; readonly entry: FiledEntry }> {
  if (/^inbox_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}$/.test(id)) {
    const at = id.slice("inbox_".length);
    // The time of an entry is read after its id is made: at midnight they may differ by a month.
    const places: [InboxFolder, string][] = [
      ["pending", keys.pendingEntry(id)],
      ["processed", keys.processedEntry(at, id)],
      ["rejected", keys.rejectedEntry(at, id)],
      ["processed", keys.processedEntry(monthAfter(at), id)],
      ["rejected", keys.rejectedEntry(monthAfter(at), id)],
    ];
    for (const [folder, key] of places) {
      const entry = await entryIn(store, key);
      if (entry) return { folder, entry };
    }
  }
  throw new Failure("NOT_FOUND", {
    en: `there is no inbox entry ${id}`,
    uk: `немає вхідного запису ${id}`,
    hint: { en: "`bloom inbox` lists them.", uk: "Їх перелічує `bloom inbox`." },
    details: { entry: id },
  });
}

function monthAfter(at: string): string {
  const [year, month] = [Number(at.slice(0, 4)), Number(at.slice(5, 7))];
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, "0")}`;
}

function cardOf({ id, source, intent, metadata, proposal_id, rejection }: FiledEntry, folder: InboxFolder): EntryCard {
  return {
    id,
    folder,
    source,
    action: intent.action,
    target: intent.target,
    ...(intent.summary !== undefined && { summary: intent.summary }),
    correlation_id: metadata.correlation_id,
    ...(proposal_id !== undefined && { proposal_id }),
    ...(rejection && { rejection: { check: rejection.check, code: rejection.code, text: rejection.text } }),
  };
}

/** Cache: filed entries never change, so counting a month again reads only new ones. */
const known = new WeakMap<Store, Map<string, SourceType>>();
const MAX_KNOWN = 100_000;

async function sourceIn(store: Store, key: string): Promise<SourceType | undefined> {
  const cache = known.get(store) ?? new Map<string, SourceType>();
  known.set(store, cache);
  const type = cache.get(key) ?? (await entryIn(store, key))?.source.type;
  if (type && cache.size < MAX_KNOWN) cache.set(key, type);
  return type;
}
