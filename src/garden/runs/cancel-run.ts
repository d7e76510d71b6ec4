import { keys } from "../../domain/layout.ts";
import { type RunCancel, type RunRequest, runCancel } from "../../domain/run/run.ts";
import type { Store } from "../../ports/store.ts";
import { recordAudit } from "../core/audit.ts";
import { createRecord } from "../core/flow/create-record.ts";
import { type RunPlace } from "../core/flow/journal.ts";
import { realPause } from "../core/flow/pause.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson } from "../core/json-record.ts";
import { operationMark } from "../records/proposals/operation-mark.ts";
import { noSuchRun, runIsOver } from "./failures.ts";
import { manifestAt, requestAt } from "./open-runs.ts";

export interface CancelWish {
  readonly by: string;
  readonly why?: string | undefined;
  /** The request of the run that continues this one (O-3a). */
  readonly moved_to?: RunRequest;
}

/**
 * Cancels a run: creates a record that its worker reads before a step, at most once a second, and with each renewal of its lease; a
 * worker in this process gets a signal. The run ends as cancelled unless it ends by itself first; recorded steps are not undone.
 * Idempotent: a repetition gets the first record.
 */
export async function cancelRun(
  garden: Pick<Garden, "store" | "world" | "signals">,
  place: RunPlace,
  { by, why, moved_to }: CancelWish,
): Promise<RunCancel> {
  const { slug, run } = place;
  const manifest = await manifestAt(garden.store, place);
  if (manifest) throw runIsOver(run, manifest.status);
  if (!(await requestAt(garden.store, place))) throw noSuchRun(run);
  const wish: RunCancel = {
    by,
    at: new Date(garden.world.now()).toISOString(),
    ...(why !== undefined && why.trim() !== "" && { why: why.trim() }),
    ...(moved_to && { moved_to }),
    op: operationMark(garden.world),
  };
  const key = keys.runCancel(slug, run);
  const { bytes } = await createRecord({ store: garden.store, pause: realPause }, key, jsonBytes(wish));
  const first = readJson(key, bytes, runCancel);
  await auditCancel(garden, place, first);
  return first;
}

/** Idempotent. Written by the process that cancels or, if that died before, by the one that ends the run. */
export async function auditCancel(
  garden: Pick<Garden, "store" | "signals">,
  { slug, run }: RunPlace,
  wish: RunCancel,
): Promise<void> {
  await recordAudit(garden, `${run}-cancel-asked`, {
    kind: "run-cancel-asked",
    at: wish.at,
    by: wish.by,
    subject: run,
    ...(wish.why !== undefined && { why: wish.why }),
    details: { agent: slug },
  });
}

export async function cancelOf(store: Store, { slug, run }: RunPlace): Promise<RunCancel | undefined> {
  const key = keys.runCancel(slug, run);
  const stored = await store.get(key);
  return stored && readJson(key, stored.bytes, runCancel);
}
