import { isFailure } from "../base/failure.ts";
import { type AuditRecord, auditRecord } from "../domain/audit-record.ts";
import { keys } from "../domain/layout.ts";
import type { Store } from "../ports/store.ts";
import type { Signals } from "./signals.ts";

/**
 * Leaves a record of what happened (P-12), once: `name` follows from the thing itself (`<proposal>-0001-approved`), so
 * that a repetition after a crash finds its record there. Told to listeners only when it is new.
 */
export async function recordAudit(
  { store, signals }: { readonly store: Store; readonly signals: Signals },
  name: string,
  record: AuditRecord,
): Promise<void> {
  const checked = auditRecord.parse(record);
  const { key, bytes } = auditObject(name, checked);
  const made = await store.create(key, bytes).catch((error: unknown) => {
    // The answer was lost, with a process that held the garden: asked again, the record is made or found there.
    if (isFailure(error) && error.outcome === "unknown") return store.create(key, bytes);
    throw error;
  });
  if (made.kind === "created") signals.publish({ key, record: checked });
}

/** The record as it lies in the store, for whoever writes it together with what it tells of. */
export const auditObject = (
  name: string,
  record: AuditRecord,
): { readonly key: string; readonly bytes: Uint8Array } => ({
  key: keys.audit(record.at, `${timeOf(record.at)}-${name}`),
  bytes: Buffer.from(`${JSON.stringify(auditRecord.parse(record), null, 2)}\n`),
});

/** `2026-02-14T08:00:00.123Z` → `080000`, so that a day's records stand in order. */
const timeOf = (at: string): string => at.slice(11, 19).replaceAll(":", "");
