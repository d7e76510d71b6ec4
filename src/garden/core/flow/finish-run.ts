import { crashPoint } from "../../../base/crash-point.ts";
import { keys } from "../../../domain/layout.ts";
import { foldRun, type RunStatus } from "../../../domain/run/run.ts";
import { journalId, type RunManifest, runManifest } from "../../../domain/run/run-manifest.ts";
import type { Store, Write } from "../../../ports/store.ts";
import { createRecord } from "./create-record.ts";
import { jsonBytes, parsed, type RunPlace, readJournal } from "./journal.ts";
import type { FlowGround } from "./step.ts";

/** What the flow knows at its end; the rest follows from the journal. */
export type RunEnd = Omit<
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

/**
 * Writes the manifest, once: who comes second is given the first one's. Then the view. After a crash in between, the same
 * call completes it; `status.json` never says more than the records do.
 */
export async function finishRun(ground: FlowGround, place: RunPlace, end: RunEnd): Promise<RunManifest> {
  const { slug, run } = place;
  const journal = await readJournal(ground.store, place);
  const records = journal?.records ?? [];
  const key = keys.runManifest(slug, run);
  const now = new Date(ground.world.now()).toISOString();
  const total = (side: "input" | "output"): number =>
    records.reduce((sum, { tokens }) => sum + (tokens?.[side] ?? 0), 0);
  const manifest = runManifest.parse({
    ...end,
    run_id: run,
    agent_slug: slug,
    started_at: records[0]?.started_at ?? now,
    finished_at: now,
    steps_count: records.length,
    proposals_created: records.flatMap(({ proposals }) => proposals).length,
    tokens_used: { input: total("input"), output: total("output") },
    journal: journalId(journal?.objects ?? []),
  });
  const request = journal?.request;
  const shown: Write[] = request ? [statusWrite(place, foldRun(request, records, manifest))] : [];
  const { first, bytes } = await createRecord(ground, key, jsonBytes(manifest), shown);
  crashPoint("flow.run.ended");
  if (first) return manifest;
  const ended = parsed(key, bytes, runManifest);
  if (request) await putStatus(ground.store, place, foldRun(request, records, ended));
  return ended;
}

/** Brings `status.json` in line with the records. */
export async function showRun({ store }: Pick<FlowGround, "store">, place: RunPlace): Promise<void> {
  const journal = await readJournal(store, place);
  if (!journal?.request) return;
  await putStatus(store, place, foldRun(journal.request, journal.records, journal.manifest));
}

export const putStatus = (store: Store, { slug, run }: RunPlace, status: RunStatus): Promise<void> =>
  store.put(keys.runStatus(slug, run), jsonBytes(status));

const statusWrite = ({ slug, run }: RunPlace, status: RunStatus): Write => ({
  verb: "put",
  key: keys.runStatus(slug, run),
  bytes: jsonBytes(status),
});
