import { z } from "zod";
import { entrySource } from "../identity.ts";
import { actions } from "./action.ts";

/**
 * A wish as it arrived (P-2). The payload is what the sender wrote, checked for size alone: a refused entry is kept with
 * all that was asked for. `operation.ts` says what a payload must be to get through the gate.
 */
export const inboxEntry = z.strictObject({
  id: z.string().regex(/^inbox_/),
  source: entrySource,
  intent: z.strictObject({
    action: z.enum(actions),
    target: z.string().max(1000),
    payload: z.record(z.string(), z.json()),
    /** What the sender says about it. Shown as theirs, never read by a program. */
    summary: z.string().max(500).optional(),
    reasoning: z.string().max(20_000).optional(),
  }),
  metadata: z.strictObject({
    /** The sender's, or else the entry's own id. */
    correlation_id: z.string().min(1).max(200),
    priority: z.enum(["normal", "high"]),
    ttl_hours: z
      .int()
      .positive()
      .max(24 * 366),
    /** The proposal that this one is an edited copy of, or takes back. */
    edits: z.string().optional(),
    reverts: z.string().optional(),
  }),
});
export type InboxEntry = z.infer<typeof inboxEntry>;
