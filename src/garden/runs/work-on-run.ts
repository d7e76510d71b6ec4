import { asFailure, Failure, failureTable } from "../../base/failure.ts";
import type { Language } from "../../base/text.ts";
import { contractKey, keys } from "../../domain/layout.ts";
import { foldRun, type RunRequest } from "../../domain/run/run.ts";
import type { RunManifest } from "../../domain/run/run-manifest.ts";
import { CALL_LIMIT_MS } from "../../domain/run/run-step.ts";
import type { Scope, Worked } from "../../ports/orchestrator.ts";
import { flowStopped, isDecisionNeeded, stopReason } from "../core/flow/decision-needed.ts";
import { putStatus, showRun } from "../core/flow/finish-run.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Lease } from "../core/flow/lease.ts";
import { OVER, type Pause } from "../core/flow/pause.ts";
import { type OpenFlow, openFlow } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";
import { knownContract } from "../records/agents/known-contracts.ts";
import type { AgentLeases } from "./agent-leases.ts";
import { cancelOf } from "./cancel-run.ts";
import { askForDecision, mayRepeat } from "./decision-request.ts";
import { type EndedByEngine, endByEngine, failedWith, pinnedIn } from "./end-by-engine.ts";
import { answerOf, heldRequest } from "./hold.ts";
import { manifestAt, noteOpenRun, openRunAt, RUN_FINISHED, requestAt, settleRun } from "./open-runs.ts";
import { RUN_LIMIT_MS, runClock } from "./run-clock.ts";
import { runDisplay } from "./run-display.ts";
import type { RunFlow, RunFlowEnd } from "./run-flow.ts";

/** What working on runs needs, beside the run. */
export interface RunDesk {
  readonly garden: Garden;
  readonly flow: RunFlow;
  readonly pause: Pause;
  readonly leases: AgentLeases;
  readonly leaseMs: number;
  /** The orchestrator's name, for the manifest. */
  readonly engine: string;
  /** Whether an active agent waits for events of this name. */
  readonly isAwaited: (name: string) => Promise<boolean>;
  /** Whether we heard, in this process, that the run was asked for: then that is on record. */
  readonly isTold: (run: string) => boolean;
  /** The run now waits for the answer to this request. */
  readonly onHold: (place: RunPlace, request: string) => void;
}

/**
 * Works on one run until it is over, held or put off. One process at a time works for an agent: it holds the agent's lease,
 * renews it, and stops when it is lost. All that is decided here is decided from records; what throws is tried again.
 */
export async function workOnRun(desk: RunDesk, place: RunPlace, scope: Scope): Promise<Worked> {
  const { garden } = desk;
  const over = await settledAlready(desk, place);
  if (over) return { kind: "done" };
  const request = await requestAt(garden.store, place);
  if (!request) return await forgetOrphan(garden, place.run);
  const acquired = await desk.leases.take(place.slug);
  if (acquired.kind === "busy") return { kind: "later", at: garden.world.now() + BUSY_LOOK_MS };
  try {
    // Somebody else may have ended it while we came for the lease.
    if (await settledAlready(desk, place)) return { kind: "done" };
    return await workHolding(desk, place, request, acquired.lease, scope);
  } catch (error) {
    await noteTrouble(garden, place.run, asFailure(error)).catch(() => undefined);
    throw error;
  } finally {
    desk.leases.giveBack(place.slug, acquired.lease);
  }
}

const BUSY_LOOK_MS = 1000;
/** A process that has put an entry and not yet its request has this long to go on. */
const ORPHAN_MS = 60_000;
/** How long a flow that was asked to stop is waited for. Whatever it does later meets records that are there already. */
const GRACE_MS = 10_000;

async function settledAlready(desk: RunDesk, place: RunPlace, known?: RunRequest): Promise<boolean> {
  const { garden } = desk;
  const manifest = await manifestAt(garden.store, place);
  if (!manifest) return false;
  const status = await garden.store.get(keys.runStatus(place.slug, place.run));
  if (!status?.bytes.length || !Buffer.from(status.bytes).includes(`"${manifest.status}"`))
    await showRun(garden, place);
  await settled(desk, place, manifest, known ?? (await requestAt(garden.store, place)));
  return true;
}

async function settled(
  { garden, isAwaited, isTold }: RunDesk,
  place: RunPlace,
  manifest: RunManifest,
  request: RunRequest | undefined,
): Promise<void> {
  await settleRun(garden, place, manifest, {
    request,
    isAwaited: await isAwaited(RUN_FINISHED),
    isTold: isTold(place.run),
  });
}

/** An entry without a request: its process died in between, or is just about to go on. */
async function forgetOrphan({ store, world }: Garden, run: string): Promise<Worked> {
  const entry = await openRunAt(store, run);
  if (!entry) return { kind: "done" };
  const age = world.now() - Date.parse(entry.at);
  if (age >= 0 && age < ORPHAN_MS) return { kind: "later", at: world.now() + ORPHAN_MS };
  await store.delete(keys.openRun(run));
  return { kind: "done" };
}

async function workHolding(
  desk: RunDesk,
  place: RunPlace,
  request: RunRequest,
  lease: Lease,
  scope: Scope,
): Promise<Worked> {
  const { garden, pause } = desk;
  const cancelled = await cancelOf(garden.store, place);
  if (cancelled) return await ended(desk, place, request, endCancelled(cancelled));

  const stop = new AbortController();
  const done = new AbortController();
  const stopped = (): void => stop.abort(stopFailure(place, scope.signal));
  scope.signal.addEventListener("abort", stopped);
  if (scope.signal.aborted) stopped();
  const limits = await limitsOf(garden, place);
  const clock = runClock(place.run, limits.runMs, pause, (reason) => stop.abort(reason));
  const display = runDisplay(garden, place, request, pause);
  void keepLease(desk, place, lease, stop, done.signal);
  const flow = openFlow({ ...garden, pause }, place, lease, {
    signal: stop.signal,
    callMs: limits.callMs,
    async mayBegin() {
      clock.live();
      const wish = await cancelOf(garden.store, place);
      if (wish) throw cancelledBy(place.run, wish.by);
    },
    mayRepeat: (step) => mayRepeat(garden.store, place, step),
    passed(record, how) {
      if (how === "replayed") clock.replayed(record);
      display.passed(record);
    },
  });
  const end = await carriedOut(desk, place, request, flow, stop.signal);
  clock.stop();
  scope.signal.removeEventListener("abort", stopped);
  done.abort(OVER);
  await flow.settled();
  const wrote = await display.stop();
  const worked = await concluded(desk, place, request, end);
  if (wrote && worked.kind === "done") await showRun(garden, place);
  return worked;
}

type Carried = RunFlowEnd | { readonly kind: "threw"; readonly failure: Failure };

/** The flow's end, or what it threw; soon after it was asked to stop in any case. */
async function carriedOut(
  { garden, flow: run, pause }: RunDesk,
  place: RunPlace,
  request: RunRequest,
  flow: OpenFlow,
  signal: AbortSignal,
): Promise<Carried> {
  const over = new AbortController();
  const working = (async (): Promise<Carried> => {
    try {
      if (signal.aborted) throw signal.reason;
      return await run({ garden, place, request, flow, signal });
    } catch (error) {
      const failure = asFailure(error);
      // A flow that was stopped may say so in its own words.
      const told = signal.aborted && stopReason(failure) === undefined ? asFailure(signal.reason) : failure;
      return { kind: "threw", failure: told };
    }
  })();
  let stopped = (): void => undefined;
  const givenUp = new Promise<Carried>((resolve) => {
    const grace = async (): Promise<void> => {
      await pause(GRACE_MS, over.signal);
      resolve({ kind: "threw", failure: asFailure(signal.reason) });
    };
    stopped = () => void grace();
    if (signal.aborted) stopped();
    else signal.addEventListener("abort", stopped);
  });
  try {
    return await Promise.race([working, givenUp]);
  } finally {
    signal.removeEventListener("abort", stopped);
    over.abort(OVER);
  }
}

/** What becomes of a run whose flow came back. */
async function concluded(desk: RunDesk, place: RunPlace, request: RunRequest, end: Carried): Promise<Worked> {
  const { garden } = desk;
  switch (end.kind) {
    case "later":
      return { kind: "later", at: end.at };
    case "held":
      return await hold(desk, place, request, end.request);
    case "ended":
      if (await settledAlready(desk, place, request)) return { kind: "done" };
      return await ended(desk, place, request, noOutcome(languageOf(garden)));
    case "threw":
      break;
  }
  const { failure } = end;
  const held = heldRequest(failure);
  if (held !== undefined) return await hold(desk, place, request, held);
  switch (stopReason(failure)) {
    case "closing":
    case "lost":
      return { kind: "later", at: garden.world.now() + BUSY_LOOK_MS };
    case "cancelled":
      return await ended(desk, place, request, endCancelled((await cancelOf(garden.store, place)) ?? { by: "owner" }));
    case "timeout":
      return await ended(desk, place, request, failedWith(failure, languageOf(garden)));
    case "store":
      throw failure;
    case undefined:
      break;
  }
  const inDoubt: boolean = isDecisionNeeded(failure);
  if (inDoubt) {
    const decision = await askForDecision({ ...garden, pause: desk.pause }, place, failure);
    if (decision.kind === "cancel") return await ended(desk, place, request, endCancelled(decision));
    return await hold(desk, place, request, decision.request);
  }
  if (failureTable[failure.code].retry) throw failure;
  return await ended(desk, place, request, failedWith(failure, languageOf(garden)));
}

async function ended(desk: RunDesk, place: RunPlace, request: RunRequest, end: EndedByEngine): Promise<Worked> {
  const { garden, pause, engine } = desk;
  const manifest = await endByEngine({ ...garden, pause }, place, request, engine, end);
  if (manifest) await settled(desk, place, manifest, request);
  else await garden.store.delete(keys.openRun(place.run));
  return { kind: "done" };
}

/** Lets go of a run that waits for a person. An answer may have come before anybody waited: then it goes on at once. */
async function hold({ garden, onHold }: RunDesk, place: RunPlace, request: RunRequest, id: string): Promise<Worked> {
  const records = (await readJournal(garden.store, place))?.records ?? [];
  await putStatus(garden.store, place, foldRun(request, records, undefined, { held: id }));
  await noteOpenRun(garden.store, { ...place, at: request.requested_at, held: id });
  onHold(place, id);
  if (await answerOf(garden.store, place, id)) return { kind: "later", at: garden.world.now() };
  return { kind: "held" };
}

/** Holds on to the lease while the work goes on, and looks for a wish to cancel that came from another process. */
async function keepLease(
  { garden, pause, leaseMs }: RunDesk,
  place: RunPlace,
  lease: Lease,
  stop: AbortController,
  done: AbortSignal,
): Promise<void> {
  let renewed = garden.world.now();
  for (;;) {
    await pause(leaseMs / 3, done);
    if (done.aborted) return;
    try {
      if ((await lease.renew()) === "lost") return stop.abort(lostTo(place.run));
      renewed = garden.world.now();
      const wish = await cancelOf(garden.store, place);
      if (wish) return stop.abort(cancelledBy(place.run, wish.by));
    } catch {
      // A store that is away for a moment; away for longer than the lease, somebody else may have it.
      if (garden.world.now() - renewed > leaseMs) return stop.abort(lostTo(place.run));
    }
  }
}

/** O-3: from the contract that the run is pinned to, else from the one that it is about to be. */
async function limitsOf(garden: Garden, place: RunPlace): Promise<{ runMs: number; callMs: number }> {
  const pinned = (await pinnedIn(garden, place))?.contract;
  const stored = pinned === undefined ? await garden.store.get(contractKey(place.slug)) : undefined;
  const bytes = pinned === undefined ? stored?.bytes : Buffer.from(pinned);
  const reading = bytes && knownContract(bytes, stored?.hash);
  const { run_s, step_s } = reading?.kind === "contract" ? reading.contract.timeouts : {};
  return {
    runMs: run_s === undefined ? RUN_LIMIT_MS : run_s * 1000,
    callMs: step_s === undefined ? CALL_LIMIT_MS : step_s * 1000,
  };
}

/** For people who ask why a run does not go on, and for the next start. The truth is what it was. */
async function noteTrouble({ store }: Garden, run: string, failure: Failure): Promise<void> {
  const entry = await openRunAt(store, run);
  if (entry) await noteOpenRun(store, { ...entry, failed: (entry.failed ?? 0) + 1, failure: failure.text.en });
}

const languageOf = ({ config }: Garden): Language => config.language ?? "uk";

const noOutcome = (language: Language): EndedByEngine =>
  failedWith(
    new Failure("INTERNAL_ERROR", {
      en: "the run came to its end and said nothing about an outcome",
      uk: "запуск дійшов кінця і нічого не сказав про результат",
    }),
    language,
  );

const endCancelled = ({ by, why }: { readonly by: string; readonly why?: string | undefined }): EndedByEngine => ({
  status: "cancelled",
  error: why === undefined ? `cancelled by ${by}` : `cancelled by ${by}: ${why}`,
  outcome: null,
});

export const cancelledBy = (run: string, by: string): Failure =>
  flowStopped(
    "cancelled",
    run,
    { en: `the run ${run} was cancelled by ${by}`, uk: `запуск ${run} скасував ${by}` },
    "INVALID_TRANSITION",
  );

const lostTo = (run: string): Failure =>
  flowStopped(
    "lost",
    run,
    { en: `another process has taken over the run ${run}`, uk: `запуск ${run} перебрав інший процес` },
    "CONCURRENT_MODIFICATION",
  );

/** Why the orchestrator stops the work: our own reason, or that the program ends. */
const stopFailure = ({ run }: RunPlace, { reason }: AbortSignal): Failure => {
  const failure = asFailure(reason);
  if (stopReason(failure) !== undefined) return failure;
  return flowStopped(
    "closing",
    run,
    { en: `the program ends; the run ${run} goes on later`, uk: `програма завершується; запуск ${run} продовжиться` },
    "UPSTREAM_UNAVAILABLE",
  );
};
