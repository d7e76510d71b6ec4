import { asFailure, type Failure } from "../../base/failure.ts";
import { movedSteps, type RunRequest } from "../../domain/run/run.ts";
import { LOAD_CONTEXT, loadedContext } from "../../domain/run/run-manifest.ts";
import type { StepRecord } from "../../domain/run/run-step.ts";
import type { WorkScope } from "../../ports/orchestrator.ts";
import type { Stored } from "../../ports/store.ts";
import { flowStopped, stopReason, takenOver } from "../core/flow/decision-needed.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Lease } from "../core/flow/lease.ts";
import { OVER } from "../core/flow/pause.ts";
import { type OpenFlow, openFlow } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";
import type { Meter } from "../core/meter.ts";
import { cachedContract } from "../records/agents/known-contracts.ts";
import type { AgentLeases } from "./agent-leases.ts";
import { mayRepeat } from "./decision-request.ts";
import type { EndDeps, KnownRunEnd } from "./end-run.ts";
import { keepLease } from "./keep-lease.ts";
import type { BegunAttempt } from "./run-attempts.ts";
import { RUN_LIMIT_MS, runClock } from "./run-clock.ts";
import { runDisplay } from "./run-display.ts";
import type { RunFlow, RunFlowEnd } from "./run-flow.ts";
import { pinnedContext } from "./run-pins.ts";
import type { CancelLook, RunSight } from "./run-sight.ts";

/** Dependencies of the work on runs. */
export interface WorkDeps extends EndDeps {
  readonly flow: RunFlow;
  readonly leases: AgentLeases;
  readonly leaseMs: number;
  /**
   * Runs that did not end this process: an attempt of this process stopped in order (held, postponed, to be retried), or a
   * person watches the run in a terminal. Further work on them is not recorded as an attempt (`run-attempts.ts`).
   */
  readonly uncounted: Set<string>;
  /** Runs that this process holds the lease for and works on now. */
  readonly underWay: Set<string>;
  /** The run now waits for the answer to this request. */
  readonly onHold: (place: RunPlace, request: string) => void;
  /** The lease under which this process requested the run, once: a later attempt finds what the first one wrote. */
  readonly takeRequestedUnder: (run: string) => Lease | undefined;
}

/** A run as it was found when its work began. */
export interface SeenRun extends KnownRunEnd {
  readonly place: RunPlace;
  readonly request: RunRequest;
  readonly sight: RunSight;
  readonly look: CancelLook;
  readonly contract: () => Promise<Stored | undefined>;
}

export type FlowResult = RunFlowEnd | { readonly kind: "threw"; readonly failure: Failure };

/** Maximum wait for an aborted flow. If it writes later, its records exist already and are not replaced. */
const GRACE_MS = 10_000;

/**
 * Runs the flow under the agent's lease: renews the lease, measures the time, shows the steps, and aborts the flow when the run is
 * cancelled, out of time or taken over, or the program ends. Never throws what the flow threw: that is the result.
 * `isStatusInDoubt`: a write of the running status was in flight and may land after the final one.
 */
export async function superviseFlow(
  deps: WorkDeps,
  { place, request, sight, look, contract }: SeenRun,
  lease: Lease,
  scope: WorkScope,
  attempt?: BegunAttempt,
): Promise<SupervisedFlow> {
  const { garden, pause } = deps;
  const stop = new AbortController();
  const done = new AbortController();
  const onScopeAbort = (): void => stop.abort(stopFailure(place, scope.signal));
  scope.signal.addEventListener("abort", onScopeAbort);
  if (scope.signal.aborted) onScopeAbort();
  let limits = sight.isUntouched ? undefined : await limitsOf(garden, place, contract);
  // The requests since the lease was taken may have used up its time.
  if (!(await lease.refresh())) stop.abort(takenOver(place.run));
  const { world } = garden;
  const clock = runClock({ pause, world }, place.run, limits?.runMs ?? RUN_LIMIT_MS, (reason) => stop.abort(reason));
  const limitBy = (found: RunLimits): void => {
    limits = found;
    clock.limit(found.runMs);
  };
  const display = runDisplay(garden, place, request, pause);
  let isLive = false;
  void keepLease(deps, place.run, lease, stop, done.signal, async () => {
    if (isLive) await attempt?.alive();
    const wish = await look.now();
    if (wish) stop.abort(cancelledBy(place.run, wish.by));
  });
  // Steps that the run shares with another one are copied by its flow before its first step (O-3a, O-7).
  const isCopied = request.forked_from !== undefined || request.moved_from !== undefined;
  const flow = openFlow({ ...garden, pause }, place, lease, {
    signal: stop.signal,
    get callMs() {
      return limits?.callMs;
    },
    stepKeys: isCopied ? undefined : sight.stepKeys,
    movedSteps: movedSteps(request),
    async mayBegin(name) {
      isLive = true;
      if (!limits && name !== LOAD_CONTEXT) limitBy(await limitsOf(garden, place, contract));
      clock.live();
      const wish = await look.before();
      if (wish) throw cancelledBy(place.run, wish.by);
    },
    mayRepeat: (step) => mayRepeat(garden.store, place, step),
    waits: (until) => display.waits(until),
    passed(record, how) {
      if (how === "replayed") clock.replayed(record, limits?.callMs);
      else countStep(garden.meter, record);
      const pinned = !limits && record.name === LOAD_CONTEXT && loadedContext.safeParse(record.output).data;
      if (pinned) {
        clock.replayed(record);
        limitBy(limitsIn(Buffer.from(pinned.contract)));
      }
      display.passed(record);
    },
  });
  const result = await runFlow(deps, place, request, flow, stop.signal);
  clock.stop();
  scope.signal.removeEventListener("abort", onScopeAbort);
  done.abort(OVER);
  await flow.settled();
  const written = sight.isUntouched && !isCopied ? flow.created() : undefined;
  return { result, isStatusInDoubt: await display.stop(), written };
}

type SupervisedFlow = Pick<KnownRunEnd, "written"> & {
  readonly result: FlowResult;
  readonly isStatusInDoubt: boolean;
};

function countStep(meter: Meter, { kind, failure, tokens }: StepRecord): void {
  meter.add("bloom_steps_total", { kind, result: failure ? "failed" : "done" });
  if (!tokens) return;
  meter.add("bloom_tokens_total", { direction: "input" }, tokens.input);
  meter.add("bloom_tokens_total", { direction: "output" }, tokens.output);
}

/** Runs the flow and never throws. If it was aborted and does not return within `GRACE_MS`, we stop waiting. */
async function runFlow(
  { garden, flow: run, pause }: WorkDeps,
  place: RunPlace,
  request: RunRequest,
  flow: OpenFlow,
  signal: AbortSignal,
): Promise<FlowResult> {
  const over = new AbortController();
  const working = (async (): Promise<FlowResult> => {
    try {
      if (signal.aborted) throw signal.reason;
      return await run({ garden, place, request, flow, signal });
    } catch (error) {
      const failure = asFailure(error);
      // An aborted flow may fail with its own failure; the reason of the abort counts.
      const isOwn = signal.aborted && stopReason(failure) === undefined;
      return { kind: "threw", failure: isOwn ? asFailure(signal.reason) : failure };
    }
  })();
  let onAbort = (): void => undefined;
  const givenUp = new Promise<FlowResult>((resolve) => {
    const grace = async (): Promise<void> => {
      await pause(GRACE_MS, over.signal);
      resolve({ kind: "threw", failure: asFailure(signal.reason) });
    };
    onAbort = () => void grace();
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
  });
  try {
    return await Promise.race([working, givenUp]);
  } finally {
    signal.removeEventListener("abort", onAbort);
    over.abort(OVER);
  }
}

/** O-3: from the contract that the run is pinned to, or before its first step from the current one. */
async function limitsOf(garden: Garden, place: RunPlace, contract: SeenRun["contract"]): Promise<RunLimits> {
  const pinned = (await pinnedContext(garden, place))?.contract;
  const stored = pinned === undefined ? await contract() : undefined;
  return limitsIn(pinned === undefined ? stored?.bytes : Buffer.from(pinned), stored?.hash);
}

interface RunLimits {
  readonly runMs: number;
  readonly callMs: number | undefined;
}

function limitsIn(contract: Uint8Array | undefined, hash?: string): RunLimits {
  const reading = contract && cachedContract(contract, hash);
  const { run_s, step_s } = reading?.kind === "contract" ? reading.contract.timeouts : {};
  return {
    runMs: run_s === undefined ? RUN_LIMIT_MS : run_s * 1000,
    callMs: step_s === undefined ? undefined : step_s * 1000,
  };
}

export const cancelledBy = (run: string, by: string): Failure =>
  flowStopped(
    "cancelled",
    run,
    { en: `the run ${run} was cancelled by ${by}`, uk: `запуск ${run} скасував ${by}` },
    "INVALID_TRANSITION",
  );

/** The orchestrator's reason if it is one of ours; otherwise the program ends. */
const stopFailure = ({ run }: RunPlace, { reason }: AbortSignal): Failure => {
  const failure = asFailure(reason);
  if (stopReason(failure) !== undefined) return failure;
  return flowStopped(
    "closing",
    run,
    {
      en: `the program is shutting down; the run ${run} continues later`,
      uk: `програма завершується; запуск ${run} продовжиться`,
    },
    "UPSTREAM_UNAVAILABLE",
  );
};
