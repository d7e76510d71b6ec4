import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { World } from "../../../../base/world.ts";
import { syncPath } from "../disk/sync-path.ts";
import { type GitPlace, git } from "../process/git-process.ts";

export interface Maintained {
  /** Loose objects that are now in a pack. */
  readonly packed: number;
  /** True if small packs were combined. */
  readonly gathered: boolean;
  readonly refsPacked: boolean;
  /** True if the commit graph was written. */
  readonly graphed: boolean;
}

export interface MaintainLimits {
  readonly looseObjects: number;
  readonly packs: number;
  readonly looseRefs: number;
}

const LIMITS: MaintainLimits = { looseObjects: 4000, packs: 30, looseRefs: 2000 };
const SAMPLED = ["17", "4a", "9c", "e3"]; // object ids are evenly spread: four of 256 folders are a fair sample
const AT_ONCE = 50_000;
const LIMIT_MS = 1_800_000;
/** Notes are smaller. Deltas between photos and recordings take minutes and save nothing. */
const WITHOUT_LARGE_DELTAS = ["-c", "core.bigFileThreshold=2m"];
const NOTHING: Maintained = { packed: 0, gathered: false, refsPacked: false, graphed: false };

/**
 * Packs loose objects, packs and refs that exceed the limits. Safe beside writers, because nothing is pruned: a loose object
 * is deleted only if a pack holds it, a pack only if another one holds all of it, and both only after the new pack is synced.
 * Not `git gc`, which prunes, nor `git maintenance`, which the lock of a killed process blocks for ever. A crash leaves at most
 * duplicate objects.
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
  const gathered = crowded && (await combinePacks(place, objects));
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
    await git(place, [...WITHOUT_LARGE_DELTAS, "pack-objects", "--quiet", join(objects, "pack", "pack")], {
      input,
      timeoutMs: LIMIT_MS,
    });
  }
  await syncPath(join(objects, "pack"));
  // Not `git prune-packed`: it also removes emptied folders, which a writer may be about to sync.
  for (const oid of loose) await rm(join(objects, oid.slice(0, 2), oid.slice(2)), { force: true });
  return loose.length;
}

/** Combines all packs but the largest. Unreachable objects are kept: they may belong to a commit that is not referenced yet. */
async function combinePacks(place: GitPlace, objects: string): Promise<boolean> {
  const sizes = await packSizes(objects);
  const small = sizes.reduce((sum, size) => sum + size, 0) - Math.max(...sizes);
  await git(place, ["multi-pack-index", "write", "--no-progress"], { timeoutMs: LIMIT_MS });
  const batch = `--batch-size=${small + 1}`;
  await git(place, [...WITHOUT_LARGE_DELTAS, "multi-pack-index", "repack", "--no-progress", batch], {
    timeoutMs: LIMIT_MS,
  });
  await syncPath(join(objects, "pack"));
  await git(place, ["multi-pack-index", "expire", "--no-progress"], { timeoutMs: LIMIT_MS });
  return true;
}

/** Deletes loose refs only after the packed ones are synced. */
async function packRefs(place: GitPlace, commonDir: string): Promise<void> {
  await git(place, ["pack-refs", "--all", "--no-prune"]);
  await syncPath(join(commonDir, "packed-refs"));
  await syncPath(commonDir);
  await git(place, ["pack-refs", "--all"]);
}

/** Speeds up walks and path histories. Version 2 of the path filters is correct for non-ASCII names. */
const writeCommitGraph = (place: GitPlace): Promise<unknown> =>
  git(
    place,
    ["-c", "commitGraph.changedPathsVersion=2", "commit-graph", "write", "--reachable", "--changed-paths", "--split"],
    { timeoutMs: LIMIT_MS },
  );

/** Removes locks of these steps that are older than their time limit: a leftover would block them for ever. */
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

/** True if a pack is newer than the commit graph: fetches, clones and our chains bring commits in packs. */
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
