import type { Json } from "../../../base/canonical.ts";
import { crashPoint } from "../../../base/crash-point.ts";
import { asFailure, Failure, failureFromRecord } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import { inputHash, MAX_STEPS, type StepRecord, stepName, stepRecord } from "../../../domain/run/run-step.ts";
import { jsonBytes, readJson } from "../json-record.ts";
import {
  createInJournal,
  expectLease,
  expectMayBegin,
  type FlowDeps,
  type FlowWatch,
  isoNow,
  newOperationId,
  type OpenedFlow,
  runAttempts,
  type StepOptions,
  type StepRequest,
  StepStopped,
  type StepWork,
  stepDetails,
} from "./attempts.ts";
import { decisionNeeded, type FlowStopReason } from "./decision-needed.ts";
import { type Journal, type JournalPosition, journalIndex, type RunPlace, readPosition } from "./journal.ts";
import type { Lease } from "./lease.ts";

export type { FlowDeps, FlowWatch, StepOptions, StepWork } from "./attempts.ts";

/**
 * A durable function made of steps. The result of a step is recorded before the next step begins; after a crash or on another
 * machine, the recorded result is returned instead of doing the work again. The work may run more than once (a crash before the
 * record was written), the record is written at most once: work passes `call.key` to outside systems as an idempotency key.
 */
export interface DurableFlow {
  /**
   * `input` is everything that the work depends on. If the journal has another name or another input at this position,
   * nothing is executed, now or later in this flow, and the failure asks for a decision (`isDecisionNeeded`).
   */
  step<T extends Json>(name: string, input: Json, work: StepWork<T>, options?: StepOptions): Promise<T>;
}

export interface OpenFlow extends DurableFlow {
  /** Resolves when no step is under way: nothing more is recorded unless the flow asks for another step. */
  settled(): Promise<void>;
  /** The part of the journal that this process created. Undefined if a write failed: it may have happened. */
  created(): CreatedJournal | undefined;
}

export type CreatedJournal = Pick<Journal, "objects" | "records">;

/**
 * Lists the keys of the journal once, at the first step, unless they are known: a replay costs one list and one read per step, and a new step
 * costs no list. With a lease no other process writes meanwhile. If a stalled former holder writes all the same,
 * create-only keys decide where both write the same step; a different step is found at the next opening.
 */
export function openFlow(ground: FlowDeps, place: RunPlace, lease?: Lease, watch: FlowWatch = {}): OpenFlow {
  const index = journalIndex(ground.store, place, watch.stepKeys);
  const open: OpenedFlow = { ...ground, lease, watch, index, created: { objects: [], records: [], isWhole: true } };
  const underWay = new Set<Promise<unknown>>();
  let position = 0;
  let stopped: Failure | undefined;
  return {
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    created: () => (open.created.isWhole ? open.created : undefined),
    async step<T extends Json>(name: string, input: Json, work: StepWork<T>, options: StepOptions = {}): Promise<T> {
      // Numbered when the step is requested, not when it ends: concurrent calls keep their positions.
      const asked: StepRequest = {
        ...place,
        position: ++position,
        name: stepName.parse(name),
        input,
        hash: inputHash(input),
      };
      if (stopped) throw stopped;
      const working = workOrReplay(open, asked, work, options).catch(stopFlow(asked));
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

async function workOrReplay(
  open: OpenedFlow,
  asked: StepRequest,
  work: StepWork<Json>,
  options: StepOptions,
): Promise<StepRecord> {
  if (asked.position > MAX_STEPS) throw tooManySteps(asked);
  const there = await open.index.at(asked.position);
  const record = recordIn(there, asked, open.watch.movedSteps);
  if (record) {
    open.watch.passed?.(record, "replayed");
    options.passed?.(record);
    return record;
  }
  crashPoint("flow.step.looked");
  await expectMayBegin(open, asked);
  if (options.once) await recordBegin(open, asked, there);
  const made = await runAttempts(open, asked, there.failed.length, work, options);
  crashPoint("flow.step.worked");
  await expectLease(open, asked);
  const key = keys.runStep(asked.slug, asked.run, asked.position, asked.name);
  const { first, bytes } = await createInJournal(open, key, jsonBytes(made));
  crashPoint("flow.step.recorded");
  const settled = await recordThatCounts(open, asked, first ? made : readJson(key, bytes, stepRecord));
  open.created.records.push(settled);
  open.watch.passed?.(settled, "worked");
  options.passed?.(settled);
  return settled;
}

/**
 * Results of work are recorded, failures too. Any other error means that the journal could not be read or written: the
 * flow must stop, because after a restart it will find this step open.
 */
const stopFlow =
  (asked: StepRequest) =>
  (error: unknown): never => {
    if (error instanceof StepStopped || asked.position > MAX_STEPS) throw error;
    throw new StepStopped(journalUnavailable(asked, asFailure(error)));
  };

/**
 * The record that counts at this position after ours was written. Without a lease another process may have written another step.
 */
async function recordThatCounts(
  { store, lease }: OpenedFlow,
  asked: StepRequest,
  record: StepRecord,
): Promise<StepRecord> {
  const there = lease ? { records: [record], begun: [], failed: [] } : await readPosition(store, asked, asked.position);
  return recordIn(there, asked) ?? record;
}

/** The record of this position. Stops the flow if it belongs to another step. */
function recordIn(
  { records, begun, failed }: JournalPosition,
  asked: StepRequest,
  movedSteps = 0,
): StepRecord | undefined {
  const [moved] = records;
  if (moved?.kind === "model" && moved.name === asked.name && asked.position <= movedSteps) return moved;
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

async function recordBegin(open: OpenedFlow, asked: StepRequest, there: JournalPosition): Promise<void> {
  const { position, name, hash } = asked;
  const times = there.begun.length;
  if (there.begun[0] && !(await open.watch.mayRepeat?.({ position, name, times })))
    throw new StepStopped(decisionNeeded("in-flight", { ...asked, times }, there.begun[0]));
  const begun = { position, name, input_hash: hash, at: isoNow(open), op: newOperationId(open) };
  const key = keys.stepBegun(asked.slug, asked.run, position, name, times + 1);
  const { first } = await createInJournal(open, key, jsonBytes(begun));
  if (!first) {
    await expectLease(open, asked);
    throw new StepStopped(decisionNeeded("in-flight", { ...asked, times: times + 1 }, begun));
  }
  crashPoint("flow.step.begun");
}

const tooManySteps = (asked: StepRequest): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the run ${asked.run} has more than ${MAX_STEPS} steps`,
    uk: `запуск ${asked.run} має понад ${MAX_STEPS} кроків`,
    details: stepDetails(asked),
  });

const journalUnavailable = (asked: StepRequest, cause: Failure): Failure =>
  new Failure(cause.code, {
    ...cause.text,
    ...(cause.hint && { hint: cause.hint }),
    details: { ...cause.details, ...stepDetails(asked), stopped: "store" satisfies FlowStopReason },
    outcome: cause.outcome,
    cause,
  });
