import { z } from "zod";
import { isFailure } from "../../../base/failure.ts";
import type { AuditRecord } from "../../../domain/audit-record.ts";
import { keys } from "../../../domain/layout.ts";
import type { RunRequest } from "../../../domain/run/run.ts";
import type { RunManifest } from "../../../domain/run/run-manifest.ts";
import { type SubRun, subRun } from "../../../domain/run/sub-run.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { RunPlace } from "../../core/flow/journal.ts";
import type { Garden } from "../../core/garden.ts";
import { readJson } from "../../core/json-record.ts";
import { cancelOf, cancelRun } from "../cancel-run.ts";
import { manifestAt, requestAt } from "../open-runs.ts";

/** The sub-agents that a run asked for, in order. */
export async function subRunsOf(store: Store, { slug, run }: RunPlace): Promise<readonly SubRun[]> {
  const found: SubRun[] = [];
  for await (const { key } of everyKey(store, keys.subRuns(slug, run))) {
    const stored = await store.get(key);
    if (stored) found.push(readJson(key, stored.bytes, subRun));
  }
  return found;
}

export async function subRunAt(store: Store, { slug, run }: RunPlace, id: string): Promise<SubRun | undefined> {
  const key = keys.subRun(slug, run, id);
  const stored = await store.get(key);
  return stored && readJson(key, stored.bytes, subRun);
}

/** A run that was moved to another logic version goes on under another id (O-3a): the last of these. */
export async function presentRun(store: Store, place: RunPlace): Promise<RunPlace> {
  let now = place;
  for (;;) {
    const to = (await cancelOf(store, now))?.moved_to;
    if (!to) return now;
    now = { slug: to.agent_slug, run: to.run_id };
  }
}

export const childPlace = ({ child }: SubRun): RunPlace => ({ slug: child.agent, run: child.run });

export interface EndedSubRun {
  readonly place: RunPlace;
  readonly manifest: RunManifest;
}

/** The end of a sub-agent's run; undefined if it is not over. */
export async function endedSubRun(store: Store, record: SubRun): Promise<EndedSubRun | undefined> {
  const place = await presentRun(store, childPlace(record));
  const manifest = await manifestAt(store, place);
  return manifest && { place, manifest };
}

/** True if the sub-agent that a run waits for is at its end, or was deleted with its runs. */
export async function isSubRunOver(store: Store, place: RunPlace, id: string): Promise<boolean> {
  const record = await subRunAt(store, place, id);
  if (!record) return true;
  const child = await presentRun(store, childPlace(record));
  return (await manifestAt(store, child)) !== undefined || (await requestAt(store, child)) === undefined;
}

/** The open runs below a run, at every depth: sub-agents, and theirs. */
export async function openRunsBelow(store: Store, place: RunPlace): Promise<readonly RunPlace[]> {
  const found: RunPlace[] = [];
  for (const record of await subRunsOf(store, place)) {
    const child = await presentRun(store, childPlace(record));
    if (!(await requestAt(store, child)) || (await manifestAt(store, child))) continue;
    found.push(child, ...(await openRunsBelow(store, child)));
  }
  return found;
}

/**
 * Cancels the sub-agents of a run that is over. It is called after the manifest of that run is written: a sub-agent that is requested
 * later finds that manifest when it begins (`isAskingRunOver`), and ends too.
 */
export async function cancelSubRuns(
  garden: Pick<Garden, "store" | "world" | "signals">,
  place: RunPlace,
): Promise<void> {
  for (const record of await subRunsOf(garden.store, place)) {
    const child = await presentRun(garden.store, childPlace(record));
    await cancelRun(garden, child, { by: place.slug, why: `${place.run} is over` }).catch((error: unknown) => {
      if (!isFailure(error, "INVALID_TRANSITION") && !isFailure(error, "NOT_FOUND")) throw error;
    });
  }
}

const askedBy = z.object({ agent: z.string(), run: z.string() });

/** The run that waits for one that has ended, from the audit record of that end; undefined for a run that is no sub-agent's. */
export function askingRun({ asked_by: asking }: AuditRecord["details"]): RunPlace | undefined {
  const read = asking === undefined ? undefined : askedBy.safeParse(asking).data;
  return read && { slug: read.agent, run: read.run };
}

/** True if nobody waits for the sub-agent's run any more: the run that asked for it is over, or was deleted. */
export async function isAskingRunOver(store: Store, { spawned_by }: RunRequest): Promise<boolean> {
  if (!spawned_by) return false;
  const asking = { slug: spawned_by.agent, run: spawned_by.run };
  return (await manifestAt(store, asking)) !== undefined || (await requestAt(store, asking)) === undefined;
}
