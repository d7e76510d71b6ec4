import { z } from "zod";
import { canonicalId, isJson } from "../../base/canonical.ts";
import { type FailureCode, type FailureRecord, failureTable } from "../../base/failure.ts";

/**
 * One record of a run's journal, `steps/NN-<name>.json`: created once, when the work is done, and never changed. It says
 * what was asked for (position, name, hash of the input), so that a program which now asks for something else is noticed
 * before anything happens.
 */
export const stepKinds = ["step", "model", "tool"] as const;
export type StepKind = (typeof stepKinds)[number];

/** A `flow` run of a thousand icons, with a model call and some tools each. */
export const MAX_STEPS = 10_000;
/** Of one output or input, as JSON. What is larger belongs into an object of its own. */
export const MAX_STEP_BYTES = 4 * 1024 * 1024;
/** O-3: the step's own retries, after 1 s, 2 s and 4 s. */
export const RETRY_PAUSES_MS: readonly number[] = [1000, 2000, 4000];
/** O-3: one recorded call. */
export const CALL_LIMIT_MS = 120_000;

const at = z.iso.datetime();
const hash = z.string().regex(/^[0-9a-f]{40}$/);
const text = z.strictObject({ uk: z.string(), en: z.string() });

/** Checked and not copied: a copy leaves a key called `__proto__` out, and a replay would give another value than the first time. */
const json = z.custom<z.core.util.JSONType>(isJson);

export const stepName = z.string().regex(/^[a-z][a-z0-9-]{0,59}$/);
const position = z.int().positive().max(MAX_STEPS);

const failureCodes = Object.keys(failureTable) as [FailureCode, ...FailureCode[]];

/** A failure as it stands in a journal: whoever replays the step meets the same one. */
const recordedFailure = z.strictObject({
  code: z.enum(failureCodes),
  text,
  hint: text.exactOptional(),
  details: z.record(z.string(), z.json()).default({}),
  outcome: z.enum(["none", "unknown"]),
}) satisfies z.ZodType<FailureRecord>;

const tokens = z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() });
const proposals = z.array(z.string()).max(1000);

/** What work may put on record beside its result. */
export const stepNotes = z.strictObject({ tokens: tokens.optional(), proposals: proposals.optional() });
export type StepNotes = z.infer<typeof stepNotes>;

export const stepRecord = z
  .strictObject({
    position,
    name: stepName,
    kind: z.enum(stepKinds),
    input_hash: hash,
    input: json,
    /** Where in the logic it belongs: the icon of a diagram, the line of the pseudocode. */
    diagram: z.string().optional(),
    icon: z.string().optional(),
    line: z.int().positive().optional(),
    started_at: at,
    finished_at: at,
    /** Which attempt gave this result; attempts that failed before it have records of their own. */
    attempt: z.int().positive(),
    /** Exactly one of the two. */
    output: json.optional(),
    failure: recordedFailure.optional(),
    tokens: tokens.optional(),
    /** Proposals that came of it. */
    proposals: proposals.default([]),
    /** The holder's number in the order of holders, where somebody held the run (`lease.ts`). */
    epoch: z.int().nonnegative().optional(),
    /** Whose write this was: after a lost answer, the writer knows its own record by it. */
    op: z.string(),
  })
  .refine((record) => (record.output === undefined) !== (record.failure === undefined), { error: "output or failure" });
export type StepRecord = z.infer<typeof stepRecord>;

/** That an act which must not happen twice was about to begin. */
export const stepBegun = z.strictObject({ position, name: stepName, input_hash: hash, at, op: z.string() });

/** One attempt that failed and left the step open. */
export const failedAttempt = z.strictObject({
  position,
  name: stepName,
  input_hash: hash,
  attempt: z.int().positive(),
  at,
  failure: recordedFailure,
});

export const inputHash = (input: unknown): string => (input == null ? HASH_OF_NULL : canonicalId(input));
const HASH_OF_NULL = canonicalId(null);

/** `03-load-context` and what follows it, from a key of the `steps/` folder; undefined for a name that is none of ours. */
export function stepKeyParts(
  key: string,
): { position: number; name: string; part: "record" | "begun" | "failed" } | undefined {
  const match = /\/steps\/(\d{2,5})-([a-z][a-z0-9-]{0,59})(\.begun(?:-[2-9]|-[1-9]\d)?|\.failed-[1-9]\d?)?\.json$/.exec(
    key,
  );
  if (!match) return undefined;
  const [, number, name, rest] = match;
  const part = rest === undefined ? "record" : rest.startsWith(".begun") ? "begun" : "failed";
  return { position: Number(number), name: name!, part };
}
