import type { Json } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, Failure, failureTable, failureToRecord } from "../../../base/failure.ts";
import type { World } from "../../../base/world.ts";
import { keys } from "../../../domain/layout.ts";
import {
  CALL_LIMIT_MS,
  MAX_STEP_BYTES,
  RETRY_PAUSES_MS,
  type StepKind,
  type StepNotes,
  type StepRecord,
  stepNotes,
} from "../../../domain/run/run-step.ts";
import type { Store } from "../../../ports/store.ts";
import { jsonBytes } from "../json-record.ts";
import { createRecord } from "./create-record.ts";
import { type JournalIndex, type RunPlace } from "./journal.ts";
import type { Lease } from "./lease.ts";
import { OVER, type Pause } from "./pause.ts";

/**
 * The work of one step, until there is a result to record: its limit of time, its retries, and what it comes to. That the
 * result is recorded once is the business of `step.ts`.
 */
export interface FlowGround {
  readonly store: Store;
  readonly world: World;
  readonly pause: Pause;
}

export type Work<T> = (call: Call) => Promise<T>;

export interface Call {
  /** The same in every attempt of this step and in no other step: for whatever must not happen twice. */
  readonly key: string;
  readonly attempt: number;
  /** Given when the time is up. */
  readonly signal: AbortSignal;
  /** What else to put on record beside the result. */
  note(facts: StepNotes): void;
}

export interface StepOptions {
  readonly kind?: StepKind;
  readonly diagram?: string;
  readonly icon?: string;
  readonly line?: number;
  readonly limitMs?: number;
  /**
   * The act is not idempotent. That it begins is on record first; if it was in flight when a process died, the run asks
   * for a decision instead of acting twice. Never retried by itself.
   */
  readonly once?: true;
}

/** Who looks after a flow while it runs: the engine. Without one, a flow goes on until it ends. */
export interface FlowWatch {
  /** Given to stop: no step begins after it, work under way is told and not recorded. Its reason is a `stopped` failure. */
  readonly signal?: AbortSignal;
  /** Limit of a call that names none. */
  readonly callMs?: number;
  /** Asked before each step that has to be worked on; throws if it must not begin. Not asked for steps on record. */
  mayBegin?(): Promise<void>;
  /** Whether somebody has decided that an act which was in flight this many times may be tried once more. */
  mayRepeat?(step: { readonly position: number; readonly name: string; readonly times: number }): Promise<boolean>;
  /** A step is behind us. */
  passed?(record: StepRecord, how: "replayed" | "worked"): void;
}

export interface Opened extends FlowGround {
  readonly lease: Lease | undefined;
  readonly watch: FlowWatch;
  readonly index: JournalIndex;
}

export interface Asked extends RunPlace {
  readonly position: number;
  readonly name: string;
  readonly input: Json;
  readonly hash: string;
}

/** Ends the whole flow: what is on record does not fit the program, or the run is no longer ours. */
export class StepStopped extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Whoever may say no is asked; what they say ends the flow. */
export async function mayBegin({ watch }: Opened): Promise<void> {
  if (watch.signal?.aborted) throw new StepStopped(asFailure(watch.signal.reason));
  try {
    await watch.mayBegin?.();
  } catch (error) {
    throw new StepStopped(asFailure(error));
  }
  if (watch.signal?.aborted) throw new StepStopped(asFailure(watch.signal.reason));
}

/** Works until there is a result: an output, a failure that trying again would not change, or the last of the retries. */
export async function attempts(
  open: Opened,
  asked: Asked,
  failedBefore: number,
  work: Work<Json>,
  options: StepOptions,
): Promise<StepRecord> {
  const started_at = timeIn(open);
  for (let attempt = failedBefore + 1; ; attempt++) {
    let noted: StepNotes = {};
    const record = (result: Pick<StepRecord, "output"> | Pick<StepRecord, "failure">): StepRecord =>
      recordOf(open, asked, options, { started_at, attempt, ...result, ...noted });
    try {
      const note = (facts: StepNotes): void => void (noted = { ...noted, ...stepNotes.parse(facts) });
      const output = await within(open, asked, options, (signal) =>
        work({ key: `${asked.run}/${asked.position}-${asked.name}`, attempt, signal, note }),
      );
      return record({ output: plain(asked, output) as StepRecord["output"] });
    } catch (error) {
      if (error instanceof StepStopped) throw error;
      const failure = asFailure(error);
      const pauseMs = RETRY_PAUSES_MS[attempt - 1];
      if (options.once || !failureTable[failure.code].retry || pauseMs === undefined)
        return record({ failure: recorded(failure) });
      await noteFailed(open, asked, attempt, failure);
      await open.pause(pauseMs, open.watch.signal);
      await mayBegin(open);
    }
  }
}

/** On record, so that the step's retries are its own: a process that dies between two attempts does not renew them (O-3b). */
async function noteFailed(ground: FlowGround, asked: Asked, attempt: number, failure: Failure): Promise<void> {
  const { slug, run, position, name, hash } = asked;
  const noted = { position, name, input_hash: hash, attempt, at: timeIn(ground), failure: recorded(failure) };
  await createRecord(ground, keys.stepFailed(slug, run, position, name, attempt), jsonBytes(noted));
  crashPoint("flow.step.failed");
}

async function within<T>(
  { pause, watch }: Opened,
  asked: Asked,
  { limitMs = watch.callMs ?? CALL_LIMIT_MS }: StepOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const up = new AbortController();
  const done = new AbortController();
  const { signal } = watch;
  let stop = (): void => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      stop = () => {
        reject(new StepStopped(asFailure(signal?.reason)));
        up.abort(signal?.reason);
      };
      signal?.addEventListener("abort", stop);
      const late = (): void => {
        if (done.signal.aborted) return;
        const failure = timeIsUp(asked, limitMs);
        reject(failure);
        up.abort(failure); // what the work says when it is told comes second
      };
      work(up.signal).then(resolve, reject); // what comes after the time is up is nobody's
      pause(limitMs, done.signal).then(late, reject);
    });
  } finally {
    signal?.removeEventListener("abort", stop);
    done.abort(OVER);
  }
}

/** Made of parts that were checked one by one, and not parsed again: only what is read from a store is. */
function recordOf(
  open: Opened,
  { position, name, hash, input }: Asked,
  { kind = "step", diagram, icon, line }: StepOptions,
  result: Pick<StepRecord, "started_at" | "attempt" | "output" | "failure"> & StepNotes,
): StepRecord {
  return {
    position,
    name,
    kind,
    input_hash: hash,
    input: (input ?? null) as StepRecord["input"],
    ...(diagram !== undefined && { diagram }),
    ...(icon !== undefined && { icon }),
    ...(line !== undefined && { line }),
    started_at: result.started_at,
    finished_at: timeIn(open),
    attempt: result.attempt,
    ...(result.output !== undefined && { output: result.output }),
    ...(result.failure && { failure: result.failure }),
    ...(result.tokens && { tokens: result.tokens }),
    proposals: result.proposals ?? [],
    ...(open.lease && { epoch: open.lease.epoch }),
    op: opIn(open),
  };
}

/** As it will be read back: a replay must not give the program another value than the first time. */
function plain(asked: Asked, output: unknown): Json {
  const text = JSON.stringify(output ?? null) as string | undefined;
  if (text === undefined || Buffer.byteLength(text) > MAX_STEP_BYTES) throw tooLarge(asked);
  return JSON.parse(text) as Json;
}

const recorded = (failure: Failure): StepRecord["failure"] =>
  JSON.parse(JSON.stringify(failureToRecord(failure))) as StepRecord["failure"];

export const timeIn = ({ world }: FlowGround): string => new Date(world.now()).toISOString();
export const opIn = ({ world }: FlowGround): string => Buffer.from(world.random(8)).toString("hex");

export const whereOf = ({ slug, run, position, name }: Asked) => ({ agent: slug, run, position, name });

const tooLarge = (asked: Asked): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the result of the step ${asked.name} is no JSON, or larger than ${MAX_STEP_BYTES} bytes`,
      uk: `результат кроку ${asked.name} — не JSON або більший за ${MAX_STEP_BYTES} байтів`,
    },
    { details: whereOf(asked) },
  );

const timeIsUp = (asked: Asked, limitMs: number): Failure =>
  new Failure(
    "AGENT_TIMEOUT",
    {
      en: `the step ${asked.name} took longer than ${limitMs / 1000} s`,
      uk: `крок ${asked.name} тривав понад ${limitMs / 1000} с`,
    },
    { details: whereOf(asked) },
  );
