import { BOOKKEEPING, GATEWAY } from "../../domain/gateway-commit.ts";
import type { Oid } from "../../domain/git-names.ts";
import { keys, logicPath, MAIN_REF } from "../../domain/layout.ts";
import { figuresOf } from "../../domain/logic-figures.ts";
import { type LogicMeta, metaText, readMeta } from "../../domain/logic-meta.ts";
import { type RunManifest, runManifest } from "../../domain/run-manifest.ts";
import type { Edit } from "../../ports/repo.ts";
import { everyKey, type Store } from "../../ports/store.ts";
import type { Garden } from "../garden.ts";
import { findLogic } from "../logic/logic-state.ts";
import { daysOf, runsOfDay } from "./run-folders.ts";

/** The kind of bookkeeping that writes down what runs come to (P-8a). */
export const STATISTICS = "statistics";

/** Runs that say something about the logic: ended by themselves, and no fork, which repeats what was counted already. */
type Counted = Pick<RunManifest, "run_id" | "finished_at" | "status" | "tokens_used" | "logic_version">;

/** Of one logic version, in the order in which they ended. A manifest that cannot be read is `bloom verify`'s to tell. */
export async function countedRuns(store: Store, slug: string, version: string): Promise<readonly Counted[]> {
  const found: Counted[] = [];
  for (const day of await daysOf(store, slug)) {
    for (const { run } of await runsOfDay(store, slug, day)) {
      const manifest = await manifestIn(store, keys.runManifest(slug, run));
      if (!manifest || manifest.logic_version !== version) continue;
      if (manifest.status !== "cancelled" && manifest.forked_from === null) found.push(manifest);
    }
  }
  const orderOf = ({ finished_at, run_id }: Counted): string => `${finished_at} ${run_id}`;
  return found.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

async function manifestIn(store: Store, key: string): Promise<RunManifest | undefined> {
  const stored = await store.get(key);
  if (!stored) return undefined;
  try {
    return runManifest.parse(JSON.parse(Buffer.from(stored.bytes).toString()));
  } catch {
    return undefined;
  }
}

/** The meta with its figures as these runs say (L-4). */
export function withFigures(meta: LogicMeta, runs: readonly Counted[]): LogicMeta {
  const { totalRuns, success_rate, avg_tokens } = figuresOf(runs);
  return { ...meta, runsOnThisVersion: totalRuns, successRate: success_rate, avgTokensPerRun: avg_tokens };
}

/**
 * Writes what the runs say into `current.meta.json` of every agent that has had one end since (L-4), in one commit of bookkeeping:
 * so many runs, one commit. Everything follows from the runs, so that doing it twice, or in two processes, is doing it once. A
 * person's edit of such a file, or a main that moves meanwhile, puts it off to the next time.
 */
export async function recordStatistics(garden: Garden): Promise<Oid | undefined> {
  const { store, repo } = garden;
  const marks: { key: string; hash: string; slug: string }[] = [];
  for await (const { key } of everyKey(store, keys.uncountedAgents)) {
    const slug = /^views\/uncounted\/([^/]+)\.json$/.exec(key)?.[1];
    const stored = slug === undefined ? undefined : await store.get(key);
    if (slug !== undefined && stored) marks.push({ key, hash: stored.hash, slug });
  }
  const head = marks.length === 0 ? undefined : await repo.resolve(MAIN_REF);
  if (head === undefined) return undefined;
  const edits: Edit[] = [];
  for (const { slug } of marks) {
    const state = await findLogic(repo, head, slug).catch(() => undefined);
    if (!state) continue;
    const text = metaText(withFigures(state.meta, await countedRuns(store, slug, state.meta.logicVersion)));
    if (text !== state.metaText) edits.push({ path: logicPath.current(slug, "meta"), bytes: Buffer.from(text) });
  }
  const counted =
    edits.length === 0
      ? head
      : await committed(
          garden,
          head,
          edits,
          marks.map(({ slug }) => slug),
        );
  // A run that ended since has put another mark: then this one stays.
  if (counted !== undefined) for (const { key, hash } of marks) await store.remove(key, hash);
  return edits.length === 0 ? undefined : counted;
}

async function committed(
  { repo, world }: Garden,
  head: Oid,
  edits: readonly Edit[],
  slugs: readonly string[],
): Promise<Oid | undefined> {
  const signature = { ...GATEWAY, at: world.now() };
  const commit = await repo.build({
    parents: [head],
    edits,
    author: signature,
    committer: signature,
    message: `statistics: ${slugs.slice(0, 5).join(", ")}${slugs.length > 5 ? ", …" : ""}`,
    trailers: [[BOOKKEEPING, STATISTICS]],
  });
  const moved = await repo.move([{ ref: MAIN_REF, from: head, to: commit }], STATISTICS);
  return moved.kind === "moved" ? commit : undefined;
}

/**
 * Whether the figures are those of runs in the store. They may be behind, by the runs that ended last; they are never ahead, and
 * never others.
 */
export function fitsRuns(meta: LogicMeta, runs: readonly Counted[]): boolean {
  if (meta.runsOnThisVersion > runs.length) return false;
  return metaText(withFigures(meta, runs.slice(0, meta.runsOnThisVersion))) === metaText(meta);
}

/** Whether a commit of statistics changed figures and nothing else of a meta. */
export function onlyFigures(before: string | undefined, after: string | undefined): boolean {
  const [then, now] = [before, after].map((text) => (text === undefined ? undefined : readMeta(text)));
  if (!then || !now) return false;
  const { runsOnThisVersion, successRate, avgTokensPerRun } = now;
  return metaText({ ...then, runsOnThisVersion, successRate, avgTokensPerRun }) === metaText(now);
}
