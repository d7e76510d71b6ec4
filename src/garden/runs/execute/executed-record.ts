import { z } from "zod";
import type { Json } from "../../../base/canonical.ts";
import { type FailureRecord, failureFromRecord, failureToRecord } from "../../../base/failure.ts";
import type { Ending } from "../verdict.ts";
import type { Executed } from "./execution.ts";

const facts = {
  turns: z.int().nonnegative(),
  tokens: z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() }),
  toolCalls: z.int().nonnegative(),
  /** R-5a: calls that the model asked for and that were not made. */
  denied: z.array(z.strictObject({ tool: z.string(), why: z.string() })),
  conformance: z.record(z.string(), z.json()).optional(),
};
/** Without `held` and `needs-decision`: such a run has not ended. */
const stops = ["turns", "budget", "aborted", "model", "no-answer", "tool", "procedure"] as const;

/** The output of the step `execute-agent`: how the execution ended, and its figures. */
export const executedRecord = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("answered"), text: z.string(), value: z.json().optional(), ...facts }),
  z.strictObject({
    kind: z.literal("stopped"),
    why: z.enum(stops),
    failure: z.custom<FailureRecord>((value) => typeof value === "object" && value !== null),
    ...facts,
  }),
]);

/** As plain JSON. The names of tools come from the model: they are cut and made well-formed. */
export function toExecutedRecord(executed: Exclude<Executed, { kind: "later" }>): Json {
  const { turns, toolCalls, conformance } = executed;
  const denied = executed.denied.map(({ tool, why }) => ({ tool: tool.toWellFormed().slice(0, 200), why }));
  const common = {
    turns,
    tokens: { ...executed.tokens },
    toolCalls,
    denied,
    ...(conformance && { conformance: conformance as unknown as Json }),
  };
  if (executed.kind === "stopped")
    return JSON.parse(
      JSON.stringify({ kind: "stopped", why: executed.why, failure: failureToRecord(executed.failure), ...common }),
    ) as Json;
  const text = executed.text.toWellFormed();
  return { kind: "answered", text, ...(executed.value !== undefined && { value: executed.value }), ...common };
}

export const endingOf = (record: z.infer<typeof executedRecord>): Ending =>
  record.kind === "answered"
    ? { kind: "answered", text: record.text }
    : { kind: "stopped", why: record.why, failure: failureFromRecord(record.failure) };
