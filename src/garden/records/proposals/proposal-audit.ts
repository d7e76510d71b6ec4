import type { Json } from "../../../base/canonical.ts";
import type { AuditRecord } from "../../../domain/audit-record.ts";
import type { Proposal, ProposalEvent } from "../../../domain/proposal/proposal.ts";
import { recordAudit } from "../../core/audit.ts";
import type { Garden } from "../../core/garden.ts";

/** Writes the audit record of one event of a proposal (P-12). Its name is derived from the event, so writing it is idempotent. */
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
  if (event.type === "withdrawn") {
    const { at, by, via } = event;
    return { kind: "withdrawn", at, by, subject: id, details: { ...details, ...(via !== undefined && { via }) } };
  }
  if (event.type !== "decided") return undefined; // `auditResult` records what apply does
  const { decision, digest, via, report, apply_after, revision_requested } = event;
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
      ...(apply_after !== undefined && { apply_after }),
      ...(revision_requested && { revision_run: revision_requested.run }),
    },
  };
}
