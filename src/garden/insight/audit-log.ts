import { compareUtf8 } from "../../base/order.ts";
import { type AuditRecord, auditRecord } from "../../domain/audit-record.ts";
import { keys } from "../../domain/layout.ts";
import type { Store } from "../../ports/store.ts";
import { tryReadJson } from "../core/json-record.ts";
import { newestNames } from "../core/newest-names.ts";

export interface AuditLogEntry {
  readonly key: string;
  readonly record: AuditRecord;
}

export interface AuditPage {
  readonly records: readonly AuditLogEntry[];
  /** Pass as `after` for the next page. */
  readonly next?: string;
  /** With `last`: there are older records after `after`. */
  readonly left_out?: true;
}

const AUDIT = "audit/";
const READS_AT_ONCE = 100;

/** False for a key whose time does not exist, such as month 19: `auditTimeOf` would return NaN. */
export function isAuditKey(text: string): boolean {
  if (!/^audit\/\d{4}-\d\d\/\d\d\/\d{6}-[\w.^%-]{1,250}\.json$/u.test(text)) return false;
  const time = auditTimeOf(text);
  return !Number.isNaN(time) && text.startsWith(`${auditKeyAt(time)}-`);
}

/**
 * A page of the audit log, oldest first. `after` is a key, or a day such as `2026-02-14`. With `last`, the newest records after it:
 * the cost depends on `limit`, not on the length of the log.
 */
export async function listAudit(
  store: Store,
  { after, limit, last }: { readonly after?: string | undefined; readonly limit: number; readonly last: boolean },
): Promise<AuditPage> {
  const from = after === undefined || isAuditKey(after) ? after : `${AUDIT}${after.slice(0, 7)}/${after.slice(8)}`;
  if (last) {
    const { found, leftOut } = await lastKeys(store, from, limit);
    return { records: await readAll(store, found), ...(leftOut && { left_out: true }) };
  }
  const { entries, next } = await store.list(AUDIT, { limit, ...(from !== undefined && { after: from }) });
  const found = entries.map(({ key }) => key);
  return { records: await readAll(store, found), ...(next !== undefined && { next: found.at(-1) ?? next }) };
}

/**
 * Every record after a key, oldest first, but for the keys to be left out. Damaged records are skipped: `bloom verify` reports
 * them.
 */
export async function* auditAfter(
  store: Store,
  after: string,
  leavesOut: (key: string) => boolean = () => false,
): AsyncGenerator<AuditLogEntry> {
  let from = after;
  for (;;) {
    const page = await store.list(AUDIT, { after: from, limit: 200 });
    for (const { key } of page.entries) {
      const record = leavesOut(key) ? undefined : await readRecord(store, key);
      if (record) yield { key, record };
      from = key;
    }
    if (page.next === undefined) return;
  }
}

/** A key that sorts before every record of that second. */
export const auditKeyAt = (at: number): string => {
  const iso = new Date(at).toISOString();
  return keys.audit(iso, iso.slice(11, 19).replaceAll(":", "")).replace(/\.json$/, "");
};

/** The time in a key: `audit/2026-02/14/080000-…` */
export const auditTimeOf = (key: string): number => {
  const [, month, day, name] = key.split("/");
  return Date.parse(`${month}-${day}T${name!.slice(0, 2)}:${name!.slice(2, 4)}:${name!.slice(4, 6)}Z`);
};

export interface AuditFilter {
  readonly kind?: string | undefined;
  readonly by?: string | undefined;
  /** The id that a record is about, or the beginning of it. */
  readonly subject?: string | undefined;
  /** A day such as `2026-02-14`: nothing older. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/** Records read at most for one answer: a filter that matches nothing must not read the whole log. */
const MOST_READ = 20_000;

/** The newest records that match, oldest first. `left_out`: there may be older ones. */
export async function findAudit(store: Store, filter: AuditFilter): Promise<AuditPage> {
  const { kind, by, subject, after, limit } = filter;
  const from = after === undefined ? undefined : `${AUDIT}${after.slice(0, 7)}/${after.slice(8)}`;
  const found: AuditLogEntry[] = [];
  let read = 0;
  for await (const name of newestNames(store, AUDIT_NAMES)) {
    const key = `${AUDIT}${name}`;
    if (from !== undefined && compareUtf8(key, from) <= 0) break;
    if (found.length === limit || read++ === MOST_READ) return { records: found.toReversed(), left_out: true };
    const record = await readRecord(store, key);
    const isMatch =
      record &&
      (kind === undefined || record.kind === kind) &&
      (by === undefined || record.by === by) &&
      (subject === undefined || record.subject.startsWith(subject));
    if (isMatch) found.push({ key, record });
  }
  return { records: found.toReversed() };
}

async function lastKeys(
  store: Store,
  from: string | undefined,
  limit: number,
): Promise<{ readonly found: string[]; readonly leftOut: boolean }> {
  const found: string[] = [];
  for await (const name of newestNames(store, AUDIT_NAMES)) {
    const key = `${AUDIT}${name}`;
    if (from !== undefined && compareUtf8(key, from) <= 0) break;
    if (found.length === limit) return { found: found.toReversed(), leftOut: true };
    found.push(key);
  }
  return { found: found.toReversed(), leftOut: false };
}

/** `2026-02/14/080000-…`: the ends of year and month, day, hour, minute, second. */
const AUDIT_NAMES = { folder: AUDIT, parts: [7, 10, 13, 15, 17], nameOf: (rest: string): string => rest };

async function readAll(store: Store, found: readonly string[]): Promise<AuditLogEntry[]> {
  const entries: AuditLogEntry[] = [];
  for (let at = 0; at < found.length; at += READS_AT_ONCE) {
    const batch = found.slice(at, at + READS_AT_ONCE);
    const read = await Promise.all(batch.map(async (key) => ({ key, record: await readRecord(store, key) })));
    entries.push(...read.flatMap(({ key, record }) => (record ? [{ key, record }] : [])));
  }
  return entries;
}

const readRecord = async (store: Store, key: string): Promise<AuditRecord | undefined> =>
  tryReadJson((await store.get(key))?.bytes, auditRecord);
