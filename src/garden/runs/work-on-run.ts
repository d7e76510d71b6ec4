import { asFailure, type Failure, failureTable } from "../../base/failure.ts";
import type { Language } from "../../base/text.ts";
import { contractKey, keys } from "../../domain/layout.ts";
import { foldRun } from "../../domain/run/run.ts";
import type { Worked, WorkScope } from "../../ports/orchestrator.ts";
import type { Stored } from "../../ports/store.ts";
import { isDecisionNeeded, stopReason } from "../core/flow/decision-needed.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Lease } from "../core/flow/lease.ts";
import { putStatus, refreshStatus } from "../core/flow/run-status.ts";
import type { Garden } from "../core/garden.ts";
import { askForDecision, type RunDecision } from "./decision-request.ts";
import { endRun, settleEndedRun } from "./end-run.ts";
import { heldRequest } from "./hold.ts";
import { isAnswered } from "./known-runs.ts";
import { noteOpenRun, openRunAt, requestAt } from "./open-runs.ts";
import { beginAttempt } from "./run-attempts.ts";
import { cancelLook, isRequestedUnder, sightOf } from "./run-sight.ts";
import { type FlowResult, type SeenRun, superviseFlow, type WorkDeps } from "./supervise-flow.ts";
import { cancelledVerdict, failedVerdict, type RunVerdict } from "./verdict.ts";

/** Wait before the lease of a busy agent is tried again. */
const BUSY_LOOK_MS = 1000;
/** A process that has put an entry among the open runs has this long to create the request. */
const ORPHAN_MS = 60_000;

/**
 * Works on one run until it is over, held or postponed. One process at a time works for an agent: it holds the agent's lease.
 * Everything is decided from records, so it can be called again after a crash; if it throws, the orchestrator retries.
 */
export async function workOnRun(deps: WorkDeps, place: RunPlace, scope: WorkScope): Promise<Worked> {
  const { garden, leases } = deps;
  const held = deps.takeRequestedUnder(place.run);
  // Before the lease, for a run of another process: if it is over, the lease is not needed.
  if (!deps.isRequestAudited(place.run) && (await settleEndedRun(deps, place))) return DONE;
  const request = await requestAt(garden.store, place);
  if (!request) return await dropOrphan(garden, place.run);
  const acquired = await leases.take(place.slug);
  if (acquired.kind === "busy") return { kind: "later", at: garden.world.now() + BUSY_LOOK_MS };
  deps.underWay.add(place.run);
  try {
    const { lease } = acquired;
    const sight = await sightOf(garden.store, place, isRequestedUnder(lease, held, request));
    // Another process may have ended the run before we got the lease.
    if (sight.hasManifest && (await settleEndedRun(deps, place))) return DONE;
    let contract: Promise<Stored | undefined> | undefined;
    const run: SeenRun = {
      place,
      request,
      sight,
      look: cancelLook(garden, place, sight),
      contract: () => (contract ??= garden.store.get(contractKey(place.slug))),
    };
    return await workWithLease(deps, run, lease, scope);
  } catch (error) {
    await noteTrouble(garden, place.run, asFailure(error)).catch(() => undefined);
    throw error;
  } finally {
    deps.underWay.delete(place.run);
    leases.giveBack(place.slug, acquired.lease);
  }
}

const DONE: Worked = { kind: "done" };

async function workWithLease(deps: WorkDeps, run: SeenRun, lease: Lease, scope: WorkScope): Promise<Worked> {
  const { place, sight } = run;
  const cancel = sight.hasCancel ? await run.look.now() : undefined;
  if (cancel) return await end(deps, run, cancelledVerdict(cancel));
  const isKnown = deps.isRequestAudited(place.run) || deps.uncounted.has(place.run);
  const begun = isKnown ? undefined : await beginAttempt({ ...deps.garden, pause: deps.pause }, place, sight);
  if (begun && "kind" in begun) return await followDecision(deps, run, begun);
  let isOver = false;
  try {
    const { result, isStatusInDoubt, written } = await superviseFlow(deps, run, lease, scope, begun);
    const worked = await conclude(deps, { ...run, written }, result, lease);
    isOver = worked.kind === "done";
    if (isStatusInDoubt && isOver) await refreshStatus(deps.garden, place);
    return worked;
  } finally {
    if (begun && !isOver) {
      await begun.over().catch(() => undefined);
      deps.uncounted.add(place.run);
    }
  }
}

async function followDecision(deps: WorkDeps, run: SeenRun, decision: RunDecision): Promise<Worked> {
  if (decision.kind === "cancel") return await end(deps, run, cancelledVerdict(decision));
  return await hold(deps, run, decision.request);
}

/** Ends, holds or postpones the run by the result of its flow. Throws failures that a retry by the orchestrator may get past. */
async function conclude(deps: WorkDeps, run: SeenRun, result: FlowResult, lease: Lease): Promise<Worked> {
  const { garden } = deps;
  if (result.kind === "later") return result;
  // A process that was paused may find that its time is over, or that the run is cancelled, before it finds that another one has taken
  // the run over.
  if (!(await lease.holds())) return { kind: "later", at: garden.world.now() + BUSY_LOOK_MS };
  switch (result.kind) {
    case "held":
      return await hold(deps, run, result.request);
    case "ended":
      await end(deps, run, result.verdict);
      await result.after?.();
      return DONE;
    case "threw":
      break;
  }
  const { failure } = result;
  const held = heldRequest(failure);
  if (held !== undefined) return await hold(deps, run, held);
  switch (stopReason(failure)) {
    case "closing":
    case "lost":
      return { kind: "later", at: garden.world.now() + BUSY_LOOK_MS };
    case "cancelled": {
      const cancel = (await run.look.now()) ?? { by: "owner" };
      return await end(deps, run, cancelledVerdict(cancel));
    }
    case "timeout":
      return await end(deps, run, failedVerdict(failure, languageOf(garden)));
    case "store":
      throw failure;
    case undefined:
      break;
  }
  const inDoubt: boolean = isDecisionNeeded(failure);
  if (inDoubt) {
    const decision = await askForDecision({ ...garden, pause: deps.pause }, run.place, failure);
    return await followDecision(deps, run, decision);
  }
  if (failureTable[failure.code].retry) throw failure;
  return await end(deps, run, failedVerdict(failure, languageOf(garden)));
}

async function end(deps: WorkDeps, { place, request, ...known }: SeenRun, verdict: RunVerdict): Promise<Worked> {
  await endRun(deps, place, request, verdict, known);
  return DONE;
}

/** Puts the run aside until the request has its answer, or its sub-agent is at its end. If that is so already, the run continues at once. */
async function hold({ garden, onHold }: WorkDeps, { place, request }: SeenRun, id: string): Promise<Worked> {
  const records = (await readJournal(garden.store, place))?.records ?? [];
  await putStatus(garden.store, place, foldRun(request, records, undefined, { held: id }));
  await noteOpenRun(garden.store, { ...place, at: request.requested_at, held: id });
  onHold(place, id);
  if (await isAnswered(garden.store, place, id)) return { kind: "later", at: garden.world.now() };
  return { kind: "held" };
}

/** An entry without a request: the process that put it died in between, or is about to create the request. */
async function dropOrphan({ store, world }: Garden, run: string): Promise<Worked> {
  const entry = await openRunAt(store, run);
  if (!entry) return DONE;
  const age = world.now() - Date.parse(entry.at);
  if (age >= 0 && age < ORPHAN_MS) return { kind: "later", at: world.now() + ORPHAN_MS };
  await store.delete(keys.openRun(run));
  return DONE;
}

/** Shows in the view of open runs why this one does not go on. No decision depends on it. */
async function noteTrouble({ store }: Garden, run: string, failure: Failure): Promise<void> {
  const entry = await openRunAt(store, run);
  if (entry) await noteOpenRun(store, { ...entry, failed: (entry.failed ?? 0) + 1, failure: failure.text.en });
}

const languageOf = ({ config }: Garden): Language => config.language ?? "uk";
