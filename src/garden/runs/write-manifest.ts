import { crashPoint } from "../../base/crash-point.ts";
import { keys } from "../../domain/layout.ts";
import { foldRun } from "../../domain/run/run.ts";
import { journalId, type RunManifest, runManifest } from "../../domain/run/run-manifest.ts";
import type { Write, WriteResult } from "../../ports/store.ts";
import { createRecord } from "../core/flow/create-record.ts";
import { type Journal, keysBelow, type RunPlace, readSteps } from "../core/flow/journal.ts";
import type { Pause } from "../core/flow/pause.ts";
import { putStatus, statusWrite } from "../core/flow/run-status.ts";
import type { Garden } from "../core/garden.ts";
import { jsonBytes, readJson } from "../core/json-record.ts";

/** The rest of the manifest is derived from the journal. */
export type ManifestFacts = Omit<
  RunManifest,
  | "run_id"
  | "agent_slug"
  | "steps_count"
  | "proposals_created"
  | "tokens_used"
  | "journal"
  | "started_at"
  | "finished_at"
>;

interface ManifestOptions {
  /** The journal, if it is known: not read. */
  readonly journal?: Omit<Journal, "manifest"> | undefined;
  /** Writes that follow the manifest and the status in the same group. */
  readonly followedBy?: (manifest: RunManifest) => Promise<readonly Write[]>;
}

interface WrittenManifest {
  readonly manifest: RunManifest;
  /** Results of `followedBy`; undefined if another process was first, so that they were not written. */
  readonly after: readonly WriteResult[] | undefined;
}

/**
 * Creates the manifest once and then the status view. Returns the manifest that stands: ours, or the one that another process
 * created first. The same call after a crash in between completes the view.
 */
export async function writeManifest(
  { garden: { store, world }, pause }: { readonly garden: Pick<Garden, "store" | "world">; readonly pause: Pause },
  place: RunPlace,
  facts: ManifestFacts,
  { journal: known, followedBy }: ManifestOptions = {},
): Promise<WrittenManifest> {
  const { slug, run } = place;
  const journal = known ?? (await readSteps(store, place, await keysBelow(store, keys.runSteps(slug, run))));
  const { request, records } = journal;
  const now = new Date(world.now()).toISOString();
  const total = (side: "input" | "output"): number =>
    records.reduce((sum, { tokens }) => sum + (tokens?.[side] ?? 0), 0);
  const manifest = runManifest.parse({
    ...facts,
    run_id: run,
    agent_slug: slug,
    started_at: records[0]?.started_at ?? now,
    finished_at: now,
    steps_count: records.length,
    proposals_created: records.flatMap(({ proposals }) => proposals).length,
    tokens_used: { input: total("input"), output: total("output") },
    journal: journalId(journal.objects),
  });
  const views: Write[] = request ? [statusWrite(place, foldRun(request, records, manifest))] : [];
  const key = keys.runManifest(slug, run);
  const behind = (await followedBy?.(manifest)) ?? [];
  const then = [...views, ...behind];
  const { first, bytes, after } = await createRecord({ store, pause }, key, jsonBytes(manifest), then);
  crashPoint("flow.run.ended");
  if (first) return { manifest, after: after.slice(views.length) };
  const earlier = readJson(key, bytes, runManifest);
  if (request) await putStatus(store, place, foldRun(request, records, earlier));
  return { manifest: earlier, after: undefined };
}
