import type { Failure } from "../../base/failure.ts";
import type { Orchestrator } from "../../ports/orchestrator.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import type { RunFlow } from "./run-flow.ts";

export interface RunsOptions {
  readonly orchestrator: Orchestrator;
  readonly flow: RunFlow;
  readonly pause?: Pause;
  /** Works on this run alone: no schedules, no events, no other run. */
  readonly only?: RunPlace;
  /** False: requests runs by schedule and by event, and leaves the work to other processes of the garden (O-10). Default true. */
  readonly carriesOut?: boolean;
  /** Length of a lease: the runs of a process that died are taken over after this time. */
  readonly leaseMs?: number;
  /** Interval of the look for changes by other processes. */
  readonly lookMs?: number;
  /**
   * True if this process is the first of the garden's workers to take up runs of this agent. Runs of other agents that another process
   * requested are left to the others for a moment. Default: always.
   */
  readonly isFirstFor?: (slug: string) => boolean;
  /** Interval of the reminders to an engine outside of this process. */
  readonly remindMs?: number;
  /** Gets failures outside the runs: a store that is unavailable, an agent that cannot be read. */
  readonly tell?: (failure: Failure) => void;
}
