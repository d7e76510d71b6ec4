import { keys } from "../../domain/layout.ts";
import { foldRun, runStatus } from "../../domain/run/run.ts";
import type { Store } from "../../ports/store.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import type { KnownRun } from "./known-runs.ts";
import { requestAt } from "./open-runs.ts";

/**
 * Writes that a run waits for another run of its agent or for a free place, unless its status says more already, and notes in `known`
 * that nothing is left to show. A run without a status is tried again at the next look. A compare-and-swap: another process may have
 * begun the run, or ended it, since the status was read.
 */
export async function showQueued(store: Store, known: Map<string, KnownRun>, offered: KnownRun): Promise<void> {
  const { place } = offered;
  const key = keys.runStatus(place.slug, place.run);
  const stored = await store.get(key);
  if (!stored) return;
  const isShown = (): void => {
    if (known.get(place.run) === offered) known.set(place.run, { place, state: "queued" });
  };
  if (tryReadJson(stored.bytes, runStatus)?.state !== "requested") return isShown();
  const request = await requestAt(store, place);
  if (!request) return;
  const queued = runStatus.parse(foldRun(request, [], undefined, { queued: true }));
  await store.swap(key, stored.hash, jsonBytes(queued));
  return isShown();
}
