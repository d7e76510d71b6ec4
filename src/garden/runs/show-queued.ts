import { keys } from "../../domain/layout.ts";
import { foldRun, runStatus } from "../../domain/run/run.ts";
import type { Store } from "../../ports/store.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { jsonBytes, tryReadJson } from "../core/json-record.ts";
import { requestAt } from "./open-runs.ts";

/**
 * Writes that the run waits for another run of its agent or for a free place, and returns true; false if its status says more
 * already. A compare-and-swap: another process may have begun the run, or ended it, since the status was read.
 */
export async function showQueued(store: Store, place: RunPlace): Promise<boolean> {
  const key = keys.runStatus(place.slug, place.run);
  const stored = await store.get(key);
  if (!stored || tryReadJson(stored.bytes, runStatus)?.state !== "requested") return false;
  const request = await requestAt(store, place);
  if (!request) return false;
  const queued = runStatus.parse(foldRun(request, [], undefined, { queued: true }));
  return (await store.swap(key, stored.hash, jsonBytes(queued))).kind === "swapped";
}
