import { z } from "zod";
import { requestForms, requestReasons } from "../domain/run/request.ts";
import { runStates } from "../domain/run/run.ts";
import { runTriggers } from "../domain/run/run-manifest.ts";
import { stepKinds } from "../domain/run/run-step.ts";
import { textShape } from "./shapes.ts";

/** Runs, steps and questions in answers. */
export const runIdField = z.string().regex(/^run_\d{4}-\d{2}-\d{2}_\d{6}_[0-9a-z]{6}$/, { error: "run" });
export const runParams = z.strictObject({ run: runIdField });

const value = z.unknown();
const outcome = z.object({
  kind: z.enum(["effects", "noop", "blocked", "failed"]),
  proposals: z.array(z.string()).optional(),
  files: z.int().optional(),
  reason: z.string().optional(),
  by: z.string().optional(),
});
const forkedFrom = z.object({ run: z.string(), step: z.int() });

export const costShape = z.object({ amount: z.number(), currency: z.string() });

export const runCardShape = z
  .object({
    run_id: z.string(),
    agent_slug: z.string(),
    state: z.enum(runStates),
    trigger: z.enum(runTriggers),
    requested_at: z.string(),
    started_at: z.string().optional(),
    finished_at: z.string().optional(),
    step: z.object({ position: z.int(), name: z.string() }).optional(),
    /** The step waits for the rate limit until this time. */
    waits_until: z.string().optional(),
    /** Id of the open request to a person; with the state `running`, of the request for a sub-agent. */
    waiting_for: z.string().optional(),
    outcome: outcome.optional(),
    proposals_created: z.int().optional(),
    /** The logic version that the run is pinned to. */
    logic_version: z.string().optional(),
    model_used: z.string().optional(),
    tokens_used: z.object({ input: z.int(), output: z.int() }).optional(),
    /** Once the run has ended, if `garden.yaml` has the price of its model. */
    cost: costShape.optional(),
    /** In lists: the input as one line, who or what started the run, and the slot or the event. */
    about: z.string().optional(),
    by: z.string().optional(),
    cause: z.string().optional(),
    forked_from: forkedFrom.optional(),
    /** S-7: its proposals are in the sandbox. */
    experiment: z.literal(true).optional(),
    /** The run that asked for this one, as its sub-agent. */
    asked_by: z.object({ agent: z.string(), run: z.string() }).optional(),
    /** O-3a: the held run that this one continues under another logic version, and the last step that both have. */
    moved_from: forkedFrom.optional(),
    /** D-6a: the run follows a contract that differs from its diagram: the links of the chain that are broken. */
    drift: z.array(z.string()).optional(),
  })
  .meta({ id: "Run" });

export const requestShape = z.object({
  run_id: z.string(),
  agent_slug: z.string(),
  trigger: z.enum(runTriggers),
  cause: z.string().optional(),
  by: z.string(),
  requested_at: z.string(),
  input: value.optional(),
  forked_from: forkedFrom.optional(),
  moved_from: forkedFrom.optional(),
});

/** A sub-agent that a run asked for. */
export const subRunShape = z
  .object({
    run_id: z.string(),
    agent_slug: z.string(),
    goal: z.string(),
    state: z.enum(runStates),
    outcome: outcome.optional(),
  })
  .meta({ id: "SubRun" });

/** O-3a: the path of a held run under the current logic version, up to its question. */
export const movePlanShape = z.object({
  kind: z.enum(["same", "parts", "cannot-tell"]),
  /** The logic version that the run is pinned to. */
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** The icon where the path parts, or that the recording cannot answer. */
  at: z.object({ diagram: z.string(), icon: z.string(), text: z.string() }).optional(),
  why: textShape.optional(),
});

export const manifestShape = z.record(z.string(), z.unknown()).meta({ id: "RunManifest" });

const stepFields = {
  position: z.int(),
  name: z.string(),
  kind: z.enum(stepKinds),
  diagram: z.string().optional(),
  icon: z.string().optional(),
  line: z.int().optional(),
  started_at: z.string(),
  finished_at: z.string(),
  attempt: z.int(),
  failure: z.object({ code: z.string(), text: textShape }).optional(),
  tokens: z.object({ input: z.int(), output: z.int() }).optional(),
  /** Seconds that the step has waited for the rate limit. */
  waited_s: z.number().optional(),
  proposals: z.array(z.string()),
};
/** A step without its input and output, for a timeline. */
export const stepCardShape = z
  .object({
    ...stepFields,
    /** The output in a few words. */
    gist: z.string(),
    /** If `garden.yaml` has the price of the model. */
    cost: costShape.optional(),
  })
  .meta({ id: "StepCard" });
export const stepShape = z.object({ ...stepFields, input: value, output: value.optional() }).meta({ id: "Step" });

export const personRequestShape = z
  .object({
    id: z.string(),
    run_id: z.string(),
    agent_slug: z.string(),
    reason: z.enum(requestReasons),
    ask: z.object({
      question: z.string(),
      form: z.enum(requestForms),
      options: z.array(z.string()).optional(),
      values: z.record(z.string(), value).optional(),
    }),
    diagram: z.string().optional(),
    icon: z.string().optional(),
    line: z.int().optional(),
    asked_at: z.string(),
  })
  .meta({ id: "Request" });

export const personAnswerShape = z
  .object({
    request: z.string(),
    value,
    by: z.string(),
    note: z.string().optional(),
    answered_at: z.string(),
    decision: z.string().optional(),
  })
  .meta({ id: "Answer" });

const figureShare = z.object({ hits: z.int(), of: z.int(), low: z.number(), high: z.number() });

export const runFiguresShape = z.object({
  timezone: z.string(),
  currency: z.string(),
  days: z.array(z.string()),
  agents: z.array(
    z
      .object({
        slug: z.string(),
        /** Completed runs among those that ended by themselves, of all time, with the 95 % interval of the rate. */
        success: figureShare.nullable(),
        last: z.object({ run_id: z.string(), state: z.enum(runStates), at: z.string() }).nullable(),
        /** The next time of its schedule. */
        next: z.string().nullable(),
        runs: z.int(),
        cost: z.number().nullable(),
        days: z.array(
          z.object({
            day: z.string(),
            completed: z.int(),
            failed: z.int(),
            cancelled: z.int(),
            open: z.int(),
            cost: z.number().nullable(),
          }),
        ),
      })
      .meta({ id: "AgentFigures" }),
  ),
  versions: z.array(
    z.object({
      slug: z.string(),
      version: z.string(),
      runs: z.int(),
      median: z.number(),
      low: z.number(),
      high: z.number(),
      total: z.number(),
    }),
  ),
  models: z.array(z.object({ model: z.string(), runs: z.int(), tokens: z.int(), cost: z.number().nullable() })),
});
