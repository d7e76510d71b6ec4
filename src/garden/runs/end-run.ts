import { crashPoint } from "../../base/crash-point.ts";
import { type Failure, failureFromRecord, failureToRecord, isLostAnswer } from "../../base/failure.ts";
import { keys } from "../../domain/layout.ts";
import { costOf } from "../../domain/run/price.ts";
import { foldRun, isExperiment, type RunRequest } from "../../domain/run/run.ts";
import { journalId, type RunManifest, runManifest } from "../../domain/run/run-manifest.ts";
import { withoutSecrets } from "../../domain/text/redact.ts";
import { everyKey, type Write } from "../../ports/store.ts";
import { auditOf } from "../core/audit.ts";
import { createRecord } from "../core/flow/create-record.ts";
import { keysBelow, type RunPlace, readSteps } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import { putStatus, refreshStatus, statusWrite } from "../core/flow/run-status.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson } from "../core/json-record.ts";
import { eventWrite, type GardenEvent } from "../records/runs/pending-events.ts";
import { answerRevision } from "./answer-revision.ts";
import { auditCancel, cancelOf } from "./cancel-run.ts";
import { manifestAt, requestAt } from "./open-runs.ts";
import { auditRequest, openRunWith } from "./request-run.ts";
import { pinsAndModel } from "./run-pins.ts";
import type { CancelLook, RunSight } from "./run-sight.ts";
import { cancelSubRuns } from "./sub-agents/sub-runs.ts";
import type { RunVerdict } from "./verdict.ts";

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
  /** All keys of the journal, if this process wrote the whole of it. */
  readonly stepKeys?: readonly string[] | undefined;
}

/**
 * Ends a run. Every ending passes here: completed, failed, blocked, noop, cancelled, and those that the engine decides.
 * First the manifest is created, which is the authoritative record (O-9); then the end is published and the run leaves the open runs.
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
  if (!(await garden.store.get(keys.runRequest(place.slug, place.run)))) return await deleteLeftovers(garden, place);
  const cancel = await (known.look?.before() ?? cancelOf(garden.store, place));
  // The process that cancelled or moved it may have died before it wrote the rest. A moved run is over only after the new one exists.
  if (cancel?.moved_to) await openRunWith(garden, cancel.moved_to);
  if (cancel) await auditCancel(garden, place, cancel);
  const facts: ManifestFacts = {
    ...(await pinsAndModel(garden, place)),
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
  const manifest = await writeManifest(deps, place, facts, known.stepKeys);
  await publishEnd(deps, place, manifest, request, known.sight?.isAudited);
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

/** The rest of the manifest is derived from the journal. */
type ManifestFacts = Omit<
  RunManifest,
  | "run_id"
  | "agent_slug"
  | "steps_count"
  | "proposals_created"
  | "tokens_used"
  | "journal"
  | "started_at"
  | "finished_at"
>;

/**
 * Creates the manifest once and then the status view. Returns the manifest that stands: ours, or the one that another process
 * created first. The same call after a crash in between completes the view.
 */
export async function writeManifest(
  { garden: { store, world }, pause }: { readonly garden: Pick<Garden, "store" | "world">; readonly pause: Pause },
  place: RunPlace,
  facts: ManifestFacts,
  stepKeys?: readonly string[],
): Promise<RunManifest> {
  const { slug, run } = place;
  const journal = await readSteps(store, place, stepKeys ?? (await keysBelow(store, keys.runSteps(slug, run))));
  const { request, records } = journal;
  const now = new Date(world.now()).toISOString();
  const total = (side: "input" | "output"): number =>
    records.reduce((sum, { tokens }) => sum + (tokens?.[side] ?? 0), 0);
  const manifest = runManifest.parse({
    ...facts,
    run_id: run,
    agent_slug: slug,
    started_at: records[0]?.started_at ?? now,
    finished_at: now,
    steps_count: records.length,
    proposals_created: records.flatMap(({ proposals }) => proposals).length,
    tokens_used: { input: total("input"), output: total("output") },
    journal: journalId(journal.objects),
  });
  const views: Write[] = request ? [statusWrite(place, foldRun(request, records, manifest))] : [];
  const key = keys.runManifest(slug, run);
  const { first, bytes } = await createRecord({ store, pause }, key, jsonBytes(manifest), views);
  crashPoint("flow.run.ended");
  if (first) return manifest;
  const earlier = readJson(key, bytes, runManifest);
  if (request) await putStatus(store, place, foldRun(request, records, earlier));
  return earlier;
}

/**
 * Writes the audit record, then the event if an agent waits for it, and last deletes the entry among the open runs. Each write is
 * idempotent; after a crash in between the entry is still there, and the next start of an engine repeats all of it.
 */
async function publishEnd(
  { garden, isAwaited, isRequestAudited, onEvent }: EndDeps,
  place: RunPlace,
  manifest: RunManifest,
  request: RunRequest | undefined,
  isAudited = false,
): Promise<void> {
  const { store, signals } = garden;
  const { slug, run } = place;
  if (request && !isAudited && !isRequestAudited(run)) await auditRequest(garden, request);
  const outcome = manifest.outcome?.kind ?? manifest.status;
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
  if (request) await answerRevision(garden, manifest, request);
  // A completed run has waited for all of them.
  if (status !== "completed") await cancelSubRuns(garden, place);
  const recount: Write = { verb: "put", key: keys.recount(slug, run, "end"), bytes: jsonBytes({}) };
  // No agent starts because of an experiment.
  const isEventAwaited = !manifest.experiment && (await isAwaited(RUN_FINISHED));
  const writes: readonly Write[] = [
    audit.write,
    ...(isEventAwaited ? [eventWrite(event)] : []),
    ...(manifest.logic_version === null ? [] : [recount]),
    { verb: "delete", key: keys.openRun(run) },
  ];
  const [written] = await store.inOrder(writes).catch(async (thrown: unknown) => {
    if (isLostAnswer(thrown)) return await store.inOrder(writes);
    throw thrown;
  });
  crashPoint("runs.finished.told");
  if (isEventAwaited) onEvent?.();
  if (written?.kind !== "created") return;
  signals.publish(audit.signal);
  garden.meter.add("bloom_runs_total", { status, outcome });
  const cost = costOf(garden.config.prices, manifest);
  if (cost) garden.meter.add("bloom_cost_total", { currency: cost.currency }, cost.amount);
}

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
