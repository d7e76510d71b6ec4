import { z } from "zod";
import { Failure } from "../../../../base/failure.ts";
import { group } from "../../../../domain/text/checked-yaml.ts";
import { agentField } from "../input-fields.ts";
import { textInput, textOfInput } from "../text-input.ts";
import { gardenTool } from "../tool.ts";
import { PROPOSE_LIMIT_MS, submitProposal } from "./submit-proposal.ts";

/**
 * A change of logic in the shapes of source 000 §4.6 and §5.2, or as `pseudocode` and `diagram`; `toVersion` proposes a rollback. A
 * person always decides (L-6). The gate validates the shapes; the tool only knows their fields.
 */
const runs = z.array(z.string(), "runs").max(1000, "runs");
const text = z.string("text");

export const proposeLogicUpdateTool = gardenTool({
  name: "propose-logic-update",
  description: {
    en: "Propose a change of an agent's logic: content (pseudocode), or diagram, or proposedChanges; rationale says the problem; evidenceRuns are runs that show it. toVersion instead: back to that version.",
    uk: "Запропонуй зміну логіки агента: content (псевдокод), або diagram, або proposedChanges; rationale називає проблему; evidenceRuns — запуски, що її показують. Натомість toVersion: повернення до тієї версії.",
  },
  input: group({
    content: textInput.optional(),
    pseudocode: text.optional(),
    diagram: z.union([text, z.record(z.string(), z.json())], "diagram").optional(),
    proposedPseudo: text.optional(),
    proposedDrakon: z.union([text, z.record(z.string(), z.json())], "diagram").optional(),
    proposedChanges: z.record(z.string(), z.json(), "group").optional(),
    rationale: z.union([text, z.record(z.string(), z.json())], "rationale").optional(),
    reason: text.optional(),
    evidenceRuns: runs.optional(),
    currentVersion: text.optional(),
    toVersion: text.optional(),
    priority: z.enum(["normal", "high"], "priority").optional(),
    agent: agentField.nullish(),
    agentId: agentField.nullish(),
    targetAgentId: agentField.nullish(),
    summary: text.optional(),
    optimizerRunId: text.optional(),
    requiresHumanReview: z.literal(true, "review-required").optional(),
  }),
  idempotent: true,
  limitMs: PROPOSE_LIMIT_MS,
  async call({ content, reason, summary, agent: one, agentId, targetAgentId, rationale, ...change }, context, call) {
    const { optimizerRunId } = change;
    if (optimizerRunId !== undefined && optimizerRunId !== context.run) throw otherRun(optimizerRunId, context.run);
    const target = one ?? targetAgentId ?? agentId ?? context.slug;
    const action = change.toVersion === undefined ? "logic-update" : "logic-rollback";
    const pseudocode = content === undefined ? {} : { pseudocode: textOfInput(content) };
    const isOptimizer = target !== context.slug && action === "logic-update";
    return submitProposal(context, call, {
      action,
      payload: {
        ...pseudocode,
        ...change,
        agent: target,
        rationale: rationale ?? reason,
        ...(isOptimizer && { optimizerRunId: context.run }),
        requiresHumanReview: true,
      },
      summary: summary ?? "", // the gate makes a title from the reason
      reasoning: reason,
    });
  },
});

const otherRun = (given: string, own: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `optimizerRunId is ${given}, but this run is ${own}`,
    uk: `optimizerRunId — ${given}, а цей запуск — ${own}`,
    hint: { en: "Leave it out: it is filled in.", uk: "Пропустіть його: він заповнюється сам." },
  });
