import { z } from "zod";
import { assert } from "../../../base/assert.ts";
import { asFailure, type Failure } from "../../../base/failure.ts";
import { MAX_GOAL, SPAWN_AGENT, type SubRun } from "../../../domain/run/sub-run.ts";
import { group } from "../../../domain/text/checked-yaml.ts";
import { callEnd } from "../../../ports/runtime.ts";
import { isFlowStopped } from "../../core/flow/decision-needed.ts";
import { usedInResult } from "../sub-agents/budget.ts";
import { waitsForSubAgent } from "../sub-agents/failures.ts";
import { openSubRun } from "../sub-agents/open-sub-run.ts";
import { subRunResult } from "../sub-agents/sub-run-result.ts";
import { isSubRunOver } from "../sub-agents/sub-runs.ts";
import { agentField, folderField } from "./input-fields.ts";
import { workspaceOf } from "./notes/branch-tools.ts";
import { type GardenTool, gardenTool } from "./tool.ts";

const input = group({
  agent: agentField,
  goal: z.string("goal").min(1, "goal").max(MAX_GOAL, "goal"),
  /** Values by name; any other value gets the name `input`. */
  input: z.json().optional(),
  folders: z.array(folderField, "folders").min(1, "folders").max(100, "folders").optional(),
});

/**
 * Has another agent do a part of the work on a branch of its own, which is merged when that agent's run is over. The run waits
 * meanwhile and occupies nothing. A sub-agent may do no more than the run that asks for it.
 */
export const spawnAgentTool: GardenTool = (context) => {
  /** The sub-agent that the next call is about, or why there is none: the step records either. */
  let opened: SubRun | Failure | undefined;
  const tool = gardenTool({
    name: SPAWN_AGENT,
    description: {
      en: "Have another agent of the garden do a part of the work, and wait for it: agent is its slug, goal says what to do, input are further values, folders narrow what it sees. Its branch is merged into yours. Result: status, answer, files, conflicts.",
      uk: "Доручи частину роботи іншому агентові саду й дочекайся: agent — його slug, goal — що зробити, input — інші значення, folders звужують те, що він бачить. Його гілку буде злито з твоєю. Результат: status, answer, files, conflicts.",
    },
    input,
    idempotent: true,
    async awaits(asked, number) {
      try {
        opened = await openSubRun({ ...context, workspace: workspaceOf(context) }, number, asked);
      } catch (thrown) {
        if (isFlowStopped(thrown) || callEnd(thrown) !== undefined) throw thrown;
        opened = asFailure(thrown);
        return undefined;
      }
      const { slug, run, garden } = context;
      return (await isSubRunOver(garden.store, { slug, run }, opened.id)) ? undefined : waitsForSubAgent(opened);
    },
    async call(_, __, call) {
      assert(opened !== undefined, "a sub-agent is asked for before its step");
      if (!("child" in opened)) throw opened;
      return await subRunResult(context, opened, call);
    },
  })(context);
  return { ...tool, spent: usedInResult };
};
