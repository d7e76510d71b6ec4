import { keys } from "../../domain/layout.ts";
import { type OpenRun, openRun, type RunRequest, runRequest } from "../../domain/run/run.ts";
import { type RunManifest, runManifest } from "../../domain/run/run-manifest.ts";
import { everyKey, type Store } from "../../ports/store.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson, tryReadJson } from "../core/json-record.ts";
import { daysOf, runsOfDay } from "../records/runs/run-folders.ts";
import { agentSlugs } from "../records/status.ts";
import { findRun } from "./read-runs.ts";

/**
 * The view of runs that are not over. It is always a superset: an entry is put before the request and deleted after the manifest
 * and all that follows from it. So the cost of finding open runs does not grow with the number of ended runs.
 */
export async function openRunIds(store: Store): Promise<string[]> {
  const ids: string[] = [];
  for await (const { key } of everyKey(store, keys.openRuns)) {
    const id = /^views\/open-runs\/(run_[^/]+)\.json$/.exec(key)?.[1];
    if (id !== undefined) ids.push(id);
  }
  return ids; // by time, because the ids are
}

/** Undefined if there is no entry. A damaged entry is made again from the request, or deleted if the run does not exist. */
export async function openRunAt(store: Store, run: string): Promise<OpenRun | undefined> {
  const stored = await store.get(keys.openRun(run));
  if (!stored) return undefined;
  const entry = tryReadJson(stored.bytes, openRun);
  if (entry?.run === run) return entry;
  const place = await findRun({ store }, run).catch(() => undefined);
  const request = place && (await requestAt(store, place));
  if (request) return { slug: request.agent_slug, run, at: request.requested_at };
  await store.remove(keys.openRun(run), stored.hash);
  return undefined;
}

/** Replaces the entry of an open run. Called only by its worker. */
export const noteOpenRun = (store: Store, entry: OpenRun): Promise<void> =>
  store.put(keys.openRun(entry.run), jsonBytes(openRun.parse(entry)));

export async function requestAt(store: Store, { slug, run }: RunPlace): Promise<RunRequest | undefined> {
  const key = keys.runRequest(slug, run);
  const stored = await store.get(key);
  return stored && readJson(key, stored.bytes, runRequest);
}

export async function manifestAt(store: Store, { slug, run }: RunPlace): Promise<RunManifest | undefined> {
  const key = keys.runManifest(slug, run);
  const stored = await store.get(key);
  return stored && readJson(key, stored.bytes, runManifest);
}

/**
 * Restores the view after it was deleted: walks through all runs once and puts back those without a manifest. One read if the view
 * is whole. Returns the number of restored entries.
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
