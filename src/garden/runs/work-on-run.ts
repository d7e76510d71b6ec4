import { asFailure, type Failure, failureTable } from "../../base/failure.ts";
import type { Language } from "../../base/text.ts";
import { keys } from "../../domain/layout.ts";
import { foldRun, type RunRequest } from "../../domain/run/run.ts";
import type { Worked, WorkScope } from "../../ports/orchestrator.ts";
import { isDecisionNeeded, stopReason } from "../core/flow/decision-needed.ts";
import { type RunPlace, readJournal } from "../core/flow/journal.ts";
import type { Lease } from "../core/flow/lease.ts";
import { putStatus, refreshStatus } from "../core/flow/run-status.ts";
import type { Garden } from "../core/garden.ts";
import { cancelOf } from "./cancel-run.ts";
import { askForDecision, type RunDecision } from "./decision-request.ts";
import { endRun, settleEndedRun } from "./end-run.ts";
import { answerOf, heldRequest } from "./hold.ts";
import { noteOpenRun, openRunAt, requestAt } from "./open-runs.ts";
import { beginAttempt } from "./run-attempts.ts";
import { type FlowResult, superviseFlow, type WorkDeps } from "./supervise-flow.ts";
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
  if (await settleEndedRun(deps, place)) return DONE;
  const request = await requestAt(garden.store, place);
  if (!request) return await dropOrphan(garden, place.run);
  const acquired = await leases.take(place.slug);
  if (acquired.kind === "busy") return { kind: "later", at: garden.world.now() + BUSY_LOOK_MS };
  deps.underWay.add(place.run);
  try {
    // Another process may have ended the run before we got the lease.
    if (await settleEndedRun(deps, place)) return DONE;
    return await workWithLease(deps, place, request, acquired.lease, scope);
  } catch (error) {
    await noteTrouble(garden, place.run, asFailure(error)).catch(() => undefined);
    throw error;
  } finally {
    deps.underWay.delete(place.run);
    leases.giveBack(place.slug, acquired.lease);
  }
}

const DONE: Worked = { kind: "done" };

async function workWithLease(
  deps: WorkDeps,
  place: RunPlace,
  request: RunRequest,
  lease: Lease,
  scope: WorkScope,
): Promise<Worked> {
  const cancel = await cancelOf(deps.garden.store, place);
  if (cancel) return await end(deps, place, request, cancelledVerdict(cancel));
  const isKnown = deps.isRequestAudited(place.run) || deps.uncounted.has(place.run);
  const begun = isKnown ? undefined : await beginAttempt({ ...deps.garden, pause: deps.pause }, place);
  if (begun && "kind" in begun) return await followDecision(deps, place, request, begun);
  let isOver = false;
  try {
    const { result, isStatusInDoubt } = await superviseFlow(deps, place, request, lease, scope, begun);
    const worked = await conclude(deps, place, request, result);
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

async function followDecision(
  deps: WorkDeps,
  place: RunPlace,
  request: RunRequest,
  decision: RunDecision,
): Promise<Worked> {
  if (decision.kind === "cancel") return await end(deps, place, request, cancelledVerdict(decision));
  return await hold(deps, place, request, decision.request);
}

/** Ends, holds or postpones the run by the result of its flow. Throws failures that a retry by the orchestrator may get past. */
async function conclude(deps: WorkDeps, place: RunPlace, request: RunRequest, result: FlowResult): Promise<Worked> {
  const { garden } = deps;
  switch (result.kind) {
    case "later":
      return result;
    case "held":
      return await hold(deps, place, request, result.request);
    case "ended":
      await end(deps, place, request, result.verdict);
      await result.after?.();
      return DONE;
    case "threw":
      break;
  }
  const { failure } = result;
  const held = heldRequest(failure);
  if (held !== undefined) return await hold(deps, place, request, held);
  switch (stopReason(failure)) {
    case "closing":
    case "lost":
      return { kind: "later", at: garden.world.now() + BUSY_LOOK_MS };
    case "cancelled": {
      const cancel = (await cancelOf(garden.store, place)) ?? { by: "owner" };
      return await end(deps, place, request, cancelledVerdict(cancel));
    }
    case "timeout":
      return await end(deps, place, request, failedVerdict(failure, languageOf(garden)));
    case "store":
      throw failure;
    case undefined:
      break;
  }
  const inDoubt: boolean = isDecisionNeeded(failure);
  if (inDoubt) {
    const decision = await askForDecision({ ...garden, pause: deps.pause }, place, failure);
    return await followDecision(deps, place, request, decision);
  }
  if (failureTable[failure.code].retry) throw failure;
  return await end(deps, place, request, failedVerdict(failure, languageOf(garden)));
}

async function end(deps: WorkDeps, place: RunPlace, request: RunRequest, verdict: RunVerdict): Promise<Worked> {
  await endRun(deps, place, request, verdict);
  return DONE;
}

/** Puts the run aside until the request has its answer. If the answer is there already, the run continues at once. */
async function hold({ garden, onHold }: WorkDeps, place: RunPlace, request: RunRequest, id: string): Promise<Worked> {
  const records = (await readJournal(garden.store, place))?.records ?? [];
  await putStatus(garden.store, place, foldRun(request, records, undefined, { held: id }));
  await noteOpenRun(garden.store, { ...place, at: request.requested_at, held: id });
  onHold(place, id);
  if (await answerOf(garden.store, place, id)) return { kind: "later", at: garden.world.now() };
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
