import type { Json } from "../../../base/canonical.ts";
import type { AuditRecord } from "../../../domain/audit-record.ts";
import type { Proposal, ProposalEvent } from "../../../domain/proposal/proposal.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";

/** The record of one event of a proposal (P-12). Its name follows from the event, so that telling it twice is telling it once. */
export async function auditEvent(
  garden: Pick<Garden, "store" | "signals">,
  proposal: Pick<Proposal, "id" | "action" | "target" | "source">,
  event: ProposalEvent,
  number: number,
): Promise<void> {
  const record = recordOf(proposal, event);
  if (!record) return;
  const name = `${proposal.id}-${String(number).padStart(4, "0")}-${record.kind}`;
  await recordAudit(garden, name, record);
}

function recordOf(
  { id, action, target, source }: Pick<Proposal, "id" | "action" | "target" | "source">,
  event: ProposalEvent,
): AuditRecord | undefined {
  const details: Record<string, Json> = { action, target };
  if (event.type === "made") {
    return {
      kind: "proposed",
      at: event.created_at,
      by: source.identity,
      subject: id,
      why: event.summary,
      details: { ...details, entry: event.entry_id, digest: event.digest },
    };
  }
  if (event.type !== "decided") return undefined; // what apply does, apply tells
  const { decision, digest, via, report } = event;
  return {
    kind: "decided",
    at: event.at,
    by: event.by,
    subject: id,
    ...(event.note !== undefined && { why: event.note }),
    details: {
      ...details,
      decision,
      digest,
      ...(via !== undefined && { via }),
      ...(report !== undefined && { report }),
    },
  };
}
