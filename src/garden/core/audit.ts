import { isFailure } from "../../base/failure.ts";
import { type AuditRecord, auditRecord } from "../../domain/audit-record.ts";
import { keys } from "../../domain/layout.ts";
import type { Store, Write } from "../../ports/store.ts";
import type { Signal, Signals } from "./signals.ts";

/**
 * Leaves a record of what happened (P-12), once: `name` follows from the thing itself (`<proposal>-0001-approved`), so
 * that a repetition after a crash finds its record there. Told to listeners only when it is new.
 */
export async function recordAudit({ store, signals }: AuditGround, name: string, record: AuditRecord): Promise<void> {
  const { write, signal } = auditOf(name, record);
  const { key, bytes } = write;
  const made = await store.create(key, bytes).catch((error: unknown) => {
    // The answer was lost, with a process that held the garden: asked again, the record is made or found there.
    if (isFailure(error) && error.outcome === "unknown") return store.create(key, bytes);
    throw error;
  });
  if (made.kind === "created") signals.publish(signal);
}

export interface AuditGround {
  readonly store: Store;
  readonly signals: Signals;
}

/** A record to be written among others (`store.inOrder`), and what to tell when it is new. */
export interface AuditWrite {
  readonly write: Write & { readonly verb: "create" };
  readonly signal: Signal;
}

export function auditOf(name: string, record: AuditRecord): AuditWrite {
  const checked = auditRecord.parse(record);
  const key = keys.audit(checked.at, `${timeOf(checked.at)}-${name}`);
  const bytes = Buffer.from(`${JSON.stringify(checked, null, 2)}\n`);
  return { write: { verb: "create", key, bytes }, signal: { key, record: checked } };
}

/** `2026-02-14T08:00:00.123Z` → `080000`, so that a day's records stand in order. */
const timeOf = (at: string): string => at.slice(11, 19).replaceAll(":", "");
