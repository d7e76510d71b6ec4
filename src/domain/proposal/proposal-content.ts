import { z } from "zod";
import type { Operation } from "./operation.ts";

/** Maximum length of the passage that a citation quotes. */
export const MAX_QUOTE = 1000;
export const MOST_CITATIONS = 200;

/** P-5a: the place that a proposal rests on: a note, a line of it, the text there, the run step that produced it. */
export const proposalCitation = z.strictObject({
  source: z.string().min(1).max(1000),
  line: z.int().positive().optional(),
  quote: z.string().optional(),
  step: z.int().positive().optional(),
});
export type ProposalCitation = z.infer<typeof proposalCitation>;

/** P-5: the content of a proposal. `text` is missing if the change is not a text (tags, operations on memory, a merge). */
export const proposalContent = z.strictObject({
  summary: z.string(),
  text: z.string().optional(),
  reasoning: z.string().optional(),
  citations: z.array(proposalCitation),
});
export type ProposalContent = z.infer<typeof proposalContent>;

export function contentOf(made: {
  readonly summary: string;
  readonly reasoning?: string | undefined;
  readonly citations?: readonly ProposalCitation[] | undefined;
  readonly operation: Operation;
}): ProposalContent {
  const { operation } = made;
  const text = textOf(operation);
  const cited = made.citations ?? (operation.action === "propose-summary" ? operation.payload.citations : []);
  return {
    summary: made.summary,
    ...(text !== undefined && { text }),
    ...(made.reasoning !== undefined && { reasoning: made.reasoning }),
    citations: [...cited],
  };
}

function textOf({ action, payload }: Operation): string | undefined {
  switch (action) {
    case "propose-note":
    case "propose-edit":
    case "propose-comment":
    case "propose-summary":
      return payload.text;
    case "propose-artifact":
      return payload.body.kind === "text" ? payload.body.text : undefined;
    case "logic-update":
      return payload.pseudocode ?? payload.diagram;
    default:
      return undefined;
  }
}
