import { z } from "zod";

/** P-12: kinds of create-only audit records. */
export const auditKinds = [
  "refused",
  "proposed",
  "decided",
  "withdrawn",
  "remarked",
  "words-kept",
  "applied",
  "apply-failed",
  "apply-returned",
  "agent-created",
  "agent-status",
  "agent-outputs",
  "agent-edited",
  "agent-deleted",
  "signed-in",
  "sign-in-refused",
  "token-made",
  "token-revoked",
  "settings-changed",
  "settings-loaded",
  "settings-refused",
  "memory-edited",
  "body-replaced",
  "run-recorded",
  "run-forked",
  "sandbox-decided",
  "answered",
  "run-requested",
  "run-held",
  "run-cancel-asked",
  "run-finished",
  "session-conflict",
  "notified",
  "backups-removed",
  "slots-skipped",
  "event-dropped",
  "legacy-imported",
  "legacy-ended",
] as const;

export const auditRecord = z.strictObject({
  kind: z.enum(auditKinds),
  at: z.iso.datetime(),
  by: z.string(),
  /** The id it concerns: a proposal, an entry, an agent, a token. */
  subject: z.string(),
  /** For people. */
  why: z.string().optional(),
  details: z.record(z.string(), z.json()).default({}),
});
export type AuditRecord = z.infer<typeof auditRecord>;
