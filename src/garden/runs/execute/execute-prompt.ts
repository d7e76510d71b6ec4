import { withInput } from "../../../domain/run/run-block.ts";
import type { Briefing } from "../../../ports/runtime.ts";
import { claimsOf } from "./claims.ts";
import type { Executed, Execution } from "./executed.ts";
import { contextNames, wholeProcedure } from "./instructions.ts";
import type { ProcedureReading } from "./procedure.ts";

/** `execution: prompt`: the model is handed the whole body and trusted with it, and says with each call where it is. */
export async function executePrompt(execution: Execution, reading: ProcedureReading): Promise<Executed> {
  const { contract, tools, runtime, journal, signal } = execution;
  const names = contextNames(contract);
  const briefing: Briefing = {
    ...execution.briefing,
    input: { ...names, ...execution.briefing.input },
    prompt: withInput(execution.briefing.prompt, names),
  };
  // Prose, or a procedure that only a model can make sense of: there are no lines to speak of.
  if (reading.kind !== "procedure") return runtime.act(briefing, tools, journal, signal);
  const { procedure } = reading;
  const claims = claimsOf(procedure.main, tools, journal, procedure.language);
  const instructions = wholeProcedure(briefing.instructions, procedure);
  const acted = await runtime.act({ ...briefing, instructions }, claims.tools, claims.journal, signal);
  return { ...acted, conformance: claims.conformance() };
}
