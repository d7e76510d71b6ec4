import { crashPoint } from "../../base/crash-point.ts";
import { type Failure, failureFromRecord, failureToRecord, isLostAnswer } from "../../base/failure.ts";
import { keys } from "../../domain/layout.ts";
import { costOf } from "../../domain/run/price.ts";
import { isExperiment, type RunRequest } from "../../domain/run/run.ts";
import type { RunManifest } from "../../domain/run/run-manifest.ts";
import { withoutSecrets } from "../../domain/text/redact.ts";
import { besideEachOther, everyKey, type Stored, type Write, type WriteResult } from "../../ports/store.ts";
import { type AuditWrite, auditOf } from "../core/audit.ts";
import { byPosition, type RunPlace } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import { refreshStatus } from "../core/flow/run-status.ts";
import type { CreatedJournal } from "../core/flow/step.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes } from "../core/json-record.ts";
import { eventWrite, type GardenEvent } from "../records/runs/pending-events.ts";
import { answerRevision } from "./answer-revision.ts";
import { auditCancel, cancelOf } from "./cancel-run.ts";
import { manifestAt, requestAt } from "./open-runs.ts";
import { auditRequest, openRunWith } from "./request-run.ts";
import { pinsAndModel } from "./run-pins.ts";
import type { CancelLook, RunSight } from "./run-sight.ts";
import { cancelSubRuns } from "./sub-agents/sub-runs.ts";
import type { RunVerdict } from "./verdict.ts";
import { type ManifestFacts, writeManifest } from "./write-manifest.ts";

export const RUN_FINISHED = "agent/run.finished";

export interface EndDeps {
  readonly garden: Garden;
  readonly pause: Pause;
  /** The orchestrator's name, for the manifest. */
  readonly engine: string;
  /** True if an active agent is triggered by events of this name. */
  readonly isAwaited: (name: string) => Promise<boolean>;
  /** True if this process knows that the audit record of the run's request exists. */
  readonly isRequestAudited: (run: string) => boolean;
  /** An event was written that an agent waits for. */
  readonly onEvent?: () => void;
}

/** Known from the work on the run; what is missing is read. */
export interface KnownRunEnd {
  readonly sight?: RunSight;
  readonly look?: CancelLook;
  /** The agent's contract, read at most once while the run is worked on. */
  readonly contract?: (() => Promise<Stored | undefined>) | undefined;
  /** The whole journal behind the request, if this process wrote it: not read again. */
  readonly written?: CreatedJournal | undefined;
}

/**
 * Ends a run. Every ending passes here: completed, failed, blocked, noop, cancelled, and those that the engine decides.
 * First the manifest is created, which is the authoritative record (O-9); then the end is published and the run leaves the open runs,
 * mostly in one group of ordered writes.
 * Idempotent: if the run has a manifest already, that one counts. After a crash in between, `settleEndedRun` does the rest.
 *
 * A run whose agent was deleted meanwhile has no request any more: its leftovers are removed and no manifest is written.
 */
export async function endRun(
  deps: EndDeps,
  place: RunPlace,
  request: RunRequest,
  ending: RunVerdict,
  known: KnownRunEnd = {},
): Promise<void> {
  const { garden } = deps;
  const verdict = withoutSecretsIn(ending, garden.secrets());
  const requestKey = keys.runRequest(place.slug, place.run);
  const requestStored = await garden.store.get(requestKey);
  if (!requestStored) return await deleteLeftovers(garden, place);
  const cancel = await (known.look?.before() ?? cancelOf(garden.store, place));
  // The process that cancelled or moved it may have died before it wrote the rest. A moved run is over only after the new one exists.
  if (cancel?.moved_to) await openRunWith(garden, cancel.moved_to);
  if (cancel) await auditCancel(garden, place, cancel);
  const facts: ManifestFacts = {
    ...(await pinsAndModel(garden, place, known)),
    trigger: request.trigger,
    status: verdict.status,
    error: verdict.error,
    outcome: verdict.outcome,
    engine: deps.engine,
    forked_from: request.forked_from ? { run: request.forked_from.run, step: request.forked_from.step } : null,
    ...(isExperiment(request) && { experiment: true as const }),
    ...(request.moved_from && { moved_from: { run: request.moved_from.run, step: request.moved_from.step } }),
    error_details: verdict.failure ? detailsOf(verdict.failure) : null,
    ...(verdict.deniedCalls !== undefined && { denied_calls: verdict.deniedCalls }),
  };
  const journal = known.written && {
    request,
    records: known.written.records.toSorted(byPosition),
    objects: [{ key: requestKey, hash: requestStored.hash }, ...known.written.objects],
  };
  const isAudited = known.sight?.isAudited || deps.isRequestAudited(place.run);
  // Otherwise something else comes between the manifest and the publication.
  const isAtOnce = isAudited && verdict.status === "completed" && request.revises === undefined;
  let publication: Publication | undefined;
  const { manifest, after } = await writeManifest(deps, place, facts, {
    journal,
    ...(isAtOnce && {
      followedBy: async (ours: RunManifest) => (publication = await publicationOf(deps, place, ours, request)).writes,
    }),
  });
  if (publication && after) announceEnd(deps, publication, after[0]);
  else await publishEnd(deps, place, manifest, request, isAudited);
}

/** True if the run has its manifest. Then it also repairs the status view and publishes the end, in case a crash came before. */
export async function settleEndedRun(deps: EndDeps, place: RunPlace): Promise<boolean> {
  const { store } = deps.garden;
  const manifest = await manifestAt(store, place);
  if (!manifest) return false;
  const status = await store.get(keys.runStatus(place.slug, place.run));
  if (!status?.bytes.length || !Buffer.from(status.bytes).includes(`"${manifest.status}"`))
    await refreshStatus({ store }, place);
  await publishEnd(deps, place, manifest, await requestAt(store, place));
  return true;
}

/**
 * Writes the audit record, the event if an agent waits for it, and last deletes the entry among the open runs. Each write is
 * idempotent; after a crash in between the entry is still there, and the next start of an engine repeats all of it.
 */
async function publishEnd(
  deps: EndDeps,
  place: RunPlace,
  manifest: RunManifest,
  request: RunRequest | undefined,
  isAudited = false,
): Promise<void> {
  const { garden, isRequestAudited } = deps;
  const { store } = garden;
  if (request && !isAudited && !isRequestAudited(place.run)) await auditRequest(garden, request);
  if (request) await answerRevision(garden, manifest, request);
  // A completed run has waited for all of them.
  if (manifest.status !== "completed") await cancelSubRuns(garden, place);
  const publication = await publicationOf(deps, place, manifest, request);
  const { writes } = publication;
  const [written] = await store.inOrder(writes).catch(async (thrown: unknown) => {
    if (isLostAnswer(thrown)) return await store.inOrder(writes);
    throw thrown;
  });
  announceEnd(deps, publication, written);
}

/** The end of a run for others: its writes, the audit record first, and what this process tells its listeners after them. */
interface Publication {
  readonly manifest: RunManifest;
  readonly audit: AuditWrite;
  readonly isEventAwaited: boolean;
  readonly writes: readonly Write[];
}

async function publicationOf(
  { isAwaited }: EndDeps,
  place: RunPlace,
  manifest: RunManifest,
  request: RunRequest | undefined,
): Promise<Publication> {
  const { slug, run } = place;
  const outcome = outcomeOf(manifest);
  const { status, finished_at: at, error } = manifest;
  const audit = auditOf(`${run}-finished`, {
    kind: "run-finished",
    at,
    by: slug,
    subject: run,
    ...(error !== null && { why: error }),
    details: { event: RUN_FINISHED, agent: slug, status, outcome, ...askedBy(request) },
  });
  const event: GardenEvent = {
    name: RUN_FINISHED,
    id: `${run}:finished`,
    at,
    by: slug,
    subject: run,
    payload: { agent: slug, status, outcome },
    from: place,
  };
  const recount: Write = { verb: "put", key: keys.recount(slug, run, "end"), bytes: jsonBytes({}) };
  // No agent starts because of an experiment.
  const isEventAwaited = !manifest.experiment && (await isAwaited(RUN_FINISHED));
  const writes: readonly Write[] = [
    ...besideEachOther([
      audit.write,
      ...(isEventAwaited ? [eventWrite(event)] : []),
      ...(manifest.logic_version === null ? [] : [recount]),
    ]),
    { verb: "delete", key: keys.openRun(run) },
  ];
  return { manifest, audit, isEventAwaited, writes };
}

/** `written`: the result of the audit record. Listeners hear of a new one only. */
function announceEnd(
  { garden, onEvent }: EndDeps,
  { manifest, audit, isEventAwaited }: Publication,
  written: WriteResult | undefined,
): void {
  crashPoint("runs.finished.told");
  if (isEventAwaited) onEvent?.();
  if (written?.kind !== "created") return;
  garden.signals.publish(audit.signal);
  garden.meter.add("bloom_runs_total", { status: manifest.status, outcome: outcomeOf(manifest) });
  const cost = costOf(garden.config.prices, manifest);
  if (cost) garden.meter.add("bloom_cost_total", { currency: cost.currency }, cost.amount);
}

const outcomeOf = ({ outcome, status }: RunManifest): string => outcome?.kind ?? status;

/** Deletes records written after the agent was deleted: the next agent of that name must not find them. */
async function deleteLeftovers(garden: Garden, place: RunPlace): Promise<void> {
  const { store } = garden;
  const { slug, run } = place;
  await cancelSubRuns(garden, place);
  for await (const { key } of everyKey(store, `${keys.runs(slug)}${run}/`)) {
    const stored = await store.get(key);
    if (stored) await store.remove(key, stored.hash);
  }
  await store.delete(keys.openRun(run));
}

/** The run that waits for this one: the engine that hears of the end resumes it. */
const askedBy = (request: RunRequest | undefined): { asked_by?: { agent: string; run: string } } =>
  request?.spawned_by ? { asked_by: { agent: request.spawned_by.agent, run: request.spawned_by.run } } : {};

function detailsOf(failure: Failure): RunManifest["error_details"] {
  const { code, text, hint, details } = failureToRecord(failure);
  const all = { ...details, code, message: text, ...(hint && { hint }) };
  return JSON.parse(JSON.stringify(all)) as RunManifest["error_details"];
}

/** The verdict without secret values: a failure outside a step has not been cleaned by its record. */
function withoutSecretsIn({ failure, ...verdict }: RunVerdict, secrets: readonly string[]): RunVerdict {
  const clean = failure && failureFromRecord(withoutSecrets(failureToRecord(failure), secrets));
  return { ...withoutSecrets(verdict, secrets), ...(clean && { failure: clean }) };
}
