import { Failure } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { readJson } from "../../core/json-record.ts";
import { type LegacyAnswer, legacyAnswer } from "./complete-legacy.ts";
import { findLegacy, type LegacyRecord, legacyRecord } from "./legacy-record.ts";

/** One line of the list: the old record beside what it became. */
export interface LegacyCard {
  readonly kind: LegacyRecord["kind"];
  readonly id: string;
  /** The note, or the name of the zone. */
  readonly name: string;
  /** Proposals: the guest. */
  readonly guest?: string;
  /** Proposals: the state in the earlier system. */
  readonly status?: "pending" | "accepted" | "rejected";
  readonly created_at: string;
  readonly reviewed_at?: string;
  /** Zones: the end of its validity there. */
  readonly expires_at?: string;
  readonly imported_at: string;
  readonly until: string;
  readonly now: Exclude<LegacyAnswer["kind"], "proposal"> | "pending" | "decided";
  readonly proposal?: string;
}

export interface LegacyPage {
  readonly records: readonly LegacyCard[];
  /** Pass as `after` for the next page. */
  readonly next: string | undefined;
}

/** The records of the earlier system, zones last. Read-only. */
export async function listLegacy(
  { store }: Pick<Garden, "store">,
  { after, limit = 100 }: { readonly after?: string | undefined; readonly limit?: number | undefined } = {},
): Promise<LegacyPage> {
  const page = await store.list(keys.legacyRecords, { limit, ...(after !== undefined && { after }) });
  const records: LegacyCard[] = [];
  for (const { key } of page.entries) records.push((await read(store, key)).card);
  return { records, next: page.next };
}

export interface LegacyView {
  readonly card: LegacyCard;
  readonly record: LegacyRecord;
  readonly answer: LegacyAnswer;
  /**
   * Verification of the import: `same`, the proposal has the guest's text; `merged`, the note had changed and both are merged; `none`,
   * there is no proposal, or its text is no longer kept.
   */
  readonly text: "same" | "merged" | "none";
}

/** One record in full, beside what it became. Throws NOT_FOUND. */
export async function showLegacy({ store }: Pick<Garden, "store">, id: string): Promise<LegacyView> {
  for (const kind of ["proposal", "zone"] as const) {
    const record = /^[A-Za-z0-9_-]{1,80}$/.test(id) ? await findLegacy(store, { kind, id }) : undefined;
    if (!record) continue;
    const answer = await legacyAnswer(store, record);
    return { card: cardOf(record, answer), record, answer, text: textCheck(record, answer) };
  }
  throw new Failure("NOT_FOUND", {
    en: `no imported record ${id}`,
    uk: `немає імпортованого запису ${id}`,
    hint: { en: "Run `bloom legacy list`.", uk: "Виконайте `bloom legacy list`." },
  });
}

/** Every record, for the upkeep. */
export async function* everyLegacy(store: Store): AsyncGenerator<LegacyRecord> {
  for await (const { key } of everyKey(store, keys.legacyRecords)) {
    const there = await store.get(key);
    if (there) yield readJson(key, there.bytes, legacyRecord);
  }
}

async function read(store: Store, key: string): Promise<{ readonly card: LegacyCard }> {
  const record = readJson(key, (await store.get(key))!.bytes, legacyRecord);
  return { card: cardOf(record, await legacyAnswer(store, record)) };
}

const iso = (ms: number): string => new Date(ms).toISOString();

function cardOf(record: LegacyRecord, answer: LegacyAnswer): LegacyCard {
  const { kind, id, imported_at, until } = record;
  const now = answer.kind === "proposal" ? (answer.status === "pending" ? "pending" : "decided") : answer.kind;
  const base = { kind, id, imported_at, until, now, created_at: iso(record.old.createdAt) } as const;
  if (record.kind === "zone") {
    const { name, expiresAt } = record.old;
    return { ...base, name, ...(typeof expiresAt === "number" && { expires_at: iso(expiresAt) }) };
  }
  const { noteSlug, noteTitle, guestName, status, reviewedAt } = record.old;
  return {
    ...base,
    name: noteTitle || noteSlug,
    guest: guestName,
    status,
    ...(reviewedAt !== null && { reviewed_at: iso(reviewedAt) }),
    ...(answer.kind === "proposal" && { proposal: answer.proposal }),
  };
}

function textCheck(record: LegacyRecord, answer: LegacyAnswer): LegacyView["text"] {
  if (record.kind === "zone" || answer.kind !== "proposal" || record.old.proposedContent === undefined) return "none";
  const plain = (text: string): string => text.replaceAll("\r\n", "\n").replace(/^\ufeff/, "");
  return plain(record.old.proposedContent) === plain(answer.text ?? "") ? "same" : "merged";
}
