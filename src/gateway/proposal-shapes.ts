import { z } from "zod";
import { sourceTypes } from "../domain/identity.ts";
import { operation } from "../domain/proposal/operation.ts";
import { proposalMade } from "../domain/proposal/proposal.ts";
import { proposalCard } from "../domain/proposal/proposal-card.ts";
import { proposalCitation, proposalContent } from "../domain/proposal/proposal-content.ts";
import { proposalStates } from "../domain/proposal/proposal-state.ts";
import { remark } from "../domain/proposal/remark.ts";
import { textShape } from "./shapes.ts";

/** A proposal in answers (P-5). */
const { type: _, ...made } = proposalMade.shape;

export const proposalAnswer = z
  .object({
    ...made,
    operation: operation.meta({ id: "Operation" }),
    content: proposalContent,
    status: z.enum(proposalStates),
    approval: z
      .object({
        decided_by: z.string(),
        decided_at: z.iso.datetime(),
        decision: z.enum(["approved", "auto_approved", "rejected", "expired"]),
        decision_note: z.string().optional(),
        digest: z.string(),
        effect: z.string(),
        /** The edited copy that was approved in place of this proposal. */
        superseded_by: z.string().optional(),
        report: z.string().optional(),
        /** P-6a: the end of the grace: until then nothing is applied. */
        /** The files of a merge that were approved; all if left out. */
        files: z.array(z.string()).optional(),
        apply_after: z.iso.datetime().optional(),
        /** P-10c: sent back; this run makes the revision. */
        revision_requested: z.object({ run: z.string() }).optional(),
      })
      .optional(),
    /** P-6a: the last approval that was withdrawn. */
    withdrawn: z.object({ by: z.string(), at: z.iso.datetime() }).optional(),
    /** P-10a: the reason why the last approval could not be applied and the proposal is pending again. */
    returned: z.object({ at: z.iso.datetime(), why: textShape }).optional(),
    apply_result: z
      .object({
        git_commit: z.string().optional(),
        object_path: z.string().optional(),
        events: z.array(z.string()),
        error: z
          .object({ code: z.string(), message: textShape, details: z.record(z.string(), z.unknown()) })
          .optional(),
        at: z.iso.datetime(),
      })
      .optional(),
    /** The reason why an approved proposal is not applied yet: a git command is running. It is applied when that ends. */
    waiting: textShape.optional(),
  })
  .meta({ id: "Proposal" });

const conflict = z.object({
  path: z.string(),
  why: textShape,
  hunks: z.array(z.object({ line: z.int(), ours: z.string(), theirs: z.string() })),
});

/** A file of a review. Its two moves: `moved_from` at the new path, `moved_to` at the old one. */
export const reviewFileAnswer = z.object({
  path: z.string(),
  change: z.enum(["added", "changed", "removed"]),
  patch: z.string(),
  bytes: z.int().optional(),
  moved_from: z.string().optional(),
  moved_to: z.string().optional(),
  /** In a merge: lines that the patch adds and removes. */
  lines: z.object({ added: z.int(), removed: z.int() }).optional(),
  /** The patch is left out: `GET /proposals/:id/files` has it. */
  cut: z.literal(true).optional(),
});

/** P-10a: the effect that a person reviews. A decision must name this `digest`. */
export const reviewAnswer = z
  .object({
    digest: z.string(),
    effect: z.string().optional(),
    files: z.array(reviewFileAnswer),
    /** The change in sentences (memory). */
    sentences: z.array(textShape),
    /** The lines that a comment is about. */
    about: z
      .object({
        path: z.string(),
        line: z.int(),
        lines: z.array(z.object({ number: z.int(), text: z.string() })),
      })
      .optional(),
    merged: z.boolean(),
    conflicts: z.array(conflict),
    refusal: z.object({ code: z.string(), text: textShape, hint: textShape.optional() }).optional(),
    nothing: textShape.optional(),
    /** M-4: the newer update of the same agent that has set everything that this one would set. */
    superseded_by: z.string().optional(),
    head: z.string(),
    warnings: z.array(textShape),
    words: z.object({
      summary: z.string(),
      reasoning: z.string().optional(),
      citations: z.array(proposalCitation),
    }),
  })
  .meta({ id: "Review" });

/** P-10c: a remark on a proposal. */
export const remarkAnswer = z.object(remark.omit({ op: true }).shape).meta({ id: "Remark" });

/** One side of a changed file. */
export const fileSide = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("text"), text: z.string() }),
  z.object({ kind: z.literal("bytes"), base64: z.string() }),
]);

const card = proposalCard.meta({ id: "ProposalCard" });

export const groupsAnswer = z.object({
  groups: z.array(
    z
      .object({
        identity: z.string(),
        type: z.enum(sourceTypes),
        run_id: z.string().optional(),
        count: z.int(),
        proposals: z.array(card),
      })
      .meta({ id: "ProposalGroup" }),
  ),
  /** False if more wait than were counted. */
  whole: z.boolean(),
});

export const cardPage = z.object({
  proposals: z.array(card),
  next: z.string().optional(),
});
