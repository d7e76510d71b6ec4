import { isLostAnswer } from "../../base/failure.ts";
import { type AuditRecord, auditRecord } from "../../domain/audit-record.ts";
import { keys } from "../../domain/layout.ts";
import type { Store, Write } from "../../ports/store.ts";
import { jsonBytes } from "./json-record.ts";
import type { Signal, Signals } from "./signals.ts";

/**
 * Writes an audit record (P-12). Idempotent: `name` is derived from the event (`<proposal>-0001-approved`), so that the same
 * call after a crash finds the record. Publishes a signal only for a new record.
 */
export async function recordAudit({ store, signals }: AuditDeps, name: string, record: AuditRecord): Promise<void> {
  const { write, signal } = auditOf(name, record);
  const { key, bytes } = write;
  const made = await store.create(key, bytes).catch((error: unknown) => {
    if (isLostAnswer(error)) return store.create(key, bytes);
    throw error;
  });
  if (made.kind === "created") signals.publish(signal);
}

export interface AuditDeps {
  readonly store: Store;
  readonly signals: Signals;
}

/** An audit record as one of several writes (`store.inOrder`), and the signal to publish if the record is new. */
export interface AuditWrite {
  readonly write: Write & { readonly verb: "create" };
  readonly signal: Signal;
}

export function auditOf(name: string, record: AuditRecord): AuditWrite {
  const checked = auditRecord.parse(record);
  const key = keys.audit(checked.at, `${timeOf(checked.at)}-${name}`);
  return { write: { verb: "create", key, bytes: jsonBytes(checked) }, signal: { key, record: checked } };
}

/** `2026-02-14T08:00:00.123Z` → `080000`: the keys of a day sort by time. */
const timeOf = (at: string): string => at.slice(11, 19).replaceAll(":", "");
