import type { Json } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { isLostAnswer } from "../../base/failure.ts";
import { newId } from "../../base/ids.ts";
import type { AuditRecord } from "../../domain/audit-record.ts";
import { type Identity, identityName } from "../../domain/identity.ts";
import { keys } from "../../domain/layout.ts";
import { foldRun, type OpenRun, type RunRequest, runRequest } from "../../domain/run/run.ts";
import { runId, type runTriggers } from "../../domain/run/run-manifest.ts";
import { MAX_STEP_BYTES } from "../../domain/run/run-step.ts";
import type { Write } from "../../ports/store.ts";
import { auditOf, recordAudit } from "../core/audit.ts";
import { createOrFind } from "../core/flow/create-record.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson } from "../core/json-record.ts";
import { type Agent, readAgent } from "../records/agents/read-agent.ts";
import { operationMark } from "../records/proposals/operation-mark.ts";
import { agentNotRunnable, badInputName, MAX_INPUT_NAME, manualRunsForbidden, runInputTooLarge } from "./failures.ts";
import { runIdForCorrelation } from "./run-correlation.ts";

/** A run that a person asks for, over HTTP or on the command line. */
export interface ManualRun {
  readonly slug: string;
  readonly by: Identity;
  readonly input?: { readonly [name: string]: Json } | undefined;
  /** Makes the request idempotent: the same id in every repetition (P-3). */
  readonly correlation?: string | undefined;
}

/** Requests a run by hand. Throws NOT_FOUND, INVALID_AGENT_TRANSITION, FORBIDDEN or VALIDATION_FAILED if it cannot run. */
export async function askForRun(garden: Ports, { slug, by, input, correlation }: ManualRun): Promise<RunRequest> {
  await readAgent(garden.store, slug); // first: no correlation id is stored for an agent that does not exist
  const badName = Object.keys(input ?? {}).find((name) => name === "" || name.length > MAX_INPUT_NAME);
  if (badName !== undefined) throw badInputName(slug, badName);
  const asked = { slug, by: identityName(by), what: ["run", input ?? null] };
  const id = correlation === undefined ? undefined : await runIdForCorrelation(garden, { ...asked, correlation });
  return await requestRun(garden, {
    slug,
    trigger: "manual",
    by: asked.by,
    ...(input && { input }),
    ...(id !== undefined && { id }),
  });
}

export interface RunOrder {
  readonly slug: string;
  readonly trigger: (typeof runTriggers)[number];
  /** The event's name, or the slot of a schedule. */
  readonly cause?: string;
  readonly by: string;
  readonly input?: Json;
  /** Id of the run. Schedules and events derive it from their cause, which makes the request idempotent. Default: a new one. */
  readonly id?: string;
  /** P-10c: the proposal that the run is asked to revise. */
  readonly revises?: string;
  /** See `RunRequest`. */
  readonly chain?: readonly string[];
  readonly spawned_by?: RunRequest["spawned_by"];
  /** The run is a sub-agent of an experiment. */
  readonly experiment?: boolean;
  readonly ceiling?: RunRequest["ceiling"];
}

type Ports = Pick<Garden, "store" | "world" | "signals">;

/**
 * Creates the request of a run, by hand, by schedule or by event. Idempotent for a given id: a repetition gets the first request.
 * The entry among the open runs is written first, then the request, which is the record that counts: a crash in between leaves an
 * entry too many, never a run that no engine finds.
 *
 * Only active agents run (C-6): INVALID_AGENT_TRANSITION otherwise.
 */
export async function requestRun(garden: Ports, order: RunOrder): Promise<RunRequest> {
  if (order.id !== undefined) {
    const key = keys.runRequest(order.slug, runId.parse(order.id));
    const known = await garden.store.get(key);
    if (known) return readJson(key, known.bytes, runRequest);
  }
  expectRunnable(await readAgent(garden.store, order.slug), order);
  for (;;) {
    const request = requestOf(garden, order.id ?? newId(garden.world, "run"), order);
    const first = await openRunWith(garden, request);
    // A new id that is taken already is drawn again.
    if (order.id !== undefined || first.op === request.op) return first;
  }
}

/**
 * Writes a new run: its entry among the open runs, its request, its audit record and its status, in this order: where the status is,
 * the audit record is (`RunSight`). A worker may start before the last of these is written and put a newer status: the status is only
 * created, never replaced.
 */
export async function openRunWith(garden: Ports, request: RunRequest): Promise<RunRequest> {
  const { store } = garden;
  const { agent_slug: slug, run_id: run, requested_at: at } = request;
  const entry: OpenRun = { slug, run, at };
  const audit = auditOf(...requestAudit(request));
  const writes: readonly Write[] = [
    { verb: "put", key: keys.openRun(run), bytes: jsonBytes(entry) },
    { verb: "create", key: keys.runRequest(slug, run), bytes: jsonBytes(request), must: true },
    audit.write,
    { verb: "create", key: keys.runStatus(slug, run), bytes: jsonBytes(foldRun(request, [], undefined)) },
  ];
  const written = await store.inOrder(writes).catch(ignoreLostAnswer);
  crashPoint("runs.request.made");
  if (written?.[1]?.kind === "created") {
    if (written[2]?.kind === "created") garden.signals.publish(audit.signal);
    return request;
  }
  // Another process created the request first, or the store's answer was lost: write what is missing behind the request.
  const key = keys.runRequest(slug, run);
  const first = readJson(key, (await createOrFind(store, key, jsonBytes(request))).bytes, runRequest);
  const status = jsonBytes(foldRun(first, [], undefined));
  await auditRequest(garden, first);
  await store.create(keys.runStatus(slug, run), status).catch(ignoreLostAnswer);
  return first;
}

/** Idempotent: key and time of the audit record are derived from the request. */
export const auditRequest = (garden: Ports, request: RunRequest): Promise<void> =>
  recordAudit(garden, ...requestAudit(request));

const requestAudit = (request: RunRequest): [string, AuditRecord] => [
  `${request.run_id}-requested`,
  {
    kind: "run-requested",
    at: request.requested_at,
    by: request.by,
    subject: request.run_id,
    details: {
      event: "agent/run.requested",
      agent: request.agent_slug,
      trigger: request.trigger,
      ...(request.cause !== undefined && { cause: request.cause }),
      ...(request.spawned_by && { asked_by: request.spawned_by.run }),
    },
  },
];

function requestOf({ world }: Ports, run: string, order: RunOrder): RunRequest {
  const { slug, trigger, cause, by, input, chain, revises, spawned_by, ceiling, experiment } = order;
  if (input !== undefined && Buffer.byteLength(JSON.stringify(input)) > MAX_STEP_BYTES) throw runInputTooLarge(slug);
  return runRequest.parse({
    kind: "request",
    run_id: run,
    agent_slug: slug,
    trigger,
    ...(cause !== undefined && { cause }),
    by,
    requested_at: new Date(world.now()).toISOString(),
    ...(input !== undefined && { input }),
    ...(revises !== undefined && { revises }),
    ...(chain && chain.length > 0 && { chain }),
    ...(spawned_by && { spawned_by }),
    ...(experiment && { experiment: true as const }),
    ...(ceiling && { ceiling }),
    op: operationMark(world),
  });
}

function expectRunnable({ slug, contract: { status, triggers } }: Agent, { trigger }: RunOrder): void {
  if (status !== "active") throw agentNotRunnable(slug, status);
  if (trigger === "manual" && !triggers.manual) throw manualRunsForbidden(slug);
}

function ignoreLostAnswer(error: unknown): undefined {
  if (!isLostAnswer(error)) throw error;
  return undefined;
}
