import { keys } from "../../domain/layout.ts";
import { type StepRecord, stepKeyParts, stepRecord } from "../../domain/run-step.ts";
import type { Store } from "../../ports/store.ts";
import { parsed, type RunPlace } from "../flow/journal.ts";

/** Runs lie in folders that are named by their time; what is wanted is found by jumping over the rest. */
const DAY = "run_2026-02-14".length;
/** Behind every name that goes on after this. */
const BEHIND = "~";

/** `run_2026-02-14`: the days on which an agent ran, oldest first. */
export async function daysOf(store: Store, slug: string): Promise<string[]> {
  const prefix = keys.runs(slug);
  return jump(store, prefix, (name) => /^run_\d{4}-\d{2}-\d{2}/.exec(name)?.[0] ?? name.slice(0, DAY));
}

/** The runs of one day, oldest first. */
export async function runsOfDay(store: Store, slug: string, day: string): Promise<RunPlace[]> {
  const found = await jump(store, `${keys.runs(slug)}${day}`, (rest) => rest.split("/")[0]!);
  return found.map((rest) => ({ slug, run: `${day}${rest}` }));
}

/** The different beginnings of what stands behind a prefix: one look each, however much lies under it. */
async function jump(store: Store, prefix: string, beginning: (rest: string) => string): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  for (;;) {
    const { entries } = await store.list(prefix, { limit: 1, ...(after !== undefined && { after }) });
    const key = entries[0]?.key;
    if (key === undefined) return found;
    const name = beginning(key.slice(prefix.length));
    found.push(name);
    after = `${prefix}${name}${BEHIND}`;
  }
}

/** Steps behind a position, in order and without a gap: for whoever watches a run. It costs what is new. */
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
    if (stored) return parsed(key, stored.bytes, stepRecord);
  }
  return undefined;
}
