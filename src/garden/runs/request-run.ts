import type { Json } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { Failure, isFailure } from "../../base/failure.ts";
import { newId } from "../../base/ids.ts";
import type { AuditRecord } from "../../domain/audit-record.ts";
import { keys } from "../../domain/layout.ts";
import { foldRun, type OpenRun, type RunRequest, runRequest } from "../../domain/run/run.ts";
import { runId, type runTriggers } from "../../domain/run/run-manifest.ts";
import { MAX_STEP_BYTES } from "../../domain/run/run-step.ts";
import type { Write } from "../../ports/store.ts";
import { type AuditWrite, auditOf, recordAudit } from "../core/audit.ts";
import { jsonBytes, parsed } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import type { Agent } from "../records/agents/read-agent.ts";
import { readAgent } from "../records/agents/read-agent.ts";
import { operationMark } from "../records/proposals/operation-mark.ts";

export interface RunWish {
  readonly slug: string;
  readonly trigger: (typeof runTriggers)[number];
  /** The event's name, or the slot of a schedule. */
  readonly cause?: string;
  readonly by: string;
  readonly input?: Json;
  /** Of the run. What asks by itself derives it from its reason, so that asking twice is asking once. Default: a new one. */
  readonly id?: string;
  /** See `RunRequest`. */
  readonly chain?: readonly string[];
}

type Ports = Pick<Garden, "store" | "world" | "signals">;

/**
 * Asks for a run. The entry among the open runs is put first, then the request, which is the truth: a crash in between
 * leaves an entry too many, never a run that nobody knows of. Who asks again for the same run is given the first request.
 *
 * Only active agents run (C-6): INVALID_AGENT_TRANSITION otherwise.
 */
export async function requestRun(garden: Ports, wish: RunWish): Promise<RunRequest> {
  if (wish.id !== undefined) {
    const key = keys.runRequest(wish.slug, runId.parse(wish.id));
    const known = await garden.store.get(key);
    if (known) return parsed(key, known.bytes, runRequest);
  }
  expectRunnable(await readAgent(garden.store, wish.slug), wish);
  for (;;) {
    const request = requestOf(garden, wish.id ?? newId(garden.world, "run"), wish);
    const first = await openRunWith(garden, request);
    // A new id that somebody has already is drawn again.
    if (wish.id !== undefined || first.op === request.op) return first;
  }
}

/**
 * Puts a run that nobody has begun among the open ones, with its first record. The worker may be at it before the last of
 * them is there, and have put a newer status: this one is only created.
 */
export async function openRunWith(garden: Ports, request: RunRequest): Promise<RunRequest> {
  const { store } = garden;
  const { agent_slug: slug, run_id: run, requested_at: at } = request;
  const entry: OpenRun = { slug, run, at };
  const told = requestedAudit(request);
  const writes: readonly Write[] = [
    { verb: "put", key: keys.openRun(run), bytes: jsonBytes(entry) },
    { verb: "create", key: keys.runRequest(slug, run), bytes: jsonBytes(request), must: true },
    { verb: "create", key: keys.runStatus(slug, run), bytes: jsonBytes(foldRun(request, [], undefined)) },
    told.write,
  ];
  const done = await store.inOrder(writes).catch(throwUnlessUnknown);
  crashPoint("runs.request.made");
  if (done?.[1]?.kind === "created") {
    if (done[3]?.kind === "created") garden.signals.publish(told.signal);
    return request;
  }
  // Somebody was first, or nobody can say how far it came: what is missing behind the request is written now.
  const first = await createRequest(garden, request);
  const status = jsonBytes(foldRun(first, [], undefined));
  await Promise.all([
    store.create(keys.runStatus(slug, run), status).catch(throwUnlessUnknown),
    tellRequested(garden, first),
  ]);
  return first;
}

/** Told once, whoever tells it: name and time are the request's. */
export const tellRequested = (garden: Ports, request: RunRequest): Promise<void> =>
  recordAudit(garden, ...requested(request));

const requestedAudit = (request: RunRequest): AuditWrite => auditOf(...requested(request));

const requested = (request: RunRequest): [string, AuditRecord] => [
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
    },
  },
];

async function createRequest({ store }: Ports, request: RunRequest): Promise<RunRequest> {
  const key = keys.runRequest(request.agent_slug, request.run_id);
  const made = await store.create(key, jsonBytes(request)).catch(throwUnlessUnknown);
  if (made?.kind === "created") return request;
  const there = await store.get(key);
  if (there) return parsed(key, there.bytes, runRequest);
  throw new Failure(
    "UPSTREAM_UNAVAILABLE",
    { en: "the store did not say whether it wrote", uk: "сховище не відповіло, чи записало" },
    { outcome: "unknown", details: { part: "store" } },
  );
}

function requestOf({ world }: Ports, run: string, wish: RunWish): RunRequest {
  const { slug, trigger, cause, by, input, chain } = wish;
  if (input !== undefined && Buffer.byteLength(JSON.stringify(input)) > MAX_STEP_BYTES) throw tooLarge(slug);
  return runRequest.parse({
    kind: "request",
    run_id: run,
    agent_slug: slug,
    trigger,
    ...(cause !== undefined && { cause }),
    by,
    requested_at: new Date(world.now()).toISOString(),
    ...(input !== undefined && { input }),
    ...(chain && chain.length > 0 && { chain }),
    op: operationMark(world),
  });
}

function expectRunnable({ slug, contract }: Agent, { trigger }: RunWish): void {
  const { status, triggers } = contract;
  if (status !== "active")
    throw new Failure(
      "INVALID_AGENT_TRANSITION",
      {
        en: `the agent ${slug} is ${status}; only an active one runs`,
        uk: `агент ${slug} має стан ${status}; запускаються лише активні`,
      },
      {
        hint: {
          en: `\`bloom agent activate ${slug}\` makes it active, if its contract holds.`,
          uk: `\`bloom agent activate ${slug}\` зробить його активним, якщо контракт у порядку.`,
        },
        details: { agent: slug, status },
      },
    );
  if (trigger === "manual" && !triggers.manual)
    throw new Failure(
      "FORBIDDEN",
      {
        en: `the contract of ${slug} does not allow runs by hand (\`triggers.manual: false\`)`,
        uk: `контракт ${slug} не дозволяє запускати його вручну (\`triggers.manual: false\`)`,
      },
      { details: { agent: slug, field: "triggers.manual" } },
    );
}

const tooLarge = (slug: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the input of the run is larger than ${MAX_STEP_BYTES} bytes`,
      uk: `вхідні дані запуску більші за ${MAX_STEP_BYTES} байтів`,
    },
    { details: { agent: slug } },
  );

function throwUnlessUnknown(error: unknown): undefined {
  if (!(isFailure(error) && error.outcome === "unknown")) throw error;
  return undefined;
}
