import { crashPoint } from "../../../base/crash-point.ts";
import { Failure } from "../../../base/failure.ts";
import { keys } from "../../../domain/layout.ts";
import { type RunManifest, runManifest } from "../../../domain/run/run-manifest.ts";
import {
  countOf,
  type Folding,
  type RunCount,
  type RunSums,
  type RunTally,
  recounted,
  runTally,
  sealed,
  type TalliedRun,
  talliedRun,
  unsealed,
} from "../../../domain/run/run-tally.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import type { Garden } from "../../core/garden.ts";
import { tryReadJson } from "../../core/json-record.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { restoreRevertViews } from "../../records/proposals/revert-views.ts";
import { daysOf, runsOfDay } from "../../records/runs/run-folders.ts";
import { fatesOf } from "./proposal-fates.ts";

/**
 * The incremental sum over an agent's runs: an ended or decided run costs the same, however many there are. Three kinds of views, all
 * of which can be deleted:
 *
 * - a **mark** says "count this run again". It is written after the event, under a unique name, and removed after the counting: no
 *   mark is lost, and an extra one is harmless.
 * - the **record** of a run holds how the run was counted.
 * - the **sum** is replaced by compare-and-swap. It names the runs being counted (`folding`) until their records are written, so a run
 *   is counted once, also after a crash between any two writes and beside another process.
 */
const MOST_AT_ONCE = 200;
const MAX_TRIES = 1000;

type Ground = Pick<Garden, "store" | "world">;

/** Counts every marked run. The result includes everything that was marked when the call began. */
export async function settleTally({ store, world }: Ground, slug: string): Promise<RunTally> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const marks = await marksOf(store, slug, MOST_AT_ONCE);
    const there = await readTally(store, slug);
    if (!there.tally) {
      await begin({ store, world }, slug, there.hash);
      continue;
    }
    const { tally, hash } = there;
    if (!tally.whole) await markAll(store, slug, tally, hash);
    else if (tally.folding.length > 0) await settle(store, slug, tally, hash);
    else if (marks.size === 0) return tally;
    else await fold(store, slug, tally, hash, marks);
  }
  throw new Failure("CONCURRENT_MODIFICATION", {
    en: `the runs of ${slug} are counted by another process too often; try again`,
    uk: `запуски ${slug} весь час рахує ще хтось`,
  });
}

/** The current sums, including marked runs that are not counted yet. Writes nothing. */
export async function sumsNow(store: Store, slug: string): Promise<RunSums> {
  for (let tries = 0; tries < 5; tries++) {
    const marks = await marksOf(store, slug, Number.POSITIVE_INFINITY);
    const { tally } = await readTally(store, slug);
    if (!tally?.whole) break;
    const changes = await changesOf(store, slug, tally, marks.keys());
    if (typeof changes !== "string") return recounted(tally.sums, changes);
  }
  return await sumsFromRuns(store, slug);
}

/** The sums recomputed from manifests and decisions: slow, and the reference for the tally. */
export async function sumsFromRuns(store: Store, slug: string): Promise<RunSums> {
  const changes: { was: null; is: RunCount }[] = [];
  for await (const { count } of countsOf(store, slug)) changes.push({ was: null, is: count });
  return recounted({}, changes);
}

export interface CountedRun {
  readonly run: string;
  readonly finished: string;
  readonly count: RunCount;
}

/** Every counted run, oldest first. */
export async function* countsOf(store: Store, slug: string): AsyncGenerator<CountedRun> {
  for (const day of await daysOf(store, slug)) {
    for (const { run } of await runsOfDay(store, slug, day)) {
      const manifest = await manifestOf(store, slug, run);
      const count = manifest && countOf(manifest, await fatesOf(store, manifest));
      if (count) yield { run, finished: manifest.finished_at, count };
    }
  }
}

/** The current count of a run; undefined if it is not counted (a fork, an open run). */
async function countNow(store: Store, slug: string, run: string): Promise<RunCount | undefined> {
  const manifest = await manifestOf(store, slug, run);
  return manifest && countOf(manifest, await fatesOf(store, manifest));
}

/** A manifest that cannot be read is `bloom verify`'s to tell. */
async function manifestOf(store: Store, slug: string, run: string): Promise<RunManifest | undefined> {
  const stored = await store.get(keys.runManifest(slug, run));
  return stored && tryReadJson(stored.bytes, runManifest);
}

/** The counted runs of the sum, in the order in which they were first counted. */
export async function talliedRuns(
  store: Store,
  slug: string,
  tally: RunTally,
): Promise<readonly (TalliedRun & { readonly run: string })[] | "damaged"> {
  const found = new Map<string, TalliedRun>();
  for await (const { key } of everyKey(store, keys.talliedRuns(slug))) {
    const run = /\/(run_[^/]+)\.json$/.exec(key)?.[1];
    const stored = run === undefined ? undefined : await store.get(key);
    if (run === undefined || !stored) continue;
    const record = unsealed(stored.bytes, talliedRun);
    if (!record) return "damaged";
    if (record.epoch === tally.epoch) found.set(run, record);
  }
  for (const { run, first, is } of tally.folding)
    found.set(run, { epoch: tally.epoch, seq: tally.seq, first, count: is });
  return [...found].map(([run, record]) => ({ run, ...record })).toSorted((a, b) => a.first - b.first);
}

/** Deletes the tally of an agent; it is rebuilt from the runs. */
export async function forgetTally(store: Store, slug: string): Promise<void> {
  await store.delete(keys.tally(slug));
}

/** Agents with marked runs. */
export async function agentsToCount(store: Store): Promise<string[]> {
  const found: string[] = [];
  for (let after: string | undefined; ; ) {
    const { entries } = await store.list(keys.recounts, { limit: 1, ...(after !== undefined && { after }) });
    const slug = entries[0]?.key.slice(keys.recounts.length).split("/")[0];
    if (slug === undefined) return found;
    found.push(slug);
    after = `${keys.recountsOf(slug)}~`;
  }
}

/** The marks of up to `most` runs, by run. */
export async function marksOf(
  store: Store,
  slug: string,
  most: number,
): Promise<Map<string, { readonly key: string; readonly hash: string }[]>> {
  const marks = new Map<string, { key: string; hash: string }[]>();
  for await (const { key } of everyKey(store, keys.recountsOf(slug))) {
    const run = /^views\/recount\/[^/]+\/(run_[^/]+)\/[^/]+\.json$/.exec(key)?.[1];
    const stored = run === undefined ? undefined : await store.get(key);
    if (run === undefined || !stored) continue;
    if (!marks.has(run) && marks.size === most) break;
    marks.set(run, [...(marks.get(run) ?? []), { key, hash: stored.hash }]);
  }
  return marks;
}

/** `tally` is undefined if it is missing or damaged; `hash` is that of the stored object. */
export async function readTally(
  store: Store,
  slug: string,
): Promise<{ readonly tally?: RunTally; readonly hash: string } | { readonly tally?: never; readonly hash?: never }> {
  const stored = await store.get(keys.tally(slug));
  if (!stored) return {};
  const tally = unsealed(stored.bytes, runTally);
  return { ...(tally && { tally }), hash: stored.hash };
}

async function begin({ store, world }: Ground, slug: string, hash: string | undefined): Promise<void> {
  const tally: RunTally = { format: 2, epoch: operationMark(world), seq: 0, whole: false, sums: {}, folding: [] };
  if (hash === undefined) await store.create(keys.tally(slug), sealed(tally));
  else await store.swap(keys.tally(slug), hash, sealed(tally));
  crashPoint("tally.begun");
}

/** Starts a new tally: marks every ended run. */
async function markAll(store: Store, slug: string, tally: RunTally, hash: string): Promise<void> {
  await restoreRevertViews(store);
  for (const day of await daysOf(store, slug))
    for (const { run } of await runsOfDay(store, slug, day))
      if (await store.get(keys.runManifest(slug, run))) await markRun(store, slug, run, "all");
  crashPoint("tally.marked-all");
  await store.swap(keys.tally(slug), hash, sealed({ ...tally, whole: true }));
  crashPoint("tally.whole");
}

export const markRun = (store: Store, slug: string, run: string, cause: string): Promise<void> =>
  store.put(keys.recount(slug, run, cause), Buffer.from("{}\n"));

async function fold(
  store: Store,
  slug: string,
  tally: RunTally,
  hash: string,
  marks: Awaited<ReturnType<typeof marksOf>>,
): Promise<void> {
  const folding = await changesOf(store, slug, tally, marks.keys());
  if (folding === "behind") return; // another process was faster: read again
  if (folding === "damaged") {
    await forgetTally(store, slug);
    return await dropDamaged(store, slug, marks.keys());
  }
  if (folding.length > 0) {
    const next: RunTally = { ...tally, seq: tally.seq + 1, sums: recounted(tally.sums, folding), folding };
    const bytes = sealed(next);
    const swapped = await store.swap(keys.tally(slug), hash, bytes);
    if (swapped.kind === "moved") return;
    crashPoint("tally.counted");
    await settle(store, slug, next, swapped.hash);
  }
  await Promise.all([...marks.values()].flat().map(({ key, hash: seen }) => store.remove(key, seen)));
  crashPoint("tally.unmarked");
}

/** The changes from counting these runs again. `behind`: the records are newer than the sum that was read; `damaged`: one is unreadable. */
async function changesOf(
  store: Store,
  slug: string,
  tally: RunTally,
  runs: Iterable<string>,
): Promise<Folding[] | "behind" | "damaged"> {
  const changes: Folding[] = [];
  const underWay = new Map(tally.folding.map((one) => [one.run, one]));
  for (const run of runs) {
    const stored = await store.get(keys.talliedRun(slug, run));
    const record = stored && unsealed(stored.bytes, talliedRun);
    if (stored && !record) return "damaged";
    const ours = record?.epoch === tally.epoch ? record : undefined;
    if (ours && ours.seq > tally.seq) return "behind";
    const pending = underWay.get(run);
    const was = pending ? pending.is : (ours?.count ?? null);
    const is = (await countNow(store, slug, run)) ?? null;
    if (JSON.stringify(was) === JSON.stringify(is)) continue;
    changes.push({ run, was, is, first: ours?.first ?? tally.seq + 1, replaces: stored?.hash ?? null });
  }
  return changes;
}

async function dropDamaged(store: Store, slug: string, runs: Iterable<string>): Promise<void> {
  for (const run of runs) {
    const key = keys.talliedRun(slug, run);
    const stored = await store.get(key);
    if (stored && !unsealed(stored.bytes, talliedRun)) await store.remove(key, stored.hash);
  }
}

/** Writes the records of the runs in `folding`, then clears `folding`. Idempotent. */
async function settle(store: Store, slug: string, tally: RunTally, hash: string): Promise<void> {
  // In parallel: the writes share their syncs (group commit).
  await Promise.all(
    tally.folding.map(async ({ run, is, first, replaces }) => {
      const record: TalliedRun = { epoch: tally.epoch, seq: tally.seq, first, count: is };
      const key = keys.talliedRun(slug, run);
      if (replaces === null) await store.create(key, sealed(record));
      else await store.swap(key, replaces, sealed(record)); // moved: written before
      crashPoint("tally.recorded");
    }),
  );
  await store.swap(keys.tally(slug), hash, sealed({ ...tally, folding: [] }));
  crashPoint("tally.settled");
}
