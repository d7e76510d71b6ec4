import { keys } from "../../domain/layout.ts";
import { foldRun, runStatus } from "../../domain/run/run.ts";
import type { Store } from "../../ports/store.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import type { KnownRun } from "./known-runs.ts";
import { requestAt } from "./open-runs.ts";

/**
 * Writes that a run waits for another run of its agent or for a free place, unless its status says more already, and notes it in
 * `known`. A compare-and-swap: another process may have begun the run, or ended it, since the status was read.
 */
export async function showQueued(store: Store, known: Map<string, KnownRun>, offered: KnownRun): Promise<void> {
  const { place } = offered;
  const key = keys.runStatus(place.slug, place.run);
  const stored = await store.get(key);
  if (!stored || tryReadJson(stored.bytes, runStatus)?.state !== "requested") return;
  const request = await requestAt(store, place);
  if (!request) return;
  const queued = runStatus.parse(foldRun(request, [], undefined, { queued: true }));
  const { kind } = await store.swap(key, stored.hash, jsonBytes(queued));
  if (kind === "swapped" && known.get(place.run) === offered) known.set(place.run, { place, state: "queued" });
}
