import { createHash } from "node:crypto";
import { basename } from "node:path";
import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Identity } from "../../../domain/identity.ts";
import { readKvDump } from "../../../domain/import/kv/kv-dump.ts";
import { checkKvPairs, type KvRecord } from "../../../domain/import/kv/kv-record.ts";
import { oneAtATime } from "../../changes/inbox/one-at-a-time.ts";
import { onlyOwner } from "../../core/access/only-owner.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";
import { backUpInside } from "../backup/backups.ts";
import { completeLegacy, isComplete, type LegacyAnswer, legacyAnswer } from "./complete-legacy.ts";
import { findLegacy, LEGACY_DAYS, type LegacyRecord, pinLegacy } from "./legacy-record.ts";
import { type NoteFinder, noteFinder } from "./plan-edit.ts";
import { planRecord, type RecordPlan } from "./plan-record.ts";

export const kvOutcomes = ["imported", "kept", "left", "earlier", "refused"] as const;

/** The report on one pair of the dump. */
export interface KvReportRow {
  readonly key: string;
  /** Position in the dump, from 1. */
  readonly at: number;
  readonly outcome: (typeof kvOutcomes)[number];
  readonly why: Text;
  /** The note, for a proposal. */
  readonly note?: string;
  readonly proposal?: string;
}

export interface KvImport {
  /** SHA-256 of the dump: a confirmation names it. */
  readonly digest: string;
  readonly counts: Readonly<Record<(typeof kvOutcomes)[number], number>>;
  readonly records: readonly KvReportRow[];
  /** File name of the backup in `.bloom/backups`; left out if nothing had to be written. */
  readonly backup?: string;
  /** The end of the parallel reading; left out if nothing was written. */
  readonly until?: string;
}

/** Reads a dump and says what each record would become. Changes nothing. */
export async function planKvImport(garden: Garden, dump: Uint8Array): Promise<KvImport> {
  const records = checkKvPairs(readKvDump(dump));
  const notes = await noteFinder(garden);
  const rows: KvReportRow[] = [];
  for (const record of records) rows.push((await planRow(garden, notes, record)).row);
  return { digest: digestOf(dump), counts: countRows(rows), records: rows };
}

/**
 * Imports the proposals and zones of the earlier system (I-2): a backup of the garden first, then each record pinned and carried out.
 * Pending proposals become proposals of a guest; decided ones and zones are kept for reading and are never applied. Idempotent: a
 * repetition, also after a crash at any point, goes on with what is pinned. `confirmed` is the digest of the report that the owner saw.
 */
export async function importKv(garden: Garden, dump: Uint8Array, by: Identity, confirmed?: string): Promise<KvImport> {
  if (by.type !== "owner") throw onlyOwner(by, { en: "import records", uk: "імпортувати записи" });
  const digest = digestOf(dump);
  if (confirmed !== undefined && confirmed !== digest) throw otherDump;
  return oneAtATime(garden.store, "import-kv", () => carryOut(garden, dump, digest));
}

async function carryOut(garden: Garden, dump: Uint8Array, digest: string): Promise<KvImport> {
  const records = checkKvPairs(readKvDump(dump));
  const notes = await noteFinder(garden);
  const planned: PlannedRow[] = [];
  for (const record of records) planned.push(await planRow(garden, notes, record));
  if (!planned.some(({ work }) => work)) {
    const rows = planned.map(({ row }) => row);
    return { digest, counts: countRows(rows), records: rows };
  }
  const backup = basename((await backUpInside(garden)).file);
  crashPoint("legacy.backed-up");
  const at = new Date(garden.world.now()).toISOString();
  const until = new Date(garden.world.now() + LEGACY_DAYS * 86_400_000).toISOString();
  await recordAudit(garden, `legacy-${digest.slice(0, 16)}`, {
    kind: "legacy-imported",
    at,
    by: "owner",
    subject: "legacy",
    details: { dump: digest, backup, until, planned: countRows(planned.map(({ row }) => row)) },
  });
  crashPoint("legacy.told");
  const rows: KvReportRow[] = [];
  for (const { row, work } of planned)
    rows.push(work ? await rowAfter(garden, row, await work({ digest, at, until })) : row);
  return { digest, counts: countRows(rows), records: rows, backup, until };
}

interface PlannedRow {
  readonly row: KvReportRow;
  /** Pins and completes the record; left out if there is nothing to do. */
  readonly work?: (pin: { digest: string; at: string; until: string }) => Promise<LegacyRecord>;
}

async function planRow(garden: Garden, notes: NoteFinder, record: KvRecord): Promise<PlannedRow> {
  const { key, at } = record.pair;
  const base = { key: key.slice(0, 200), at };
  if (record.kind === "left" || record.kind === "refused")
    return { row: { ...base, outcome: record.kind, why: record.why } };
  const id = record.kind === "zone" ? record.zone.zoneId : record.proposal.proposalId;
  const there = await findLegacy(garden.store, { kind: record.kind, id });
  if (there) return { ...(await earlierRow(garden, base, there, record.hash)) };
  const plan = await planRecord(garden, notes, record);
  const row = { ...base, ...rowOfPlan(plan) };
  if (plan.kind === "secret") return { row };
  const work: PlannedRow["work"] = async ({ digest, at: imported, until }) => {
    const pinned = await pinLegacy(garden.store, plan.pin({ dump: digest, imported_at: imported, until }));
    crashPoint("legacy.pinned");
    await completeLegacy(garden, pinned);
    return pinned;
  };
  return { row, work };
}

/** A record of an earlier import: completed if a crash had left it open, never made again. */
async function earlierRow(
  garden: Garden,
  base: Pick<KvReportRow, "key" | "at">,
  there: LegacyRecord,
  hash: string,
): Promise<PlannedRow> {
  const answer = await legacyAnswer(garden.store, there);
  const why = there.hash === hash ? EARLIER : CHANGED;
  const row: KvReportRow = { ...base, outcome: "earlier", why, ...namesOf(answer) };
  if (isComplete(answer)) return { row };
  const work = async (): Promise<LegacyRecord> => {
    await completeLegacy(garden, there);
    return there;
  };
  return { row: { ...row, outcome: "imported", why: RESUMED }, work };
}

/** The row after the work: the gate may have refused what the plan thought possible. */
async function rowAfter({ store }: Garden, row: KvReportRow, record: LegacyRecord): Promise<KvReportRow> {
  const answer = await legacyAnswer(store, record);
  if (answer.kind === "refused") return { ...row, outcome: "refused", why: answer.why, ...namesOf(answer) };
  return { ...row, ...namesOf(answer) };
}

const namesOf = (answer: LegacyAnswer): Partial<KvReportRow> => ({
  ...("note" in answer && answer.note !== undefined && { note: answer.note }),
  ...(answer.kind === "proposal" && { proposal: answer.proposal }),
});

function rowOfPlan(plan: RecordPlan): Pick<KvReportRow, "outcome" | "why" | "note"> {
  switch (plan.kind) {
    case "edit":
      return { outcome: "imported", why: IMPORTED, note: plan.path };
    case "refused":
      return { outcome: "refused", why: plan.why };
    case "secret":
      return { outcome: "refused", why: plan.why };
    case "kept":
      return { outcome: "kept", why: plan.why };
  }
}

function countRows(rows: readonly KvReportRow[]): KvImport["counts"] {
  const counts = { imported: 0, kept: 0, left: 0, earlier: 0, refused: 0 };
  for (const { outcome } of rows) counts[outcome]++;
  return counts;
}

const digestOf = (dump: Uint8Array): string => createHash("sha256").update(dump).digest("hex");

const IMPORTED: Text = {
  en: "pending: a proposal that waits for the owner",
  uk: "нерозглянута: пропозиція, що чекає на власника",
};
const EARLIER: Text = { en: "imported earlier", uk: "імпортовано раніше" };
const RESUMED: Text = { en: "completed after an interruption", uk: "завершено після переривання" };
const CHANGED: Text = {
  en: "imported earlier, when the record had another content: not changed",
  uk: "імпортовано раніше, коли запис мав інший вміст: не змінено",
};

const otherDump = new Failure("CONCURRENT_MODIFICATION", {
  en: "the dump is not that of the report that was confirmed",
  uk: "дамп не той, що був у підтвердженому звіті",
  hint: { en: "Read the report again, then confirm it.", uk: "Перечитайте звіт і підтвердьте його." },
});
