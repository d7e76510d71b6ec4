import { z } from "zod";
import { entrySource } from "../identity.ts";
import { actions } from "./action.ts";
import { MOST_CITATIONS, proposalCitation } from "./proposal-content.ts";

/**
 * A wish as it arrived (P-2). The payload is the sender's, checked for size only: a refused entry keeps everything
 * that was asked for. `operation.ts` defines the payloads that pass the gate.
 */
export const inboxEntry = z.strictObject({
  id: z.string().regex(/^inbox_/),
  source: entrySource,
  intent: z.strictObject({
    action: z.enum(actions),
    target: z.string().max(1000),
    payload: z.record(z.string(), z.json()),
    /** The sender's summary. Shown as theirs, never interpreted by the program. */
    summary: z.string().max(500).optional(),
    reasoning: z.string().max(20_000).optional(),
    citations: z.array(proposalCitation).max(MOST_CITATIONS).optional(),
    /** Taken from the journal of the run, where the agent gives none (P-5a). */
    journal: z.strictObject({ reasoning: z.string(), citations: z.array(proposalCitation) }).optional(),
  }),
  metadata: z.strictObject({
    /** Chosen by the sender; default: the entry's id. */
    correlation_id: z.string().min(1).max(200),
    priority: z.enum(["normal", "high"]),
    ttl_hours: z
      .int()
      .positive()
      .max(24 * 366),
    /** The proposal that this one edits or reverts. */
    edits: z.string().optional(),
    reverts: z.string().optional(),
    /** The person who promoted it out of the sandbox of an experiment. */
    promoted_by: z.string().optional(),
  }),
});
export type InboxEntry = z.infer<typeof inboxEntry>;
