import { keys } from "../../domain/layout.ts";
import { personRequest } from "../../domain/run/request.ts";
import type { OpenRun } from "../../domain/run/run.ts";
import { isSubRunId } from "../../domain/run/sub-run.ts";
import type { EngineEvent, OfferedRun, Orchestrator } from "../../ports/orchestrator.ts";
import type { Store } from "../../ports/store.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import type { Garden } from "../core/garden.ts";
import { readJson } from "../core/json-record.ts";
import type { GardenEvent } from "../records/runs/pending-events.ts";
import { runSessionOf } from "../sessions/run-session.ts";
import { openRunAt, openRunIds } from "./open-runs.ts";
import { answerFromDecision } from "./record-answer.ts";
import { isSubRunOver } from "./sub-agents/sub-runs.ts";

/** A run that is not over, as far as this process knows it. */
export type KnownRun = { readonly place: RunPlace } & (
  | { readonly state: "offered" | "queued" } // queued: `status.json` says that it waits in the queue
  | { readonly state: "working" }
  | { readonly state: "held"; readonly request: string }
  | { readonly state: "deferred"; readonly entry: OpenRun; readonly since: number } // another worker comes first
);

export const jobOf = ({ slug, run }: RunPlace): OfferedRun => ({ key: run, lane: slug });

/** Names and references only: contents stay in the store, whatever an engine keeps. */
export const engineEvent = ({ name, id, at, by, subject, from }: GardenEvent): EngineEvent => ({
  name,
  id,
  at,
  data: { subject, by, ...(from && { agentId: from.slug, runId: from.run }) },
});

/**
 * Reminds an engine outside of this process of the open runs that are not held (O-5): it may have lost what it was offered. Calls
 * `forget` for runs that another process has ended.
 */
export async function remindOfOpenRuns(
  store: Store,
  orchestrator: Orchestrator,
  known: Map<string, KnownRun>,
  forget: (run: string) => void,
): Promise<void> {
  const open = new Set(await openRunIds(store));
  for (const [run, { place, state }] of known) {
    if (!open.has(run)) forget(run);
    else if (state !== "held" && state !== "deferred") {
      const held = state === "working" ? undefined : (await openRunAt(store, run))?.held;
      if (held === undefined) await orchestrator.remind?.(jobOf(place));
      else known.set(run, { place, state: "held", request: held });
    }
  }
}

/** Records the answer that a decision commit has, if its process died before it did so (S-8). */
export async function repairAnswer(
  garden: Pick<Garden, "store" | "world" | "repo">,
  place: RunPlace,
  id: string,
): Promise<void> {
  if (!(await runSessionOf(garden.repo, place))) return;
  const key = keys.heldRequest(place.slug, place.run, id);
  const stored = await garden.store.get(key);
  if (!stored || (await garden.store.get(keys.heldAnswer(place.slug, place.run, id)))) return;
  await answerFromDecision(garden, place, readJson(key, stored.bytes, personRequest));
}

/** True if a held run has its answer, or its sub-agent is at its end, or the run is to be cancelled. */
export async function isAnswered(store: Store, place: RunPlace, request: string): Promise<boolean> {
  const { slug, run } = place;
  if (await store.get(keys.runCancel(slug, run))) return true;
  if (isSubRunId(request)) return await isSubRunOver(store, place, request);
  return (await store.get(keys.heldAnswer(slug, run, request))) !== undefined;
}
