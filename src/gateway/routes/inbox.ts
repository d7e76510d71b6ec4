import { z } from "zod";
import { actions } from "../../domain/proposal/action.ts";
import { inboxEntry } from "../../domain/proposal/inbox-entry.ts";
import { MOST_CITATIONS, proposalCitation } from "../../domain/proposal/proposal-content.ts";
import { proposalStates } from "../../domain/proposal/proposal-state.ts";
import { countEntries, entryPlaces, listEntries } from "../../garden/changes/inbox/list-entries.ts";
import { receive } from "../../garden/changes/inbox/receive.ts";
import type { Received } from "../../garden/changes/inbox/wish.ts";
import { type Route, route } from "../route.ts";
import { month, pageQuery, textShape } from "../shapes.ts";

/** The answer to an accepted submission; a repetition gets the same (P-3). */
export const receivedAnswer = z
  .object({
    entry_id: z.string(),
    proposal_id: z.string(),
    action: z.enum(actions),
    target: z.string(),
    digest: z.string(),
    /** `pending`, or the state after a rule of the owner approved it in the same request. */
    status: z.enum(proposalStates),
    git_commit: z.string().optional(),
    object_path: z.string().optional(),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: "Received" });

export const inboxRoutes: readonly Route[] = [
  route("POST /inbox/submit", {
    summary: {
      en: "submits a change: it becomes a proposal, or is refused with the reason (P-2)",
      uk: "бажання: воно стає пропозицією або отримує відмову з причиною (P-2)",
    },
    allows: ["owner", "agent", "webhook", "guest"],
    rate: "submit",
    bodySize: "submission",
    body: z.strictObject({
      intent: z.strictObject({
        action: z.enum(actions),
        target: z.string().max(1000).optional(),
        /** Depends on the action (P-4a). The inbox gate validates it and reports all problems at once. */
        payload: z.record(z.string(), z.json()),
        summary: z.string().max(500).optional(),
        reasoning: z.string().max(20_000).optional(),
        citations: z.array(proposalCitation).max(MOST_CITATIONS).optional(),
      }),
      metadata: z
        .strictObject({
          correlation_id: z.string().min(1).max(200).optional(),
          priority: z.enum(["normal", "high"]).optional(),
          ttl_hours: z
            .int()
            .positive()
            .max(24 * 366)
            .optional(),
        })
        .optional(),
    }),
    answer: receivedAnswer,
    status: 201,
    async handle({ garden, body: { intent, metadata }, identity, correlation }) {
      const correlation_id = metadata?.correlation_id ?? (correlation.brought ? correlation.id : undefined);
      return receivedBody(await receive(garden, { identity, ...intent, ...metadata, correlation_id }));
    },
  }),
  route("GET /inbox/stats", {
    summary: {
      en: "number of pending entries, and of those decided in a month",
      uk: "скільки записів чекає і скільки було за місяць",
    },
    allows: ["owner"],
    query: z.strictObject({ month: month.optional() }),
    answer: z.object({ month: z.string(), pending: z.int(), processed: z.int(), rejected: z.int() }),
    async handle({ garden: { store, world }, query }) {
      const inMonth = query.month ?? new Date(world.now()).toISOString().slice(0, 7);
      return { month: inMonth, ...(await countEntries(store, inMonth)) };
    },
  }),
  route("GET /inbox/entries", {
    summary: {
      en: "inbox entries as they arrived, with the resulting proposal or rejection",
      uk: "записи вхідних, як вони надійшли, і що з ними стало",
    },
    allows: ["owner"],
    query: z.strictObject({ ...pageQuery, status: z.enum(entryPlaces).default("pending"), month: month.optional() }),
    answer: z.object({
      entries: z.array(
        z.object({
          ...inboxEntry.shape,
          proposal_id: z.string().optional(),
          rejection: z
            .object({ check: z.string(), code: z.string(), text: textShape, hint: textShape.optional() })
            .optional(),
        }),
      ),
      next: z.string().optional(),
    }),
    handle: ({ garden, query }) => listEntries(garden.store, query),
  }),
];

/**
 * The answer to a submission; throws if it was refused. A repetition gets the answer of the first request: it includes a decision by
 * a rule, which is part of that request, and never a later decision by a person.
 */
export function receivedBody(received: Received): z.input<typeof receivedAnswer> {
  if (received.kind === "refused") throw received.failure;
  const { entry, proposal } = received;
  const byRule = proposal.approval?.decision === "auto_approved";
  const result = byRule ? proposal.apply_result : undefined;
  return {
    entry_id: entry.id,
    proposal_id: proposal.id,
    action: proposal.action,
    target: proposal.target,
    digest: proposal.digest,
    status: byRule ? proposal.status : "pending",
    ...(result?.git_commit !== undefined && { git_commit: result.git_commit }),
    ...(result?.object_path !== undefined && { object_path: result.object_path }),
    created_at: proposal.created_at,
    expires_at: proposal.expires_at,
  };
}
