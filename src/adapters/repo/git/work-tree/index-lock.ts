import { linkSync, rmSync, writeFileSync } from "node:fs";
import { link, open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { signatureOf } from "../disk/small-file.ts";
import { isProcessAlive, ownProcessMark } from "../process/process-mark.ts";

const MAX_WAIT_MS = 2_000;
const WORD = "garden-bloom";
let counter = 0;

export interface IndexLock {
  release(): Promise<void>;
}

/**
 * Takes git's own `index.lock`, so that no `git add`, `git commit` or `git checkout` runs at the same time. The file holds
 * one line of ours and is complete before it gets its name, so that after a crash it can be told from git's own. Returns
 * undefined if another process holds the lock for longer than `waitMs`.
 */
export async function takeIndexLock(gitDir: string, waitMs: number = MAX_WAIT_MS): Promise<IndexLock | undefined> {
  const path = join(gitDir, "index.lock");
  const until = performance.now() + waitMs;
  for (let pause = 2; ; pause = Math.min(50, pause * 2)) {
    if (await placed(gitDir, path)) return { release: () => unlink(path).catch(() => undefined) };
    if (performance.now() + pause > until) return undefined;
    await delay(pause);
  }
}

/** Identifies the present `index.lock` file; undefined if there is none. */
export const heldIndexLock = (gitDir: string): string | undefined => signatureOf(join(gitDir, "index.lock"));

async function placed(gitDir: string, path: string): Promise<boolean> {
  const line = `${WORD} ${await ownProcessMark()}\n`;
  const whole = join(gitDir, `index.bloom-lock-${process.pid}-${counter++}`);
  try {
    // Synchronous: three trips through the thread pool would cost ten times as much.
    writeFileSync(whole, line);
    linkSync(whole, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS" && code !== "EMLINK") throw error;
    return placedWithoutLinks(path, line); // a file system without hard links
  } finally {
    rmSync(whole, { force: true });
  }
}

async function placedWithoutLinks(path: string, line: string): Promise<boolean> {
  try {
    const handle = await open(path, "wx");
    await handle.writeFile(line);
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/** Removes an `index.lock` of ours whose process has died. Returns true if there was one. */
export async function removeDeadIndexLock(gitDir: string): Promise<boolean> {
  const path = join(gitDir, "index.lock");
  if (!(await isDead(path))) return false;
  // Renamed first, then checked again: between check and removal another process may have removed it and taken a new one.
  const aside = join(gitDir, `index.bloom-dead-${process.pid}-${counter++}`);
  try {
    await rename(path, aside);
  } catch {
    return false;
  }
  const dead = await isDead(aside);
  if (!dead) await link(aside, path).catch(() => undefined);
  await unlink(aside);
  return dead;
}

async function isDead(path: string): Promise<boolean> {
  const line = await readFile(path, "utf8").catch(() => "");
  const [word, ...mark] = line.trimEnd().split(" ");
  return word === WORD && !(await isProcessAlive(mark.join(" ")));
}
