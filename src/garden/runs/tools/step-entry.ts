import type { StepRecord } from "../../../domain/run/run-step.ts";
import type { LogicPlace } from "../../../ports/runtime.ts";
import type { NewTraceEntry } from "../../sessions/trace-buffer.ts";

export interface CalledTool {
  readonly name: string;
  readonly input: unknown;
}

/** Longer texts are cut in the trace; the step's record has them whole. */
const LONGEST = 20_000;

/** S-6: a step of the run as an entry of the console. `step` is its number in the journal. */
export function stepEntry(record: StepRecord): NewTraceEntry {
  const { position, name, kind, input, output, failure, diagram, icon, line } = record;
  const result = failure ? `${failure.code}: ${failure.text.en}` : shown(output);
  return {
    kind,
    step: position,
    text: kind === "model" ? result : `${name} ${shown(input)}\n→ ${result}`,
    ...(diagram !== undefined && { diagram }),
    ...(icon !== undefined && { icon }),
    ...(line !== undefined && { line }),
  };
}

/** The call that makes a commit, before there is a result: its trace belongs to that commit. */
export const callEntry = (step: number, { name, input }: CalledTool, place: LogicPlace = {}): NewTraceEntry => ({
  kind: "tool",
  step,
  text: `${name} ${shown(input)}`,
  ...(place.diagram !== undefined && { diagram: place.diagram }),
  ...(place.icon !== undefined && { icon: place.icon }),
  ...(place.line !== undefined && { line: place.line }),
});

function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST).toWellFormed()}…`;
}
