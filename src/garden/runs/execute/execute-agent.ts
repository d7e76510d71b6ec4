import { executeFlow } from "./execute-flow.ts";
import { executePrompt } from "./execute-prompt.ts";
import type { Executed, Execution } from "./executed.ts";
import { procedureOf } from "./procedure.ts";

export type { Executed } from "./executed.ts";

/** Carries out an agent: the whole procedure handed to a model, or icon by icon (R-1a). Never throws: how it ended is a value. */
export async function executeAgent(execution: Execution): Promise<Executed> {
  const { contract, body, diagrams } = execution;
  const reading = procedureOf(contract, body, diagrams);
  return contract.execution === "flow" ? executeFlow(execution, reading) : executePrompt(execution, reading);
}
