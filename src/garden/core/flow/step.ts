import type { Json } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, Failure, failureFromRecord } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import { inputHash, MAX_STEPS, type StepRecord, stepName, stepRecord } from "../../../domain/run/run-step.ts";
import { jsonBytes, readJson } from "../json-record.ts";
import {
  type Asked,
  attempts,
  type FlowGround,
  type FlowWatch,
  mayBegin,
  type Opened,
  opIn,
  type StepOptions,
  StepStopped,
  timeIn,
  type Work,
  whereOf,
} from "./attempts.ts";
import { createRecord } from "./create-record.ts";
import { decisionNeeded, type StopReason } from "./decision-needed.ts";
import { journalIndex, type Position, type RunPlace, readPosition } from "./journal.ts";
import type { Lease } from "./lease.ts";

export type { FlowGround, FlowWatch, StepOptions, Work } from "./attempts.ts";

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
  const settled = await settledRecord(open, asked, first ? made : readJson(key, bytes, stepRecord));
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

const tooMany = (asked: Asked): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the run ${asked.run} has more than ${MAX_STEPS} steps`,
      uk: `запуск ${asked.run} має понад ${MAX_STEPS} кроків`,
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
