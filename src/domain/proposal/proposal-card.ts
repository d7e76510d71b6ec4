import { z } from "zod";
import { entrySource } from "../identity.ts";
import { actions } from "./action.ts";
import { changePreview } from "./change-preview.ts";
import { type Proposal } from "./proposal.ts";
import { proposalStates } from "./proposal-state.ts";

const at = z.iso.datetime();

/** The summary in lists and views: enough to choose by, without the content. */
export const proposalCard = z.object({
  id: z.string(),
  status: z.enum(proposalStates),
  action: z.enum(actions),
  target: z.string(),
  summary: z.string(),
  preview: changePreview.optional(),
  source: entrySource,
  forked_from: z.string().optional(),
  priority: z.enum(["normal", "high"]),
  digest: z.string(),
  created_at: at,
  expires_at: at,
  decided_at: at.optional(),
  decided_by: z.string().optional(),
  decision_note: z.string().optional(),
  /** P-6a: the end of the grace of an approval. */
  apply_after: at.optional(),
  /** P-10c: rejected and sent back to its agent. */
  revision_requested: z.object({ run: z.string() }).optional(),
  /** P-10c: the proposal that this one revises. */
  revises: z.string().optional(),
  /** P-10a: the reason why the last approval could not be applied and the proposal is pending again. */
  returned: z.object({ uk: z.string(), en: z.string() }).optional(),
  git_commit: z.string().optional(),
  object_path: z.string().optional(),
  /** In answers only: the reason why an approved proposal is not applied yet (a running git command). */
  waiting: z.object({ uk: z.string(), en: z.string() }).optional(),
});
export type ProposalCard = z.infer<typeof proposalCard>;

export function cardOf(proposal: Proposal): ProposalCard {
  const { id, status, action, target, summary, source, priority, digest, created_at, expires_at } = proposal;
  const { approval, apply_result: result } = proposal;
  const card = { id, status, action, target, summary, source, priority, digest, created_at, expires_at };
  return {
    ...card,
    ...(proposal.preview && { preview: proposal.preview }),
    ...(proposal.forked_from !== undefined && { forked_from: proposal.forked_from }),
    ...(approval && { decided_at: approval.decided_at, decided_by: approval.decided_by }),
    ...(approval?.decision_note !== undefined && { decision_note: approval.decision_note }),
    ...(approval?.apply_after !== undefined && { apply_after: approval.apply_after }),
    ...(approval?.revision_requested && { revision_requested: approval.revision_requested }),
    ...(proposal.revises !== undefined && { revises: proposal.revises }),
    ...(status === "pending" && proposal.returned && { returned: proposal.returned.why }),
    ...(result?.git_commit !== undefined && { git_commit: result.git_commit }),
    ...(result?.object_path !== undefined && { object_path: result.object_path }),
  };
}

/** Proposals of one sender, and of one run where it is an agent's. */
export interface ProposalGroup {
  /** The sender's identity. */
  readonly identity: string;
  readonly type: ProposalCard["source"]["type"];
  readonly run_id?: string;
  readonly count: number;
  /** The oldest ones. */
  readonly proposals: readonly ProposalCard[];
}
