import { z } from "zod";
import { slugField } from "../identity.ts";
import { runId } from "./run-manifest.ts";

/**
 * The question of a held run to a person (O-6), and the answer. Both are objects of the run, created once:
 * `requests/<id>.json` and `answers/<id>.json`. A request is open exactly while it has no answer.
 */
export const requestForms = ["review", "choice", "number", "text"] as const;

/** Reason of the request: the logic asks, or the run cannot decide how to continue (`flow/decision-needed.ts`). */
export const requestReasons = ["asked", "in-flight", "changed", "interrupted"] as const;

export const MAX_QUESTION = 20_000;
export const MAX_OPTIONS = 100;

/** The question of the interpreter or the tool `ask-human`. `values` are the data it concerns. */
export const ask = z.strictObject({
  question: z.string().min(1).max(MAX_QUESTION),
  form: z.enum(requestForms).default("text"),
  options: z.array(z.string().min(1).max(500)).min(1).max(MAX_OPTIONS).optional(),
  values: z.record(z.string(), z.json()).optional(),
});
export type HumanAsk = z.infer<typeof ask>;

const at = z.iso.datetime();
export const runRequestId = z.string().regex(/^req_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}_[a-z]?\d{2,5}$/);

export const personRequest = z.strictObject({
  id: runRequestId,
  run_id: runId,
  agent_slug: slugField,
  reason: z.enum(requestReasons),
  ask,
  diagram: z.string().optional(),
  icon: z.string().optional(),
  line: z.int().positive().optional(),
  asked_at: at,
  op: z.string(),
});
export type PersonRequest = z.infer<typeof personRequest>;

/** S-8a: the decision. `note` is the rationale; `request_hash` covers the answered question. */
export const personAnswer = z.strictObject({
  request: runRequestId,
  run_id: runId,
  agent_slug: slugField,
  value: z.json(),
  by: z.string().min(1),
  note: z.string().max(20_000).optional(),
  answered_at: at,
  request_hash: z.string().regex(/^[0-9a-f]{40}$/),
  /** S-8: the decision commit on the branch of the run's session. */
  decision: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional(),
  op: z.string(),
});
export type PersonAnswer = z.infer<typeof personAnswer>;

/** The same in every replay: the run and the number of its question (`02`), or of its uncertain call (`c07`). */
export const requestIdOf = (run: string, tag: string): string => `req_${run.slice("run_".length)}_${tag}`;

/** The run that a request belongs to, from its id. */
export const runOfRequest = (id: string): string | undefined =>
  runRequestId.safeParse(id).success ? `run_${id.slice("req_".length, id.lastIndexOf("_"))}` : undefined;
