import type { Json } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, Failure, failureTable, failureToRecord } from "../../../base/failure.ts";
import { isoTime } from "../../../base/iso-time.ts";
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
import { withoutSecrets } from "../../../domain/text/redact.ts";
import type { Store } from "../../../ports/store.ts";
import { jsonBytes } from "../json-record.ts";
import { type CreatedRecord, createRecord } from "./create-record.ts";
import { takenOver } from "./decision-needed.ts";
import type { JournalIndex, JournalObject, RunPlace } from "./journal.ts";
import type { Lease } from "./lease.ts";
import { afterWork, type Pause } from "./pause.ts";

/** The work of one step until there is a result to record: time limit, retries, result. `step.ts` records it once. */
export interface FlowDeps {
  readonly store: Store;
  readonly world: World;
  readonly pause: Pause;
  /** Values that must not be written: removed from every result and failure before its record. */
  readonly secrets?: () => readonly string[];
}

export type StepWork<T> = (call: StepCall) => Promise<T>;

export interface StepCall {
  /** Idempotency key: the same in every attempt of this step and in no other step. */
  readonly key: string;
  readonly attempt: number;
  /** Aborted when the time is up, or the flow is stopped. */
  readonly signal: AbortSignal;
  /** The work waits for this many seconds: shown while it waits. */
  waits(seconds: number): void;
  /** Adds facts to the record of the step. */
  note(facts: StepNotes): void;
}

export interface StepOptions {
  readonly kind?: StepKind;
  readonly diagram?: string;
  readonly icon?: string;
  readonly line?: number;
  readonly limitMs?: number;
  /**
   * The act is not idempotent. Its beginning is recorded first; if a process died while it was in flight, the run asks
   * for a decision instead of repeating it. Never retried.
   */
  readonly once?: true;
  /** Called with the record of the step: made now, or found. */
  readonly passed?: (record: StepRecord) => void;
}

/** The engine's control over a flow. Without it, a flow runs to its end. */
export interface FlowWatch {
  /**
   * Aborted to stop the flow: no further step begins, and work under way is aborted and not recorded. The reason is a
   * `stopped` failure.
   */
  readonly signal?: AbortSignal;
  /** Time limit that the contract sets for every step, read at its beginning. A step may have a shorter one of its own. */
  readonly callMs?: number | undefined;
  /** The keys of the journal, if they were listed under the lease: the flow does not list them again. */
  readonly stepKeys?: readonly string[] | undefined;
  /**
   * Steps up to this position were recorded under another logic version (O-3a). The input of a model call has the whole instructions,
   * so there a model call is known by its position and name alone.
   */
  readonly movedSteps?: number;
  /** Called before each step that needs work, not for recorded steps; throws if the step must not begin. */
  mayBegin?(name: string): Promise<void>;
  /** True if a person decided that an act that was in flight this many times may be repeated once more. */
  mayRepeat?(step: { readonly position: number; readonly name: string; readonly times: number }): Promise<boolean>;
  /** Called when the work of a step waits, with the time until which it waits. */
  waits?(until: string): void;
  /** Called after each step. */
  passed?(record: StepRecord, how: "replayed" | "worked"): void;
}

export interface OpenedFlow extends FlowDeps {
  readonly lease: Lease | undefined;
  readonly watch: FlowWatch;
  readonly index: JournalIndex;
  readonly created: CreatedObjects;
}

/** Objects that this process created, or found when it was about to. Not whole if a write failed: it may have happened. */
export interface CreatedObjects {
  readonly objects: JournalObject[];
  readonly records: StepRecord[];
  isWhole: boolean;
}

export interface StepRequest extends RunPlace {
  readonly position: number;
  readonly name: string;
  readonly input: Json;
  readonly hash: string;
}

/** Ends the whole flow: the journal does not fit the program, or another process holds the run. */
export class StepStopped extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

/** Throws `StepStopped` if the flow is stopped, the engine refuses the step, or another process holds the lease of the run. */
export async function expectMayBegin(open: OpenedFlow, asked: StepRequest): Promise<void> {
  const { watch } = open;
  if (watch.signal?.aborted) throw new StepStopped(asFailure(watch.signal.reason));
  try {
    await watch.mayBegin?.(asked.name);
  } catch (error) {
    throw new StepStopped(asFailure(error));
  }
  if (watch.signal?.aborted) throw new StepStopped(asFailure(watch.signal.reason));
  await expectLease(open, asked);
}

/** Stops the flow if another process holds the lease of the run. */
export async function expectLease({ lease }: OpenedFlow, asked: StepRequest): Promise<void> {
  if (lease && !(await lease.holds())) throw new StepStopped(takenOver(asked.run));
}

/** Works until there is a result: an output, a failure that is not retryable, or the last retry. */
export async function runAttempts(
  open: OpenedFlow,
  asked: StepRequest,
  failedBefore: number,
  work: StepWork<Json>,
  options: StepOptions,
): Promise<StepRecord> {
  const started_at = isoNow(open);
  for (let attempt = failedBefore + 1; ; attempt++) {
    let noted: StepNotes = {};
    const record = (result: Pick<StepRecord, "output"> | Pick<StepRecord, "failure">): StepRecord =>
      recordOf(open, asked, options, { started_at, attempt, ...result, ...noted });
    try {
      const note = (facts: StepNotes): void => void (noted = { ...noted, ...stepNotes.parse(facts) });
      const waits = (seconds: number): void =>
        open.watch.waits?.(new Date(open.world.now() + seconds * 1000).toISOString());
      const output = await withinLimit(open, asked, options, (signal) =>
        work({ key: `${asked.run}/${asked.position}-${asked.name}`, attempt, signal, note, waits }),
      );
      return record({ output: withoutSecrets(asReadBack(asked, output), secretsOf(open)) as StepRecord["output"] });
    } catch (error) {
      if (error instanceof StepStopped) throw error;
      const failure = asFailure(error);
      const pauseMs = RETRY_PAUSES_MS[attempt - 1];
      if (options.once || !failureTable[failure.code].retry || pauseMs === undefined)
        return record({ failure: failureRecordOf(open, failure) });
      await recordFailedAttempt(open, asked, attempt, failure);
      await open.pause(pauseMs, open.watch.signal);
      await expectMayBegin(open, asked);
    }
  }
}

export async function createInJournal(open: OpenedFlow, key: string, bytes: Uint8Array): Promise<CreatedRecord> {
  try {
    const made = await createRecord(open, key, bytes);
    open.created.objects.push({ key, hash: made.hash });
    return made;
  } catch (error) {
    open.created.isWhole = false;
    throw error;
  }
}

/** Recorded, so that a crash between two attempts does not renew the retries (O-3b). */
async function recordFailedAttempt(
  open: OpenedFlow,
  asked: StepRequest,
  attempt: number,
  failure: Failure,
): Promise<void> {
  await expectLease(open, asked); // the run may have ended meanwhile, and its manifest names the whole journal
  const { slug, run, position, name, hash } = asked;
  const noted = {
    position,
    name,
    input_hash: hash,
    attempt,
    at: isoNow(open),
    failure: failureRecordOf(open, failure),
  };
  await createInJournal(open, keys.stepFailed(slug, run, position, name, attempt), jsonBytes(noted));
  crashPoint("flow.step.failed");
}

async function withinLimit<T>(
  open: OpenedFlow,
  asked: StepRequest,
  options: StepOptions,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { watch } = open;
  const limitMs = Math.min(options.limitMs ?? watch.callMs ?? CALL_LIMIT_MS, watch.callMs ?? Number.POSITIVE_INFINITY);
  const up = new AbortController();
  const { signal } = watch;
  if (signal?.aborted) throw new StepStopped(asFailure(signal.reason)); // a listener that is added now would not be called
  let stop = (): void => undefined;
  let inTime = (): void => undefined;
  try {
    return await new Promise<T>((resolve, reject) => {
      stop = () => {
        reject(new StepStopped(asFailure(signal?.reason)));
        up.abort(signal?.reason);
      };
      signal?.addEventListener("abort", stop);
      inTime = afterWork(open, limitMs, () => {
        const failure = stepTimeout(asked, limitMs);
        reject(failure);
        up.abort(failure); // after reject: the error of the aborted work is ignored
      });
      work(up.signal).then(resolve, reject); // a result after the time limit is ignored
    });
  } finally {
    signal?.removeEventListener("abort", stop);
    inTime();
  }
}

/** Not parsed again: its parts are checked, and records are parsed when they are read. */
function recordOf(
  open: OpenedFlow,
  { position, name, hash, input }: StepRequest,
  { kind = "step", diagram, icon, line }: StepOptions,
  result: Pick<StepRecord, "started_at" | "attempt" | "output" | "failure"> & StepNotes,
): StepRecord {
  return {
    position,
    name,
    kind,
    input_hash: hash,
    input: withoutSecrets((input ?? null) as StepRecord["input"], secretsOf(open)),
    ...(diagram !== undefined && { diagram }),
    ...(icon !== undefined && { icon }),
    ...(line !== undefined && { line }),
    started_at: result.started_at,
    finished_at: isoNow(open),
    attempt: result.attempt,
    ...(result.output !== undefined && { output: result.output }),
    ...(result.failure && { failure: result.failure }),
    ...(result.tokens && { tokens: result.tokens }),
    ...(result.waited_s !== undefined && { waited_s: result.waited_s }),
    proposals: result.proposals ?? [],
    ...(open.lease && { epoch: open.lease.epoch }),
    op: newOperationId(open),
  };
}

/** The output as JSON gives it back: a replay must return the same value as the first time. */
function asReadBack(asked: StepRequest, output: unknown): Json {
  const text = JSON.stringify(output ?? null) as string | undefined;
  if (text === undefined || Buffer.byteLength(text) > MAX_STEP_BYTES) throw resultTooLarge(asked);
  return JSON.parse(text) as Json;
}

const failureRecordOf = (ground: FlowDeps, failure: Failure): StepRecord["failure"] =>
  withoutSecrets(JSON.parse(JSON.stringify(failureToRecord(failure))) as StepRecord["failure"], secretsOf(ground));

const secretsOf = ({ secrets }: FlowDeps): readonly string[] => secrets?.() ?? [];

export const isoNow = ({ world }: FlowDeps): string => isoTime(world.now());
export const newOperationId = ({ world }: FlowDeps): string => Buffer.from(world.random(8)).toString("hex");

export const stepDetails = ({ slug, run, position, name }: StepRequest) => ({ agent: slug, run, position, name });

const resultTooLarge = (asked: StepRequest): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the result of the step ${asked.name} is not JSON, or is larger than ${MAX_STEP_BYTES} bytes`,
    uk: `результат кроку ${asked.name} — не JSON або більший за ${MAX_STEP_BYTES} байтів`,
    details: stepDetails(asked),
  });

const stepTimeout = (asked: StepRequest, limitMs: number): Failure =>
  new Failure("AGENT_TIMEOUT", {
    en: `the step ${asked.name} took longer than ${limitMs / 1000} s`,
    uk: `крок ${asked.name} тривав понад ${limitMs / 1000} с`,
    details: stepDetails(asked),
  });
