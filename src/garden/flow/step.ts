import type { Json } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { asFailure, Failure, failureFromRecord, failureTable, failureToRecord } from "../../base/failure.ts";
import type { World } from "../../base/world.ts";
import { keys } from "../../domain/layout.ts";
import {
  CALL_LIMIT_MS,
  inputHash,
  MAX_STEP_BYTES,
  MAX_STEPS,
  RETRY_PAUSES_MS,
  type StepKind,
  type StepRecord,
  stepName,
  stepRecord,
} from "../../domain/run-step.ts";
import type { Store } from "../../ports/store.ts";
import { createRecord } from "./create-record.ts";
import { decisionNeeded, type StopReason } from "./decision-needed.ts";
import {
  type JournalIndex,
  journalIndex,
  jsonBytes,
  type Position,
  parsed,
  type RunPlace,
  readPosition,
} from "./journal.ts";
import type { Lease } from "./lease.ts";
import { OVER, type Pause } from "./pause.ts";

export interface FlowGround {
  readonly store: Store;
  readonly world: World;
  readonly pause: Pause;
}

/**
 * A durable function is made of steps, and a step is worked once: its result is on record before the next one begins, and
 * whoever comes later, after a crash or on another machine, is given the record instead of doing the work. The body may
 * run more than once (it died before the record was written), the record is written at most once: so work hands `call.key`
 * to whatever it changes outside.
 */
export interface Flow {
  /**
   * `input` is all that the work depends on. If the journal has another name or another input at this position, nothing is
   * executed, now or later in this flow: the failure says that the run needs a decision (`isDecisionNeeded`).
   */
  step<T extends Json>(name: string, input: Json, work: Work<T>, options?: StepOptions): Promise<T>;
}

export type Work<T> = (call: Call) => Promise<T>;

export interface Call {
  /** The same in every attempt of this step and in no other step: for whatever must not happen twice. */
  readonly key: string;
  readonly attempt: number;
  /** Given when the time is up. */
  readonly signal: AbortSignal;
  /** What else to put on record beside the result. */
  note(facts: Pick<Partial<StepRecord>, "tokens" | "proposals">): void;
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

export interface OpenFlow extends Flow {
  /** Settles when no step is under way: then nothing more is recorded, unless the flow asks for more. */
  settled(): Promise<void>;
}

/**
 * Reads the names of what is on record once, at the first step: so a replay costs one look and one read per step, and a step
 * beyond the record costs none. With a lease nobody else writes meanwhile; what a stalled rival writes all the same is taken
 * for what it is where the keys meet, and told at the next opening where they do not.
 */
export function openFlow(ground: FlowGround, place: RunPlace, lease?: Lease, watch: FlowWatch = {}): OpenFlow {
  const open: Opened = { ...ground, lease, watch, index: journalIndex(ground.store, place) };
  const underWay = new Set<Promise<unknown>>();
  let position = 0;
  let stopped: Failure | undefined;
  return {
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    async step<T extends Json>(name: string, input: Json, work: Work<T>, options: StepOptions = {}): Promise<T> {
      // Numbered when it is asked for, not when it is done: calls that run side by side keep their places.
      const asked: Asked = {
        ...place,
        position: ++position,
        name: stepName.parse(name),
        input,
        hash: inputHash(input),
      };
      if (stopped) throw stopped;
      const working = worked(open, asked, work, options).catch(orStopped(asked));
      underWay.add(working);
      try {
        return resultOf(await working) as T;
      } catch (error) {
        if (error instanceof StepStopped) {
          stopped = error.failure;
          throw error.failure;
        }
        throw error;
      } finally {
        underWay.delete(working);
      }
    },
  };
}

interface Opened extends FlowGround {
  readonly lease: Lease | undefined;
  readonly watch: FlowWatch;
  readonly index: JournalIndex;
}

interface Asked extends RunPlace {
  readonly position: number;
  readonly name: string;
  readonly input: Json;
  readonly hash: string;
}

/** Ends the whole flow: what is on record does not fit the program, or the run is no longer ours. */
class StepStopped extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.message);
    this.failure = failure;
  }
}

async function worked(open: Opened, asked: Asked, work: Work<Json>, options: StepOptions): Promise<StepRecord> {
  if (asked.position > MAX_STEPS) throw tooMany(asked);
  const there = await open.index.at(asked.position);
  const record = recordIn(there, asked);
  if (record) {
    open.watch.passed?.(record, "replayed");
    return record;
  }
  crashPoint("flow.step.looked");
  await mayBegin(open);
  if (options.once) await begin(open, asked, there);
  const made = await attempts(open, asked, there.failed.length, work, options);
  crashPoint("flow.step.worked");
  if (open.lease && !(await open.lease.confirm())) throw new StepStopped(takenOver(asked));
  const key = keys.runStep(asked.slug, asked.run, asked.position, asked.name);
  const { first, bytes } = await createRecord(open, key, jsonBytes(made));
  crashPoint("flow.step.recorded");
  const settled = await settledRecord(open, asked, first ? made : parsed(key, bytes, stepRecord));
  open.watch.passed?.(settled, "worked");
  return settled;
}

/**
 * What work comes to is on record, failures too. Anything else means that the journal could not be read or written: then
 * nobody may go on as if the step had failed, because the next one to come will find it open.
 */
const orStopped =
  (asked: Asked) =>
  (error: unknown): never => {
    if (error instanceof StepStopped || asked.position > MAX_STEPS) throw error;
    throw new StepStopped(noJournal(asked, asFailure(error)));
  };

/** What counts at this position after ours was offered. Without a lease another program may have put its own, under another name. */
async function settledRecord({ store, lease }: Opened, asked: Asked, record: StepRecord): Promise<StepRecord> {
  const there = lease ? { records: [record], begun: [], failed: [] } : await readPosition(store, asked, asked.position);
  return recordIn(there, asked) ?? record;
}

/** Whoever may say no is asked; what they say ends the flow. */
async function mayBegin({ watch }: Opened): Promise<void> {
  if (watch.signal?.aborted) throw new StepStopped(asFailure(watch.signal.reason));
  try {
    await watch.mayBegin?.();
  } catch (error) {
    throw new StepStopped(asFailure(error));
  }
  if (watch.signal?.aborted) throw new StepStopped(asFailure(watch.signal.reason));
}

/** The one record of this position, if it is the one that is asked for. */
function recordIn({ records, begun, failed }: Position, asked: Asked): StepRecord | undefined {
  const foreign = [...records, ...begun, ...failed].find(
    ({ name, input_hash }) => name !== asked.name || input_hash !== asked.hash,
  );
  if (foreign) throw new StepStopped(decisionNeeded("changed", asked, foreign));
  return records[0];
}

function resultOf({ output, failure }: StepRecord): Json {
  if (failure) throw failureFromRecord(failure);
  return output as Json;
}

async function begin(open: Opened, asked: Asked, there: Position): Promise<void> {
  const { position, name, hash } = asked;
  const times = there.begun.length;
  if (there.begun[0] && !(await open.watch.mayRepeat?.({ position, name, times })))
    throw new StepStopped(decisionNeeded("in-flight", { ...asked, times }, there.begun[0]));
  const begun = { position, name, input_hash: hash, at: timeIn(open), op: opIn(open) };
  const key = keys.stepBegun(asked.slug, asked.run, position, name, times + 1);
  const { first } = await createRecord(open, key, jsonBytes(begun));
  if (!first) throw new StepStopped(decisionNeeded("in-flight", { ...asked, times: times + 1 }, begun));
  crashPoint("flow.step.begun");
}

/** Works until there is a result: an output, a failure that trying again would not change, or the last of the retries. */
async function attempts(
  open: Opened,
  asked: Asked,
  failedBefore: number,
  work: Work<Json>,
  options: StepOptions,
): Promise<StepRecord> {
  const started_at = timeIn(open);
  for (let attempt = failedBefore + 1; ; attempt++) {
    let noted: Parameters<Call["note"]>[0] = {};
    const record = (result: Pick<StepRecord, "output"> | Pick<StepRecord, "failure">): StepRecord => {
      const { kind = "step", diagram, icon, line } = options;
      const { position, name, hash: input_hash, input } = asked;
      return stepRecord.parse({
        position,
        name,
        kind,
        input_hash,
        input,
        diagram,
        icon,
        line,
        started_at,
        finished_at: timeIn(open),
        attempt,
        ...result,
        ...noted,
        epoch: open.lease?.epoch,
        op: opIn(open),
      });
    };
    try {
      const note = (facts: typeof noted): void => void (noted = { ...noted, ...facts });
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
  const late = (async () => {
    await pause(limitMs, done.signal);
    if (done.signal.aborted) return undefined as never;
    const failure = timeIsUp(asked, limitMs);
    queueMicrotask(() => up.abort(failure)); // what the work says when it is told comes second
    throw failure;
  })();
  late.catch(() => undefined);
  const stopped = new Promise<never>((_, reject) => {
    const stop = (): void => {
      reject(new StepStopped(asFailure(watch.signal?.reason)));
      up.abort(watch.signal?.reason);
    };
    watch.signal?.addEventListener("abort", stop, { once: true, signal: done.signal });
  });
  try {
    const working = work(up.signal);
    working.catch(() => undefined); // what comes after the time is up is nobody's
    return await Promise.race([working, late, stopped]);
  } finally {
    done.abort(OVER);
  }
}

/** As it will be read back: a replay must not give the program another value than the first time. */
function plain(asked: Asked, output: unknown): Json {
  const text = JSON.stringify(output ?? null) as string | undefined;
  if (text === undefined || Buffer.byteLength(text) > MAX_STEP_BYTES) throw tooLarge(asked);
  return JSON.parse(text) as Json;
}

const recorded = (failure: Failure): StepRecord["failure"] =>
  JSON.parse(JSON.stringify(failureToRecord(failure))) as StepRecord["failure"];

const timeIn = ({ world }: FlowGround): string => new Date(world.now()).toISOString();
const opIn = ({ world }: FlowGround): string => Buffer.from(world.random(8)).toString("hex");

const whereOf = ({ slug, run, position, name }: Asked) => ({ agent: slug, run, position, name });

const tooMany = (asked: Asked): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the run ${asked.run} has more than ${MAX_STEPS} steps`,
      uk: `запуск ${asked.run} має понад ${MAX_STEPS} кроків`,
    },
    { details: whereOf(asked) },
  );

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

const noJournal = (asked: Asked, cause: Failure): Failure =>
  new Failure(cause.code, cause.text, {
    ...(cause.hint && { hint: cause.hint }),
    details: { ...cause.details, ...whereOf(asked), stopped: "store" satisfies StopReason },
    outcome: cause.outcome,
    cause,
  });

const takenOver = (asked: Asked): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    {
      en: `another process has taken over the run ${asked.run}`,
      uk: `запуск ${asked.run} перебрав інший процес`,
    },
    { details: { ...whereOf(asked), stopped: "lost" satisfies StopReason } },
  );
