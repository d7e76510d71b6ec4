import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../../../base/world.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type GitPlace, git } from "../process/git-process.ts";

export interface Maintained {
  /** Loose objects that are now in a pack. */
  readonly packed: number;
  /** Whether small packs were made into one. */
  readonly gathered: boolean;
  readonly refsPacked: boolean;
  /** Whether the commit graph was written, which makes walks through a long history quick. */
  readonly graphed: boolean;
}

export interface MaintainLimits {
  readonly looseObjects: number;
  readonly packs: number;
  readonly looseRefs: number;
}

const LIMITS: MaintainLimits = { looseObjects: 4000, packs: 30, looseRefs: 2000 };
const SAMPLED = ["17", "4a", "9c", "e3"]; // object ids are evenly spread, so four folders of 256 tell enough
const AT_ONCE = 50_000;
const LIMIT_MS = 1_800_000;
const NOTHING: Maintained = { packed: 0, gathered: false, refsPacked: false, graphed: false };

/**
 * Packs what has become many small files, if it has. Safe beside writers, because nothing is ever pruned: a loose object
 * is deleted only where a pack holds it, a pack only where another one holds all of it, and each only after the folder of
 * the new one is synced. Not `git gc` or `git maintenance`: the one prunes, the other is stopped for ever by a lock that a
 * killed one left. Killed at any moment, it leaves at most the same object twice.
 */
export async function maintainRepository(
  { place, commonDir }: { readonly place: GitPlace; readonly commonDir: string },
  world: World,
  limits: MaintainLimits = LIMITS,
): Promise<Maintained> {
  const objects = join(commonDir, "objects");
  const many = await looseAtLeast(objects, limits.looseObjects);
  const crowded = (await packSizes(objects)).length > limits.packs;
  const refsPacked = await looseRefsAtLeast(commonDir, limits.looseRefs);
  const behind = await graphBehind(objects);
  if (!many && !crowded && !refsPacked && !behind) return NOTHING;
  await dropDeadLocks(objects, world);
  const packed = many ? await packLoose(place, objects) : 0;
  const gathered = crowded && (await gather(place, objects));
  if (refsPacked) await packRefs(place, commonDir);
  const graphed = packed > 0 || gathered || behind;
  if (graphed) await writeCommitGraph(place);
  return { packed, gathered, refsPacked, graphed };
}

async function packLoose(place: GitPlace, objects: string): Promise<number> {
  const loose: string[] = [];
  for (const folder of await entries(objects)) {
    if (!/^[0-9a-f]{2}$/.test(folder)) continue;
    const names = (await entries(join(objects, folder))).filter((name) => /^[0-9a-f]{38}$/.test(name));
    for (const name of names) loose.push(folder + name);
  }
  for (let done = 0; done < loose.length; done += AT_ONCE) {
    const input = `${loose.slice(done, done + AT_ONCE).join("\n")}\n`;
    await git(place, ["pack-objects", "--quiet", join(objects, "pack", "pack")], { input, timeoutMs: LIMIT_MS });
  }
  await syncPath(join(objects, "pack"));
  // Not `git prune-packed`: it removes emptied folders too, under the hands of a writer that is about to sync one.
  for (const oid of loose) await rm(join(objects, oid.slice(0, 2), oid.slice(2)), { force: true });
  return loose.length;
}

/** All packs but the largest become one. What nothing reaches is carried along: it may be somebody's next commit. */
async function gather(place: GitPlace, objects: string): Promise<boolean> {
  const sizes = await packSizes(objects);
  const small = sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes);
  await git(place, ["multi-pack-index", "write", "--no-progress"], { timeoutMs: LIMIT_MS });
  const batch = `--batch-size=${small + 1}`;
  await git(place, ["multi-pack-index", "repack", "--no-progress", batch], { timeoutMs: LIMIT_MS });
  await syncPath(join(objects, "pack"));
  await git(place, ["multi-pack-index", "expire", "--no-progress"], { timeoutMs: LIMIT_MS });
  return true;
}

/** First without deleting the loose refs, then, when the packed ones are surely on disk, with. */
async function packRefs(place: GitPlace, commonDir: string): Promise<void> {
  await git(place, ["pack-refs", "--all", "--no-prune"]);
  await syncPath(join(commonDir, "packed-refs"));
  await syncPath(commonDir);
  await git(place, ["pack-refs", "--all"]);
}

/** Makes walks and histories of a path quick. Version 2 of the filters is right for names that are not ASCII. */
const writeCommitGraph = (place: GitPlace): Promise<unknown> =>
  git(
    place,
    ["-c", "commitGraph.changedPathsVersion=2", "commit-graph", "write", "--reachable", "--changed-paths", "--split"],
    { timeoutMs: LIMIT_MS },
  );

/** Locks of these steps alone, older than any of them may run: one that a killed process left would stop them for ever. */
async function dropDeadLocks(objects: string, world: World): Promise<void> {
  for (const name of [
    "pack/multi-pack-index.lock",
    "info/commit-graph.lock",
    "info/commit-graphs/commit-graph-chain.lock",
  ]) {
    const lock = await stat(join(objects, name)).catch(() => undefined);
    if (lock && world.now() - lock.mtimeMs > 2 * LIMIT_MS) await rm(join(objects, name), { force: true });
  }
}

/** Commits come to a repository in packs too: by a fetch, a clone, a chain of ours. A graph older than one may lack them. */
async function graphBehind(objects: string): Promise<boolean> {
  const timeOf = async (name: string): Promise<number> =>
    (await stat(join(objects, name)).catch(() => undefined))?.mtimeMs ?? 0;
  const packs = (await entries(join(objects, "pack"))).filter((name) => name.endsWith(".pack"));
  const newest = Math.max(0, ...(await Promise.all(packs.map((name) => timeOf(`pack/${name}`)))));
  const graph = Math.max(await timeOf("info/commit-graph"), await timeOf("info/commit-graphs/commit-graph-chain"));
  return newest > graph;
}

async function looseAtLeast(objects: string, count: number): Promise<boolean> {
  let sampled = 0;
  for (const folder of SAMPLED) sampled += (await entries(join(objects, folder))).length;
  return (sampled * 256) / SAMPLED.length >= count;
}

async function looseRefsAtLeast(commonDir: string, count: number): Promise<boolean> {
  const found = await readdir(join(commonDir, "refs"), { recursive: true }).catch(() => []);
  return found.length >= count;
}

async function packSizes(objects: string): Promise<number[]> {
  const packs = (await entries(join(objects, "pack"))).filter((name) => name.endsWith(".pack"));
  const sizes = await Promise.all(packs.map((name) => stat(join(objects, "pack", name)).catch(() => undefined)));
  return sizes.flatMap((size) => (size ? [size.size] : []));
}

const entries = (folder: string): Promise<string[]> => readdir(folder).catch(() => []);
