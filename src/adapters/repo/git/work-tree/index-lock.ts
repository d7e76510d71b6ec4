import { linkSync, rmSync, writeFileSync } from "node:fs";
import { link, open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { signatureOf } from "../disk/small-file.ts";
import { isAlive, self } from "../process/process-mark.ts";

const MAX_WAIT_MS = 2_000;
const WORD = "garden-bloom";
let counter = 0;

export interface IndexLock {
  release(): Promise<void>;
}

/**
 * Takes git's own `index.lock`, so that no `git add`, `git commit` or `git checkout` can run meanwhile. The file holds
 * one line of ours and is made whole before it gets its name: after a crash it can be told from git's. Undefined if
 * somebody else keeps it for longer than we wait.
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

/** Which `index.lock` is there now, as a text that another one would not have. */
export const heldIndexLock = (gitDir: string): string | undefined => signatureOf(join(gitDir, "index.lock"));

async function placed(gitDir: string, path: string): Promise<boolean> {
  const line = `${WORD} ${await self()}\n`;
  const whole = join(gitDir, `index.bloom-lock-${process.pid}-${counter++}`);
  try {
    // At once: three turns through the thread pool would cost ten times what these do.
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

/** Removes an `index.lock` of ours whose process is gone. Whether there was one. */
export async function removeDeadIndexLock(gitDir: string): Promise<boolean> {
  const path = join(gitDir, "index.lock");
  if (!(await isDead(path))) return false;
  // Moved away first and looked at again: between the look and the removal another process may have done the same and
  // taken the lock anew.
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
  return word === WORD && !(await isAlive(mark.join(" ")));
}
