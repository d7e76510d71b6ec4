import { z } from "zod";
import { canonicalId, isJson } from "../../base/canonical.ts";
import { type FailureCode, type FailureRecord, failureTable } from "../../base/failure.ts";

/**
 * One record of a run's journal, `steps/NN-<name>.json`: created once, when the work is done, and never changed. It contains the
 * request (position, name, hash of the input), so that a program that now makes a different request is detected before it acts.
 */
export const stepKinds = ["step", "model", "tool"] as const;
export type StepKind = (typeof stepKinds)[number];

/** Enough for a `flow` run of a thousand icons, with a model call and some tools each. */
export const MAX_STEPS = 10_000;
/** Maximum size of one input or output as JSON. Larger values belong in an object of their own. */
export const MAX_STEP_BYTES = 4 * 1024 * 1024;
/** O-3: pauses before the retries of a step. */
export const RETRY_PAUSES_MS: readonly number[] = [1000, 2000, 4000];
/** O-3: time limit of one recorded call. */
export const CALL_LIMIT_MS = 120_000;

const at = z.iso.datetime();
const hash = z.string().regex(/^[0-9a-f]{40}$/);
const text = z.strictObject({ uk: z.string(), en: z.string() });

/** Validates without copying: a copy drops a key called `__proto__`, and a replay would return another value. */
const json = z.custom<z.core.util.JSONType>(isJson);

export const stepName = z.string().regex(/^[a-z][a-z0-9-]{0,59}$/);
const position = z.int().positive().max(MAX_STEPS);

const failureCodes = Object.keys(failureTable) as [FailureCode, ...FailureCode[]];

/** A recorded failure: a replay of the step throws the same one. */
const recordedFailure = z.strictObject({
  code: z.enum(failureCodes),
  text,
  hint: text.exactOptional(),
  details: z.record(z.string(), z.json()).default({}),
  outcome: z.enum(["none", "unknown"]),
}) satisfies z.ZodType<FailureRecord>;

const tokens = z.strictObject({ input: z.int().nonnegative(), output: z.int().nonnegative() });
const proposals = z.array(z.string()).max(1000);

/** Facts that work may record beside its result. */
export const stepNotes = z.strictObject({
  tokens: tokens.optional(),
  proposals: proposals.optional(),
  /** Seconds that the step has waited for the rate limit. */
  waited_s: z.number().positive().optional(),
});
export type StepNotes = z.infer<typeof stepNotes>;

export const stepRecord = z
  .strictObject({
    position,
    name: stepName,
    kind: z.enum(stepKinds),
    input_hash: hash,
    input: json,
    /** The place in the logic: an icon of a diagram, a line of the pseudocode. */
    diagram: z.string().optional(),
    icon: z.string().optional(),
    line: z.int().positive().optional(),
    started_at: at,
    finished_at: at,
    /** The attempt that gave this result; failed attempts before it have records of their own. */
    attempt: z.int().positive(),
    /** Exactly one of the two. */
    output: json.optional(),
    failure: recordedFailure.optional(),
    tokens: tokens.optional(),
    waited_s: z.number().positive().optional(),
    /** Proposals created by this step. */
    proposals: proposals.default([]),
    /** Fencing token of the lease, if the run was leased (`lease.ts`). */
    epoch: z.int().nonnegative().optional(),
    /** Operation id: after a lost answer, the writer recognises its own record by it. */
    op: z.string(),
  })
  .refine((record) => (record.output === undefined) !== (record.failure === undefined), "output or failure");
export type StepRecord = z.infer<typeof stepRecord>;

/** Mark that a call which must not be repeated is about to begin. */
export const stepBegun = z.strictObject({ position, name: stepName, input_hash: hash, at, op: z.string() });

/** A failed attempt that left the step open. */
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

/** Parses a key of the `steps/` folder (`03-load-context.json`); undefined for a foreign name. */
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
