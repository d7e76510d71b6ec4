import { z } from "zod";
import { capabilities } from "../contract/ceiling.ts";
import { slugField } from "../identity.ts";
import { LOAD_CONTEXT, loadedContext, type RunManifest, runDrift, runId, runTriggers } from "./run-manifest.ts";
import type { StepRecord } from "./run-step.ts";
import { isSubRunId, spawnedBy } from "./sub-run.ts";

/**
 * The life of a run (O-1). The truth is its journal, `steps/NN-<name>.json` from the request on, and the manifest
 * that ends it; all are created once. `status.json` is a view of these.
 */
export const runStates = ["requested", "queued", "running", "waiting", "completed", "failed", "cancelled"] as const;
export type RunState = (typeof runStates)[number];

/** O-1: all allowed moves; final states have none. */
export const runMoves: Readonly<Record<RunState, readonly RunState[]>> = {
  requested: ["queued", "cancelled"],
  queued: ["running", "cancelled"],
  running: ["waiting", "completed", "failed", "cancelled"],
  waiting: ["running", "failed", "cancelled"],
  completed: [],
  failed: [],
  cancelled: [],
};

export const isTerminal = (state: RunState): boolean => runMoves[state].length === 0;

const at = z.iso.datetime();

/** Maximum length of a chain of agents that trigger each other by events. */
export const MAX_CHAIN = 8;

/** The first record of a journal: the trigger of the run. */
export const runRequest = z.strictObject({
  kind: z.literal("request"),
  run_id: runId,
  agent_slug: slugField,
  trigger: z.enum(runTriggers),
  /** The event's name, or the slot of a schedule. */
  cause: z.string().optional(),
  by: z.string(),
  requested_at: at,
  input: z.json().optional(),
  /** P-10c: the proposal that was sent back, and that this run revises. */
  revises: z
    .string()
    .regex(/^prop_[0-9a-z_-]{1,60}$/)
    .optional(),
  /** Agents whose runs led to this event, first one first: none of them is triggered again. */
  chain: z.array(slugField).max(MAX_CHAIN).optional(),
  /** A fork (O-7): it shares the steps of that run up to this one, which `journal` identifies, and continues alone. */
  forked_from: z
    .strictObject({
      run: runId,
      step: z.int().positive(),
      journal: z.string().regex(/^[0-9a-f]{40}$/),
      /** The shared steps up to this one are those of a run that was moved. */
      moved: z.int().positive().exactOptional(),
      /** An experiment: its effects go to the sandbox. `answer` is given to its question with this number, instead of asking. */
      what_if: z
        .strictObject({
          answer: z
            .strictObject({ question: z.string(), value: z.json(), note: z.string().max(20_000).exactOptional() })
            .exactOptional(),
        })
        .exactOptional(),
    })
    .optional(),
  /**
   * A held run that was moved to the current contract and logic version (O-3a): this run has its steps up to this one, which `journal`
   * identifies, without the first: it loads its context anew.
   */
  moved_from: z
    .strictObject({
      run: runId,
      step: z.int().positive(),
      journal: z.string().regex(/^[0-9a-f]{40}$/),
      /** `briefId` of the contract and diagrams that the replay check has seen. */
      checked: z.string().regex(/^[0-9a-f]{40}$/),
    })
    .optional(),
  /** The run of a sub-agent: it works on a session of its own, and that run waits for it and merges its work. */
  spawned_by: spawnedBy.optional(),
  /** The most that the run may do, whatever its contract grants. A fork of a sub-agent's run keeps it. */
  ceiling: capabilities.optional(),
  /** The run of a sub-agent of an experiment: it is one too. */
  experiment: z.literal(true).optional(),
  op: z.string(),
});
export type RunRequest = z.infer<typeof runRequest>;

/** True for a run that only shows what it would do: nothing of it reaches the garden, its agents or the world outside. */
export const isExperiment = ({ forked_from, experiment }: Pick<RunRequest, "forked_from" | "experiment">): boolean =>
  forked_from?.what_if !== undefined || experiment === true;

/** The last step that was recorded under another logic version: there, the input of a model call differs (O-3a). */
export const movedSteps = ({ moved_from, forked_from }: RunRequest): number =>
  moved_from?.step ?? forked_from?.moved ?? 0;

/** `cancel.json`: created once. The run ends as cancelled, unless it ends by itself first. */
export const runCancel = z.strictObject({
  by: z.string(),
  at,
  why: z.string().optional(),
  /** The run was moved: this one continues it (O-3a). The process that ends the run creates this request before. */
  moved_to: runRequest.optional(),
  op: z.string(),
});
export type RunCancel = z.infer<typeof runCancel>;

/** One entry of the view of unfinished runs. Its fields save a lookup and are checked against the run. */
export const openRun = z.strictObject({
  slug: slugField,
  run: runId,
  at,
  /** Waiting for the answer to this request. */
  held: z.string().optional(),
  /** Number of interrupted attempts, the last error, and the time of the next attempt. */
  failed: z.int().nonnegative().optional(),
  failure: z.string().optional(),
  not_before: at.optional(),
});
export type OpenRun = z.infer<typeof openRun>;

/** `status.json`: for lists and timelines while a run is in progress. */
export const runStatus = z.strictObject({
  run_id: runId,
  agent_slug: slugField,
  state: z.enum(runStates),
  trigger: z.enum(runTriggers),
  requested_at: at,
  started_at: at.optional(),
  finished_at: at.optional(),
  /** The last recorded step. */
  step: z.strictObject({ position: z.int().positive(), name: z.string() }).optional(),
  /** The step waits for the rate limit until this time. */
  waits_until: at.optional(),
  /** The request that a held run waits for: to a person, or for a sub-agent (`isSubRunId`). */
  waiting_for: z.string().optional(),
  /** D-6a: the run follows a contract that differs from its diagram. */
  drift: runDrift,
});
export type RunStatus = z.infer<typeof runStatus>;

/** Folds a run's records into its state. `held` names the open request of a waiting run. */
export function foldRun(
  request: RunRequest,
  records: readonly StepRecord[],
  manifest: RunManifest | undefined,
  { queued = false, held }: { readonly queued?: boolean; readonly held?: string | undefined } = {},
): RunStatus {
  const last = records.at(-1);
  const first = records[0];
  return {
    run_id: request.run_id,
    agent_slug: request.agent_slug,
    state: stateOf(records.length > 0, manifest, queued, held),
    trigger: request.trigger,
    requested_at: request.requested_at,
    ...(first && { started_at: manifest?.started_at ?? first.started_at }),
    ...(manifest && { finished_at: manifest.finished_at }),
    ...(last && { step: { position: last.position, name: last.name } }),
    ...(!manifest && held !== undefined && { waiting_for: held }),
    ...driftMember(manifest?.drift ?? loadedDrift(first)),
  };
}

/** The drift as a member, if there is any. */
export const driftMember = (drift: readonly string[] | undefined): { drift?: string[] } =>
  drift && drift.length > 0 ? { drift: [...drift] } : {};

const loadedDrift = (first: StepRecord | undefined): string[] | undefined =>
  first?.name === LOAD_CONTEXT ? loadedContext.safeParse(first.output).data?.drift : undefined;

function stateOf(
  begun: boolean,
  manifest: RunManifest | undefined,
  queued: boolean,
  held: string | undefined,
): RunState {
  if (manifest) return manifest.status;
  // O-1: `waiting` is for a person. A run whose sub-agent works is running.
  if (held !== undefined && !isSubRunId(held)) return "waiting";
  if (begun) return "running";
  return queued ? "queued" : "requested";
}
