import { crashPoint } from "../../base/crash-point.ts";
import { isFailure } from "../../base/failure.ts";
import { keys } from "../../domain/layout.ts";
import { type OpenRun, openRun, type RunRequest, runRequest } from "../../domain/run/run.ts";
import { type RunManifest, runManifest } from "../../domain/run/run-manifest.ts";
import { everyKey, type Store, type Write } from "../../ports/store.ts";
import { auditOf } from "../core/audit.ts";
import { jsonBytes, parsed, type RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { eventWrite, type GardenEvent } from "../records/runs/pending-events.ts";
import { daysOf, runsOfDay } from "../records/runs/run-folders.ts";
import { agentSlugs } from "../records/status.ts";
import { findRun } from "./read-runs.ts";
import { tellRequested } from "./request-run.ts";

/**
 * The view of runs that are not over. It is a superset at every instant: an entry is put before the request and deleted after
 * the manifest and all that follows from it, so that finding open runs costs what is open, however many have ended.
 */
export async function openRunIds(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of everyKey(store, keys.openRuns)) {
    const id = /^views\/open-runs\/(run_[^/]+)\.json$/.exec(key)?.[1];
    if (id !== undefined) ids.push(id);
  }
  return ids; // by time, because the ids are
}

/** Undefined if there is none, or none that can be told: a damaged entry of a run that is gone is taken away. */
export async function openRunAt(store: Store, run: string): Promise<OpenRun | undefined> {
  const stored = await store.get(keys.openRun(run));
  if (!stored) return undefined;
  const entry = openRun.safeParse(jsonOf(stored.bytes)).data;
  if (entry?.run === run) return entry;
  const place = await findRun({ store }, run).catch(() => undefined);
  const request = place && (await requestAt(store, place));
  if (request) return { slug: request.agent_slug, run, at: request.requested_at };
  await store.remove(keys.openRun(run), stored.hash);
  return undefined;
}

/** Changes what the entry of an open run says. Only its worker does. */
export const noteOpenRun = (store: Store, entry: OpenRun): Promise<void> =>
  store.put(keys.openRun(entry.run), jsonBytes(openRun.parse(entry)));

export async function requestAt(store: Store, { slug, run }: RunPlace): Promise<RunRequest | undefined> {
  const key = keys.runRequest(slug, run);
  const stored = await store.get(key);
  return stored && parsed(key, stored.bytes, runRequest);
}

export async function manifestAt(store: Store, { slug, run }: RunPlace): Promise<RunManifest | undefined> {
  const key = keys.runManifest(slug, run);
  const stored = await store.get(key);
  return stored && parsed(key, stored.bytes, runManifest);
}

/**
 * Somebody deleted the views: walks through all runs once and puts those without a manifest back. Otherwise one read.
 * Answers with how many it put.
 */
export async function restoreOpenRuns({ store, world }: Pick<Garden, "store" | "world">): Promise<number> {
  if (await store.get(keys.openRunsWhole)) return 0;
  let put = 0;
  for (const slug of await agentSlugs(store)) {
    for (const day of await daysOf(store, slug)) {
      for (const place of await runsOfDay(store, slug, day)) {
        const { run } = place;
        if (await store.get(keys.runManifest(slug, run))) continue;
        const request = await requestAt(store, place).catch(() => undefined);
        if (!request || (await store.get(keys.openRun(run)))) continue;
        await noteOpenRun(store, { slug, run, at: request.requested_at });
        put++;
      }
    }
  }
  await store.put(keys.openRunsWhole, jsonBytes({ at: new Date(world.now()).toISOString() }));
  return put;
}

export const RUN_FINISHED = "agent/run.finished";

export interface Settling {
  /** Undefined: nobody knows any more who asked for it. */
  readonly request: RunRequest | undefined;
  /** Whether an agent waits for the event that the run is over. */
  readonly isAwaited?: boolean;
  /** Whether it was told already that the run was asked for. */
  readonly isTold?: boolean;
}

/**
 * A run is over: tells it, lets the event go out if any agent waits for it, and takes the run from the open ones, in this order.
 * Each is done once however often this is called; a crash in between leaves the entry, and the next start does the rest.
 */
export async function settleRun(
  garden: Pick<Garden, "store" | "world" | "signals">,
  place: RunPlace,
  manifest: RunManifest,
  { request, isAwaited = false, isTold = false }: Settling,
): Promise<void> {
  const { store, signals } = garden;
  const { slug, run } = place;
  const outcome = manifest.outcome?.kind ?? manifest.status;
  const at = manifest.finished_at;
  if (request && !isTold) await tellRequested(garden, request);
  const told = auditOf(`${run}-finished`, {
    kind: "run-finished",
    at,
    by: slug,
    subject: run,
    ...(manifest.error !== null && { why: manifest.error }),
    details: { event: RUN_FINISHED, agent: slug, status: manifest.status, outcome },
  });
  const event: GardenEvent = {
    name: RUN_FINISHED,
    id: `${run}:finished`,
    at,
    by: slug,
    subject: run,
    payload: { agent: slug, status: manifest.status, outcome },
    from: place,
  };
  const uncounted: Write = { verb: "put", key: keys.recount(slug, run, "end"), bytes: jsonBytes({}) };
  const writes: readonly Write[] = [
    told.write,
    ...(isAwaited ? [eventWrite(event)] : []),
    ...(manifest.logic_version === null ? [] : [uncounted]),
    { verb: "delete", key: keys.openRun(run) },
  ];
  const [audit] = await store.inOrder(writes).catch(async (error: unknown) => {
    if (isFailure(error) && error.outcome === "unknown") return await store.inOrder(writes);
    throw error;
  });
  crashPoint("runs.finished.told");
  if (audit?.kind === "created") signals.publish(told.signal);
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}
