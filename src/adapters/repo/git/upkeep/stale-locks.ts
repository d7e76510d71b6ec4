import { readdir, readlink, realpath, rm, stat, unlink } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Text } from "../../../../base/text.ts";
import type { World } from "../../../../base/world.ts";
import { isProcessAlive } from "../../../process-mark.ts";

const OLD_MS = 2_000;
/** Without `/proc` it is unknown who has a file open: then only age counts. */
const OLD_UNSEEN_MS = 60_000;

/**
 * Removes git's ref locks that no process has open, and temporary files of dead processes. Returns one sentence per lock. Never
 * throws: a read-only repository is left as it is. An `index.lock` stays: the index may have to follow the branch first (see
 * index-lock.ts).
 */
export async function removeStaleLocks(gitDir: string, commonDir: string, world: World): Promise<Text[]> {
  const removed: string[] = [];
  for (const folder of new Set([gitDir, commonDir])) await removeOwnLeftovers(folder);
  const old: { path: string; age: number }[] = [];
  for (const path of await refLocks(gitDir, commonDir)) {
    const age = await stat(path).then(
      ({ mtimeMs }) => world.now() - mtimeMs,
      () => 0,
    );
    if (age > OLD_MS) old.push({ path, age });
  }
  if (old.length > 0) {
    const open = await openFiles();
    for (const { path, age } of old) {
      const held = open ? open.has(await realpath(path).catch(() => path)) : age < OLD_UNSEEN_MS;
      if (!held && (await unlinkIfPossible(path))) removed.push(relative(commonDir, path));
    }
  }
  return removed.map((name) => ({
    en: `removed the lock ${name}, left behind by a killed process`,
    uk: `прибрано замок ${name}, який лишив убитий процес`,
  }));
}

async function refLocks(gitDir: string, commonDir: string): Promise<string[]> {
  const found = ["HEAD.lock", "packed-refs.lock"].flatMap((name) => [join(gitDir, name), join(commonDir, name)]);
  const walk = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path);
      else if (entry.name.endsWith(".lock")) found.push(path);
    }
  };
  await walk(join(commonDir, "refs"));
  return [...new Set(found)];
}

/** All files that some process has open; undefined without `/proc`. */
async function openFiles(): Promise<Set<string> | undefined> {
  const processes = await readdir("/proc").catch(() => undefined);
  if (!processes) return undefined;
  const open = new Set<string>();
  for (const pid of processes) {
    if (!/^\d+$/.test(pid)) continue;
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => undefined);
      if (target) open.add(target);
    }
  }
  return open;
}

/** Removes index copies, unfinished locks and merge folders of processes that have died. */
async function removeOwnLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const pid = /^(?:index\.bloom-(?:lock|copy|dead)|bloom-merge)-(\d+)-\d+$/.exec(name)?.[1];
    if (!pid || pid === String(process.pid) || (await isProcessAlive(`${pid} -`))) continue;
    await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

const unlinkIfPossible = (path: string): Promise<boolean> =>
  unlink(path).then(
    () => true,
    () => false,
  );
