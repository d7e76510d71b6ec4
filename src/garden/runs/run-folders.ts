import { compareUtf8 } from "../../base/order.ts";
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
  const found = await jump(store, `${keys.runs(slug)}${day}`, nameOf);
  return found.map((rest) => ({ slug, run: `${day}${rest}` }));
}

/** Where the parts of a run's time end in its name: year, month, day, hour, minute, second. */
const PARTS = ["run_2026", "run_2026-02", "run_2026-02-14", "run_2026-02-14_08", "run_2026-02-14_0800"].map(
  ({ length }) => length,
);
/** So many runs are looked at by name before the time is cut into smaller parts. */
const FEW = 20;

/**
 * The runs of an agent, newest first, from `upTo` backwards (default: from the newest). The store lists forwards only, so a time
 * with many runs is cut into smaller ones and the last of them opened: what is not asked for costs nothing, however much it is.
 */
export async function* newestRuns(store: Store, slug: string, upTo = BEHIND): AsyncGenerator<RunPlace> {
  for await (const run of newestIn(store, keys.runs(slug), "", upTo)) yield { slug, run };
}

async function* newestIn(store: Store, folder: string, time: string, upTo: string): AsyncGenerator<string> {
  const longer = PARTS.find((length) => length > time.length);
  const names = await jump(store, `${folder}${time}`, nameOf, {
    last: upTo.startsWith(time) ? upTo.slice(time.length) : BEHIND,
    most: longer === undefined ? Number.POSITIVE_INFINITY : FEW,
  });
  if (names.length < FEW || longer === undefined) {
    for (const name of names.toReversed()) yield `${time}${name}`;
    return;
  }
  const cut = longer - time.length;
  const times = await jump(store, `${folder}${time}`, (rest) => nameOf(rest).slice(0, cut), {
    last: upTo.startsWith(time) ? upTo.slice(time.length) : BEHIND,
  });
  for (const part of times.toReversed()) yield* newestIn(store, folder, `${time}${part}`, upTo);
}

const nameOf = (rest: string): string => rest.split("/")[0]!;

/** The different beginnings of what stands behind a prefix: one look each, however much lies under it. */
async function jump(
  store: Store,
  prefix: string,
  beginning: (rest: string) => string,
  { last = BEHIND, most = Number.POSITIVE_INFINITY }: { readonly last?: string; readonly most?: number } = {},
): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  while (found.length < most) {
    const { entries } = await store.list(prefix, { limit: 1, ...(after !== undefined && { after }) });
    const key = entries[0]?.key;
    const name = key === undefined ? undefined : beginning(key.slice(prefix.length));
    if (name === undefined || compareUtf8(name, last) > 0) return found;
    found.push(name);
    after = `${prefix}${name}${BEHIND}`;
  }
  return found;
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
