import { z } from "zod";
import {
  type Failure,
  type FailureCode,
  type FailureRecord,
  failureTable,
  failureToRecord,
} from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import { type InboxEntry, inboxEntry } from "../../../domain/proposal/inbox-entry.ts";
import type { Store } from "../../../ports/store.ts";
import { tryReadJson } from "../../core/json-record.ts";

/**
 * The three folders of an entry (P-2): `pending/` while it is processed, then `processed/` with its proposal, or
 * `rejected/` with the reason. The pending file is written first and removed last, so that recovery finds it after a
 * crash.
 */
const text = z.strictObject({ uk: z.string(), en: z.string() });

const rejection = z.strictObject({
  /** The check of the gate that refused. */
  check: z.string(),
  code: z.string().refine((code): code is FailureCode => Object.hasOwn(failureTable, code)),
  text,
  hint: text.optional(),
  details: z.record(z.string(), z.json()),
  outcome: z.enum(["none", "unknown"]),
});

const filedEntry = inboxEntry.extend({ proposal_id: z.string().optional(), rejection: rejection.optional() });
export type FiledEntry = z.infer<typeof filedEntry>;

export const filePending = (store: Store, entry: InboxEntry): Promise<void> =>
  store.put(keys.pendingEntry(entry.id), bytesOf(entry));

export const takeFromPending = (store: Store, { id }: InboxEntry): Promise<void> => store.delete(keys.pendingEntry(id));

export const fileProcessed = (store: Store, entry: InboxEntry, proposal: string): Promise<void> =>
  store.put(keys.processedEntry(entry.source.timestamp, entry.id), bytesOf({ ...entry, proposal_id: proposal }));

export const fileRejected = (store: Store, entry: InboxEntry, check: string, failure: Failure): Promise<void> =>
  store.put(
    keys.rejectedEntry(entry.source.timestamp, entry.id),
    bytesOf({ ...entry, rejection: { check, ...plain(failureToRecord(failure)) } }),
  );

/** The refusal of an entry; undefined if it was not refused. */
export async function rejectionOf(
  store: Store,
  { id, source }: { readonly id: string; readonly source: { readonly timestamp: string } },
): Promise<(FailureRecord & { readonly check: string }) | undefined> {
  const filed = await entryIn(store, keys.rejectedEntry(source.timestamp, id));
  if (!filed?.rejection) return undefined;
  const { hint, ...rest } = filed.rejection;
  return { ...rest, ...(hint && { hint }) };
}

/** The entry in a file; undefined if it is missing or damaged (`bloom verify` reports it). */
export async function entryIn(store: Store, key: string): Promise<FiledEntry | undefined> {
  const stored = await store.get(key);
  return tryReadJson(stored?.bytes, filedEntry);
}

/** The entry without proposal and rejection (P-2). */
export const entryAlone = ({ id, source, intent, metadata }: FiledEntry): InboxEntry => ({
  id,
  source,
  intent,
  metadata,
});

/** Details may contain values that JSON drops. */
const plain = (record: FailureRecord): object => JSON.parse(JSON.stringify(record));

const bytesOf = (entry: unknown): Uint8Array => Buffer.from(`${JSON.stringify(filedEntry.parse(entry), null, 2)}\n`);
