import { z } from "zod";
import type { Json } from "../../base/canonical.ts";
import { type FailureRecord, failureFromRecord, failureToRecord } from "../../base/failure.ts";
import type { Executed } from "./execute/execute-agent.ts";
import type { Ending } from "./outcome.ts";

/** What the step `execute-agent` leaves on record: how the execution ended, and its figures. */
const tokens = z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() });
const facts = {
  turns: z.int().nonnegative(),
  tokens,
  toolCalls: z.int().nonnegative(),
  /** R-5a: calls that were asked for and not made. */
  denied: z.array(z.strictObject({ tool: z.string(), why: z.string() })),
  conformance: z.record(z.string(), z.json()).optional(),
};
/** Held and in need of a decision never get here: such a run has not ended. */
const stops = ["turns", "budget", "aborted", "model", "no-answer", "tool", "procedure"] as const;

export const executedRecord = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("answered"), text: z.string(), value: z.json().optional(), ...facts }),
  z.strictObject({
    kind: z.literal("stopped"),
    why: z.enum(stops),
    failure: z.custom<FailureRecord>((value) => typeof value === "object" && value !== null),
    ...facts,
  }),
]);
export type ExecutedRecord = z.infer<typeof executedRecord>;

/** As plain JSON. Names of tools come from the model: cut, and as text that can be stored. */
export function recordOf(executed: Exclude<Executed, { kind: "later" }>): Json {
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

export const endingIn = (record: ExecutedRecord): Ending =>
  record.kind === "answered"
    ? { kind: "answered", text: record.text }
    : { kind: "stopped", why: record.why, failure: failureFromRecord(record.failure) };
