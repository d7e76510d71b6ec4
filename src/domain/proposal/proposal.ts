import { z } from "zod";
import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";
import { entrySource } from "../identity.ts";
import { actions } from "./action.ts";
import { type ApplyPlan, applyPlan } from "./apply-plan.ts";
import { changePreview } from "./change-preview.ts";
import { operation } from "./operation.ts";
import { contentOf, type ProposalContent, proposalCitation } from "./proposal-content.ts";
import { hasGrace } from "./proposal-grace.ts";
import { invalidMove, type ProposalState, proposalMoves } from "./proposal-state.ts";

/**
 * A proposal is a list of numbered events, `proposals/log/<id>/0000.json` and on, each created once: the writer that
 * loses the race for a number loses the race for the decision (P-6). The changing fields of the source documents are
 * the fold of these events. This file defines everything that can happen to a proposal.
 */
const hash = z.string().regex(/^[0-9a-f]{40}$/);
const at = z.iso.datetime();

/** The base of the operation: main at that time, and the blob of its target there (undefined: no such file). */
const base = z.strictObject({ revision: hash, target_hash: hash.optional() });

/** The immutable part (P-5). `digest` covers everything it would do: `digestOf`. */
export const proposalMade = z.strictObject({
  type: z.literal("made"),
  id: z.string().regex(/^prop_/),
  entry_id: z.string(),
  source: entrySource,
  /** `archivist v1.2.0` and `v007`: the versions when the agent proposed. */
  agent: z.strictObject({ slug: z.string(), version: z.string(), logic: z.string().optional() }).optional(),
  /** Proposed by a fork of this run: needs a person, regardless of rules (O-7). */
  forked_from: z.string().optional(),
  action: z.enum(actions),
  target: z.string(),
  operation,
  base,
  /** Id of its changes (`effectId`): unchanged by a merge that keeps its hunks. */
  effect: z.string(),
  digest: z.string(),
  preview: changePreview.optional(),
  /** The proposer's words, shown as such. */
  summary: z.string(),
  reasoning: z.string().optional(),
  citations: z.array(proposalCitation).optional(),
  correlation_id: z.string(),
  priority: z.enum(["normal", "high"]),
  edits: z.string().optional(),
  reverts: z.string().optional(),
  /** P-10c: the proposal that was sent back, and that this one revises. */
  revises: z.string().optional(),
  created_at: at,
  expires_at: at,
});
export type ProposalMade = z.infer<typeof proposalMade>;

const event = <Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.strictObject({
    type: z.literal(type),
    /** Operation id: after a lost answer, the writer recognises its own event by it. */
    op: z.string(),
    at,
    ...shape,
  });

export const proposalEvent = z.discriminatedUnion("type", [
  proposalMade,
  event("decided", {
    decision: z.enum(["approved", "auto_approved", "rejected", "expired"]),
    by: z.string(),
    via: z.string().optional(),
    /** The reason, required for a rejection. For `auto_approved`, the rule that matched. */
    note: z.string().optional(),
    /** Rejected because the owner approved an edited copy: the id of that proposal. */
    superseded_by: z
      .string()
      .regex(/^prop_[0-9a-z_-]{1,60}$/)
      .optional(),
    /** The digest that the decider saw (P-10a): the proposal's, or that of a merged effect. */
    digest: z.string(),
    effect: z.string(),
    /** main at the time of the review. */
    head: hash.optional(),
    /** For logic: the report required for approval (L-8). */
    report: z.string().optional(),
    /** The files of a merge that were approved; all if left out. `digest` and `effect` are those of these files. */
    files: z.array(z.string()).min(1).max(100_000).optional(),
    /** P-6a: until then nothing is applied, and the owner may withdraw the approval. */
    apply_after: at.optional(),
    /** P-10c: rejected and sent back; this run makes the revision. */
    revision_requested: z.strictObject({ run: z.string() }).optional(),
  }),
  /** P-6a: the owner took the approval back before anything was applied. */
  event("withdrawn", { by: z.string(), via: z.string().optional() }),
  event("applying", { attempt: z.int().positive(), by: z.string(), plan: applyPlan }),
  /** main moved during the attempt, or another process took it over: the same attempt, planned again. */
  event("planned", { attempt: z.int().positive(), plan: applyPlan }),
  event("applied", {
    git_commit: hash.optional(),
    object_path: z.string().optional(),
    /** `note/updated` and the like, for triggers. */
    events: z.array(z.string()),
  }),
  /** P-10a: the effect is not the approved one any more; nothing was changed, and the proposal waits for a new decision. */
  event("returned", { why: z.strictObject({ uk: z.string(), en: z.string() }) }),
  event("failed", {
    error: z.strictObject({
      code: z.string(),
      message: z.strictObject({ uk: z.string(), en: z.string() }),
      details: z.record(z.string(), z.json()).default({}),
    }),
  }),
]);
export type ProposalEvent = z.infer<typeof proposalEvent>;
export type ProposalChange = Exclude<ProposalEvent, ProposalMade>;
export type EventOf<T extends ProposalEvent["type"]> = Extract<ProposalEvent, { type: T }>;

/** A proposal in its current state: the fields of P-5. */
export interface Proposal extends Omit<ProposalMade, "type"> {
  readonly content: ProposalContent;
  readonly status: ProposalState;
  readonly approval:
    | {
        readonly decided_by: string;
        readonly decided_at: string;
        readonly decision_note: string | undefined;
        readonly decision: EventOf<"decided">["decision"];
        readonly digest: string;
        readonly effect: string;
        /** The edited copy that was approved in place of this proposal. */
        readonly superseded_by?: string;
        /** L-8: the report of the decision. */
        readonly report?: string;
        /** The files of a merge that were approved; all if left out. */
        readonly files?: readonly string[];
        /** P-6a: the end of the grace, if the approval has one. */
        readonly apply_after?: string;
        /** P-10c: the run that makes the revision. */
        readonly revision_requested?: { readonly run: string };
      }
    | undefined;
  /** P-6a: the last approval that was withdrawn. */
  readonly withdrawn?: { readonly by: string; readonly at: string };
  /** P-10a: the reason why the last approval could not be applied and the proposal is pending again. */
  readonly returned?: { readonly at: string; readonly why: Text };
  readonly apply_result:
    | {
        readonly git_commit: string | undefined;
        readonly object_path: string | undefined;
        readonly events: readonly string[];
        readonly error: EventOf<"failed">["error"] | undefined;
        readonly at: string;
      }
    | undefined;
  /** Every plan so far, oldest first: after a crash, the commit that is in main shows which one was applied. */
  readonly plans: readonly ApplyPlan[];
  readonly attempt: number;
  /** Number of events, which is the number of the next one. */
  readonly length: number;
  /** In answers, not in the record: the reason why an approved proposal is not applied yet (a running git command). */
  readonly waiting?: Text;
}

/** The state after an event; undefined for `planned`, which changes none. */
export const stateAfter = (change: ProposalChange): ProposalState | undefined =>
  change.type === "decided"
    ? change.decision
    : change.type === "withdrawn" || change.type === "returned"
      ? "pending"
      : change.type === "planned"
        ? undefined
        : change.type;

export function foldProposal(events: readonly ProposalEvent[]): Proposal {
  const [first, ...rest] = events;
  if (first?.type !== "made") throw broken("its first event is not the proposal itself");
  const { type: _, ...made } = first;
  let proposal: Proposal = {
    ...made,
    content: contentOf(made),
    status: "pending",
    approval: undefined,
    apply_result: undefined,
    plans: [],
    attempt: 0,
    length: 1,
  };
  for (const change of rest) proposal = afterEvent(proposal, change);
  return proposal;
}

/** The proposal after one more event. Throws INVALID_TRANSITION for a move that P-6 does not allow. */
export function afterEvent(proposal: Proposal, change: ProposalEvent): Proposal {
  if (change.type === "made") throw broken("it was made twice");
  const status = stateAfter(change) ?? proposal.status;
  if (change.type === "planned" ? proposal.status !== "applying" : !proposalMoves[proposal.status].includes(status))
    throw invalidMove(proposal, change.type === "planned" ? "applying" : status);
  const { returned: _, ...lasting } = proposal;
  const next = { ...lasting, status, length: proposal.length + 1 };
  switch (change.type) {
    case "decided":
      return {
        ...next,
        approval: {
          decided_by: change.by,
          decided_at: change.at,
          decision_note: change.note,
          decision: change.decision,
          digest: change.digest,
          effect: change.effect,
          ...(change.superseded_by !== undefined && { superseded_by: change.superseded_by }),
          ...(change.report !== undefined && { report: change.report }),
          ...(change.files && { files: change.files }),
          ...(change.apply_after !== undefined && { apply_after: change.apply_after }),
          ...(change.revision_requested && { revision_requested: change.revision_requested }),
        },
      };
    case "withdrawn":
      if (!hasGrace(proposal)) throw invalidMove(proposal, "pending");
      return { ...next, approval: undefined, withdrawn: { by: change.by, at: change.at } };
    case "returned":
      return { ...next, approval: undefined, apply_result: undefined, returned: { at: change.at, why: change.why } };
    case "applying":
      return { ...next, attempt: change.attempt, plans: [...proposal.plans, change.plan], apply_result: undefined };
    case "planned":
      return { ...next, plans: [...proposal.plans, change.plan] };
    case "applied":
      return {
        ...next,
        apply_result: {
          git_commit: change.git_commit,
          object_path: change.object_path,
          events: change.events,
          error: undefined,
          at: change.at,
        },
      };
    case "failed":
      return {
        ...next,
        apply_result: { git_commit: undefined, object_path: undefined, events: [], error: change.error, at: change.at },
      };
  }
}

const broken = (why: string): Failure =>
  new Failure("INTERNAL_ERROR", {
    en: `the record of a proposal is damaged: ${why}`,
    uk: `запис пропозиції пошкоджено: ${why}`,
  });
