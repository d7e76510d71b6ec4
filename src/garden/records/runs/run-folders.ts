import { keys } from "../../../domain/layout.ts";
import { type StepRecord, stepKeyParts, stepRecord } from "../../../domain/run/run-step.ts";
import type { Store } from "../../../ports/store.ts";
import { type RunPlace } from "../../core/flow/journal.ts";
import { readJson } from "../../core/json-record.ts";
import { distinctBeginnings, newestNames } from "../../core/newest-names.ts";

/** Run folders are named by their time; runs are found by skipping over the rest. */
const DAY = "run_2026-02-14".length;

/** `run_2026-02-14`: the days on which an agent ran, oldest first. */
export async function daysOf(store: Store, slug: string): Promise<string[]> {
  const prefix = keys.runs(slug);
  return distinctBeginnings(store, prefix, (name) => /^run_\d{4}-\d{2}-\d{2}/.exec(name)?.[0] ?? name.slice(0, DAY));
}

/** The runs of one day, oldest first. */
export async function runsOfDay(store: Store, slug: string, day: string): Promise<RunPlace[]> {
  const found = await distinctBeginnings(store, `${keys.runs(slug)}${day}`, nameOf);
  return found.map((rest) => ({ slug, run: `${day}${rest}` }));
}

/** The lengths at which year, month, day, hour and minute end in a run's name. */
const PARTS = ["run_2026", "run_2026-02", "run_2026-02-14", "run_2026-02-14_08", "run_2026-02-14_0800"].map(
  ({ length }) => length,
);

/** The runs of an agent, newest first, from `upTo` backwards (default: from the newest). The cost follows what is consumed. */
export async function* newestRuns(store: Store, slug: string, upTo?: string): AsyncGenerator<RunPlace> {
  const names = { folder: keys.runs(slug), parts: PARTS, nameOf };
  for await (const run of newestNames(store, names, upTo)) yield { slug, run };
}

const nameOf = (rest: string): string => rest.split("/")[0]!;

/** Steps after a position, in order and without a gap. The cost follows the number of new steps. */
export async function stepsAfter(store: Store, { slug, run }: RunPlace, after: number): Promise<StepRecord[]> {
  const records: StepRecord[] = [];
  for (let position = after + 1; ; position++) {
    const prefix = `${keys.runSteps(slug, run)}${String(position).padStart(2, "0")}-`;
    const record = await recordAt(store, prefix);
    if (!record) return records;
    records.push(record);
  }
}

async function recordAt(store: Store, prefix: string): Promise<StepRecord | undefined> {
  for (const { key } of (await store.list(prefix)).entries) {
    if (stepKeyParts(key)?.part !== "record") continue;
    const stored = await store.get(key);
    if (stored) return readJson(key, stored.bytes, stepRecord);
  }
  return undefined;
}
