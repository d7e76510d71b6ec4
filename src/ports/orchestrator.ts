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
  readonly name: string;
  /** Begins to work. Runs may have been offered before. */
  start(work: RunWork): void;
  /** Schedules work on a run that was requested, answered, cancelled or became due. `after` delays it (ms since 1970). */
  offer(job: OfferedRun, after?: number): Promise<void>;
  /** Aborts the work on a run, if it is in progress in this process. Recorded steps stay. */
  interrupt(key: string, reason: Error): void;
  /** Resolves when no work is in progress and no due run is waiting: for tests and for `--wait`. */
  settled(): Promise<void>;
  health(): Promise<{ readonly ok: boolean; readonly running: number; readonly waiting: number }>;
  close(): Promise<void>;
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
