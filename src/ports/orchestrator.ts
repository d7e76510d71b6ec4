import type { Text } from "../base/text.ts";

/**
 * The orchestrator decides which run is worked on when. It decides nothing about a run's content: completed steps are in the
 * store, step by step (`garden/flow/step.ts`), and with the engine's own state deleted every open run still finishes (O-5).
 *
 * Every adapter guarantees the following, and the conformance suite proves it:
 * - An offered run is worked on at least once; offers of a run that is already waiting are merged.
 * - Runs of one lane are worked on one at a time, in the order of their offers; at most `limit` runs at once in all lanes
 *   together. A held run occupies neither its lane nor the limit.
 * - Work that throws is retried with exponential backoff; it never blocks other lanes.
 * - After `close` no work begins; work in progress is aborted by its signal and awaited.
 */
export interface Orchestrator {
  /** Recorded in the manifest of every run that this engine ends (O-9). */
  readonly name: string;
  /** The engine has a clock of its own that fires while no process of ours runs. */
  readonly keepsSchedules?: boolean;
  /** Begins to work. Runs may have been offered before. */
  start(work: RunWork, duties?: EngineDuties): void;
  /** Schedules work on a run that was requested, answered, cancelled or became due. `after` delays it (ms since 1970). */
  offer(job: OfferedRun, after?: number): Promise<void>;
  /**
   * Engines outside of this process only: offers an open run about which nothing is new, because such an engine may be away, lose its
   * state or stop trying. Has no effect while the engine has the run.
   */
  remind?(job: OfferedRun): Promise<void>;
  /** Engines with events of their own only: publishes an event of the garden there. Idempotent by its id. */
  announce?(event: EngineEvent): Promise<void>;
  /** Engines that call this process only: the address where they do so. */
  readonly endpoint?: EngineEndpoint;
  /** Aborts the work on a run, if it is in progress in this process. Recorded steps stay. */
  interrupt(key: string, reason: Error): void;
  /** Resolves when no work is in progress and no due run is waiting: for tests and for `--wait`. */
  settled(): Promise<void>;
  health(): Promise<OrchestratorHealth>;
  close(): Promise<void>;
}

export interface OrchestratorHealth {
  readonly ok: boolean;
  readonly running: number;
  readonly waiting: number;
  /** For people: why the engine does not work, and where it is. */
  readonly remarks?: readonly Text[];
}

/** Duties of an engine beside the runs. */
export interface EngineDuties {
  /**
   * Requests the runs of all schedules that are due, and offers them. Idempotent. An orchestrator with `keepsSchedules` calls it every
   * minute; otherwise the caller of `start` keeps the schedules.
   */
  readonly requestDue: () => Promise<readonly OfferedRun[]>;
}

/** An event of the garden, as an engine publishes it: names and references, never contents. */
export interface EngineEvent {
  readonly name: string;
  readonly id: string;
  readonly at: string;
  readonly data: Readonly<Record<string, string>>;
}

export interface EngineEndpoint {
  /** First part of the paths that belong to the engine, such as `/api/restate`. */
  readonly path: string;
  /** Answers 401 to a request that the engine has not signed. `isLocal`: it comes from this machine. */
  answer(request: Request, from: { readonly isLocal: boolean }): Promise<Response>;
}

export interface OfferedRun {
  /** The run's id. */
  readonly key: string;
  /** The agent's slug. */
  readonly lane: string;
}

export type RunWork = (job: OfferedRun, scope: WorkScope) => Promise<Worked>;

export interface WorkScope {
  readonly signal: AbortSignal;
}

export type Worked =
  | { readonly kind: "done" }
  /** Waiting for a person or an event, which will offer it again. */
  | { readonly kind: "held" }
  /** Not before this time (ms since 1970): a timer, a busy lease. */
  | { readonly kind: "later"; readonly at: number };
