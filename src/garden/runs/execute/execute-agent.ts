import { withInput } from "../../../domain/run/run-block.ts";
import type { Briefing } from "../../../ports/runtime.ts";
import { executeFlow } from "./execute-flow.ts";
import type { Executed, Execution } from "./execution.ts";
import { contextNames, wholeProcedure } from "./instructions.ts";
import { withLineClaims } from "./line-claims.ts";
import { type ProcedureReading, readProcedure } from "./procedure.ts";

/**
 * Executes an agent (R-1a): `execution: prompt` hands the whole procedure to a model, `execution: flow` walks the diagram icon by
 * icon. Never throws: the result says how it ended.
 */
export async function executeAgent(execution: Execution): Promise<Executed> {
  const { contract, body, diagrams } = execution;
  const reading = readProcedure(contract, body, diagrams);
  return contract.execution === "flow" ? executeFlow(execution, reading) : executePrompt(execution, reading);
}

/** The model gets the whole body and reports with each call which lines it has passed. */
async function executePrompt(execution: Execution, reading: ProcedureReading): Promise<Executed> {
  const { contract, tools, runtime, journal, signal } = execution;
  const names = contextNames(contract);
  const briefing: Briefing = {
    ...execution.briefing,
    input: { ...names, ...execution.briefing.input },
    prompt: withInput(execution.briefing.prompt, names),
  };
  // Prose, or a procedure that cannot be parsed: there are no lines to report.
  if (reading.kind !== "procedure") return runtime.act(briefing, tools, journal, signal);
  const { procedure } = reading;
  const claims = withLineClaims(procedure.main, tools, journal, procedure.language);
  const instructions = wholeProcedure(briefing.instructions, procedure);
  const acted = await runtime.act({ ...briefing, instructions }, claims.tools, claims.journal, signal);
  return { ...acted, conformance: claims.conformance() };
}
