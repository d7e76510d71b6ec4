/**
 * The orchestrator: who works on which run, and when. It decides nothing about a run's content: what was done stands in the
 * store, step by step (`garden/flow/step.ts`), and with the engine's own state deleted every open run still finishes (O-5).
 *
 * What every member of the family promises, and its conformance suite proves:
 * - A job that was offered is worked on at least once; offering it twice is offering it once while it waits.
 * - Jobs of one lane are worked on one at a time, in the order in which they were offered; at most `limit` jobs at once in
 *   all lanes together. A job that is held occupies neither its lane nor a place.
 * - Work that throws is tried again later, with growing pauses; it never blocks other lanes.
 * - After `close`, nothing is begun; what is under way is asked to stop by its signal and waited for.
 */
export interface Orchestrator {
  readonly name: string;
  /** Begins to work. Jobs may have been offered before. */
  start(work: Work): void;
  /** Something about this job may have changed: asked for, answered, cancelled, due. `after` puts it off (ms since 1970). */
  offer(job: Job, after?: number): Promise<void>;
  /** Asks the work on a job to stop, if it is under way here. What is on record stays. */
  interrupt(key: string, reason: Error): void;
  /** Settles when nothing is under way and nothing that is due waits: for tests and for `--wait`. */
  settled(): Promise<void>;
  health(): Promise<{ readonly ok: boolean; readonly running: number; readonly waiting: number }>;
  close(): Promise<void>;
}

export interface Job {
  /** The run's id. */
  readonly key: string;
  /** The agent's slug. */
  readonly lane: string;
}

export type Work = (job: Job, scope: Scope) => Promise<Worked>;

export interface Scope {
  readonly signal: AbortSignal;
  /** The engine's own memory of a step, where it has one; the record in the store decides all the same. */
  memo<T>(name: string, work: () => Promise<T>): Promise<T>;
}

export type Worked =
  | { readonly kind: "done" }
  /** It waits for a person or an event: somebody will offer it again. */
  | { readonly kind: "held" }
  /** Not before this time (ms since 1970): a timer, a busy lease. */
  | { readonly kind: "later"; readonly at: number };
