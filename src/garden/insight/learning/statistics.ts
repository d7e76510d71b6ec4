import { crashPoint } from "../../../base/crash-point.ts";
import { isOid, type Oid } from "../../../domain/git/git-names.ts";
import { keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import { LOGIC_ATTRIBUTES } from "../../../domain/logic/logic-attributes.ts";
import { figuresOf } from "../../../domain/logic/logic-figures.ts";
import { type LogicMeta, metaText, readMeta } from "../../../domain/logic/logic-meta.ts";
import { readPseudo } from "../../../domain/logic/logic-pseudo.ts";
import type { LogicVersion } from "../../../domain/logic/logic-version.ts";
import { type RunSum, type RunSums, sumWhere } from "../../../domain/run/run-tally.ts";
import type { Edit, Repo } from "../../../ports/repo.ts";
import { everyKey, type Store } from "../../../ports/store.ts";
import { commitBookkeeping } from "../../core/commit-bookkeeping.ts";
import type { Garden } from "../../core/garden.ts";
import { jsonBytes } from "../../core/json-record.ts";
import { agentsWithLogic, logicTextAt } from "../../records/logic/logic-state.ts";
import { operationMark } from "../../records/proposals/operation-mark.ts";
import { agentsToCount, settleTally } from "./tally.ts";

type StatisticsDeps = Pick<Garden, "store" | "repo" | "world">;

/** The bookkeeping trailer of commits with statistics (P-8a). */
export const STATISTICS = "statistics";

/** The sum over the runs that name this version, as source 000 counts `runsOnThisVersion`. */
export const sumOfVersion = (sums: RunSums, version: LogicVersion): RunSum =>
  sumWhere(sums, (group) => group.version === version);

/** The meta with the figures of these runs (L-4). */
export function withFigures(meta: LogicMeta, sum: RunSum): LogicMeta {
  const { totalRuns, success_rate, avg_tokens } = figuresOf(sum);
  return { ...meta, runsOnThisVersion: totalRuns, successRate: success_rate, avgTokensPerRun: avg_tokens };
}

/**
 * Writes the figures of the runs into `current.meta.json` (L-4), in one bookkeeping commit for all agents. The cost depends on what is
 * new: ended or decided runs, and meta files that changed since; a damaged one is rebuilt from history. Idempotent, also across
 * processes, because everything is derived from the runs. It is postponed if a person has an uncommitted edit of such a file, or if
 * main moves meanwhile. Returns the commit, if one was made.
 */
export async function recordStatistics(garden: StatisticsDeps): Promise<Oid | undefined> {
  const { store, repo } = garden;
  const head = await repo.resolve(MAIN_REF);
  if (head === undefined) return undefined;
  for (const slug of await agentsToCount(store)) await noteUnwritten(garden, slug);
  crashPoint("statistics.noted");
  const seen = await store.get(keys.figuresSeen);
  const [noted, touched] = [await notedAgents(store), await touchedSince(repo, seenHead(seen?.bytes), head)];
  const edits: Edit[] = [];
  const changed: string[] = [];
  for (const slug of new Set([...noted.keys(), ...touched])) {
    const { sums } = await settleTally(garden, slug);
    await store.put(keys.duePromise(slug), jsonBytes({ op: operationMark(garden.world) }));
    const meta = await metaToKeep(repo, head, slug);
    const text = meta && metaText(withFigures(meta.meta, sumOfVersion(sums, meta.meta.logicVersion)));
    if (text === undefined || text === meta?.stands) continue;
    edits.push({ path: logicPath.current(slug, "meta"), bytes: Buffer.from(text) });
    changed.push(slug);
  }
  if (edits.length > 0) edits.push(...(await missingAttributes(repo, head)));
  const message = `statistics: ${changed.slice(0, 5).join(", ")}${changed.length > 5 ? ", …" : ""}`;
  const written =
    edits.length === 0 ? head : await commitBookkeeping(garden, head, { kind: STATISTICS, message, edits });
  if (written === undefined) return undefined;
  crashPoint("statistics.committed");
  for (const [slug, hash] of noted) await store.remove(keys.unwrittenFigures(slug), hash);
  if (seenHead(seen?.bytes) !== written) await store.put(keys.figuresSeen, jsonBytes({ head: written }));
  return edits.length === 0 ? undefined : written;
}

/** The rules for merging, if the garden has none for `logic/`: from the first figures on, a revert by hand needs them (L-7). */
async function missingAttributes(repo: Repo, head: Oid): Promise<Edit[]> {
  const path = logicPath.attributes;
  if ((await repo.read(head, path)) || (await repo.edited([path])).length > 0) return [];
  return [{ path, bytes: Buffer.from(LOGIC_ATTRIBUTES) }];
}

/** Marks an agent's figures as due. Each mark is unique, so that removing an older one (by hash) keeps a newer one. */
export const noteUnwritten = ({ store, world }: StatisticsDeps, slug: string): Promise<void> =>
  store.put(keys.unwrittenFigures(slug), jsonBytes({ op: operationMark(world) }));

/** Agents with a mark, and its hash. */
async function notedAgents(store: Store): Promise<Map<string, string>> {
  const noted = new Map<string, string>();
  for await (const { key } of everyKey(store, keys.unwritten)) {
    const slug = /^views\/unwritten-figures\/([^/]+)\.json$/.exec(key)?.[1];
    const stored = slug === undefined ? undefined : await store.get(key);
    if (slug !== undefined && stored) noted.set(slug, stored.hash);
  }
  return noted;
}

function seenHead(bytes: Uint8Array | undefined): Oid | undefined {
  const head = bytes && /"head": "([0-9a-f]{40})"/.exec(Buffer.from(bytes).toString())?.[1];
  return head !== undefined && isOid(head) ? head : undefined;
}

/** Agents whose meta changed since it was last compared; all of them if that commit is unknown. */
async function touchedSince(repo: Repo, seen: Oid | undefined, head: Oid): Promise<readonly string[]> {
  if (seen === head) return [];
  const changes = seen === undefined ? undefined : await repo.changes(seen, head, "logic").catch(() => undefined);
  if (!changes) return await agentsWithLogic(repo, head);
  return changes.flatMap(({ path }) => /^logic\/([^/]+)\/current\.meta\.json$/.exec(path)?.[1] ?? []);
}

/**
 * The meta to write the figures into: the current one, or, if it is damaged or missing, the newest one of history for the version that
 * the pseudocode names. Undefined if there is neither.
 */
export async function metaToKeep(
  repo: Repo,
  at: Oid,
  slug: string,
): Promise<{ readonly meta: LogicMeta; readonly stands: string | undefined } | undefined> {
  const path = logicPath.current(slug, "meta");
  const stands = await logicTextAt(repo, at, path);
  const meta = stands === undefined ? undefined : readMeta(stands);
  if (meta?.agentId === slug) return { meta, stands };
  const pseudo = await logicTextAt(repo, at, logicPath.current(slug, "pseudo"));
  const version = pseudo === undefined ? undefined : readPseudo(pseudo)?.version;
  if (version === undefined) return undefined;
  for (const { oid } of await repo.history(at, path)) {
    const text = await logicTextAt(repo, oid, path);
    const old = text === undefined ? undefined : readMeta(text);
    if (old?.agentId === slug && old.logicVersion === version) return { meta: old, stands };
  }
  return undefined;
}

/** The two metas differ in figures only. */
export function onlyFigures(before: LogicMeta | undefined, after: LogicMeta | undefined): boolean {
  if (!before || !after) return false;
  const { runsOnThisVersion, successRate, avgTokensPerRun } = after;
  return metaText({ ...before, runsOnThisVersion, successRate, avgTokensPerRun }) === metaText(after);
}
