import type { RunRequest } from "../../domain/run/run.ts";
import type { RunTool } from "../../ports/runtime.ts";
import type { callJournal } from "./call-journal.ts";
import { type ToolContext, toolsFor } from "./tools/tools.ts";
import { withoutEffects } from "./trial/trial-journal.ts";

/** The tools of a run. In an experiment nothing is called that acts outside of the sandbox. */
export function toolsOfRun(context: ToolContext, outsideTools: readonly RunTool[]): readonly RunTool[] {
  const own = toolsFor(context);
  if (!context.isExperiment) return [...own, ...outsideTools];
  return [...withoutEffects(own, false), ...withoutEffects(outsideTools, true)];
}

/** The answer that an experiment gives to one of its questions. */
export function whatIfOf({ forked_from, by }: RunRequest): Parameters<typeof callJournal>[0]["whatIf"] {
  const given = forked_from?.what_if?.answer;
  return given && { question: given.question, answer: { value: given.value, note: given.note, by } };
}
