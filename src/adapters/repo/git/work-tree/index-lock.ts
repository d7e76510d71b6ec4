import { linkSync, renameSync, rmSync } from "node:fs";
import { open, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Text } from "../../../../base/text.ts";
import { isProcessAlive, ownProcessMark } from "../../../process-mark.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import { readIfThere, signatureOf } from "../disk/small-file.ts";
import { writeFileSynced } from "../disk/write-synced.ts";
import { lockHeld, lockHeldByBloom } from "./failures.ts";

const MAX_WAIT_MS = 2_000;
const WORD = "garden-bloom";
let counter = 0;

export interface IndexLock {
  /** True if the lock was that of a dead bloom process, which may have left the index behind the branch. */
  readonly isTakenOver: boolean;
  /** False after a person has deleted the lock file. */
  isHeld(): boolean;
  /** Removes the lock file, unless it is no longer ours. */
  release(): void;
}

/**
 * A synced file with the text of a lock, which becomes `index.lock` by a link: the locks that one caller takes one after the other have
 * the same file, so that only the first one waits for its sync. The caller removes it at the end.
 */
export interface KeptLockFile {
  text?: string;
  path?: string | undefined;
}

/** The holder of the present `index.lock`: a process of ours, alive or dead, or a git command. Undefined without a lock. */
export type LockHolder = "bloom" | "dead-bloom" | "git" | undefined;

/**
 * Takes git's own `index.lock`, so that no `git add`, `git commit` or `git checkout` runs at the same time. The lock of a dead
 * process of ours is taken over without a moment in which git could get it. The file is complete before it gets its name, so
 * that after a crash it can be told from git's own. Returns undefined if another process holds the lock for longer than
 * `waitMs`. `kept`: the file of the caller's earlier locks.
 */
export async function takeIndexLock(
  gitDir: string,
  waitMs: number = MAX_WAIT_MS,
  kept?: KeptLockFile,
): Promise<IndexLock | undefined> {
  const path = join(gitDir, "index.lock");
  const until = performance.now() + waitMs;
  for (let pause = 2; ; pause = Math.min(25, pause * 2)) {
    const text = kept?.text ?? (await lockText());
    if (kept) kept.text = text;
    if (!heldIndexLock(gitDir) && (await placed(gitDir, path, text, kept))) return lockAt(path, text, false);
    if (await takenOver(gitDir, path, text)) return lockAt(path, text, true);
    if (performance.now() + pause > until) return undefined;
    await delay(pause);
  }
}

/** Identifies the present `index.lock` file; undefined if there is none. */
export const heldIndexLock = (gitDir: string): string | undefined => signatureOf(join(gitDir, "index.lock"));

export const indexLockHolder = (gitDir: string): Promise<LockHolder> => holderOf(join(gitDir, "index.lock"));

/** The reason to wait for the present `index.lock`, and what a person can do. */
export function whyLocked(gitDir: string): Text {
  const mark = bloomMark(readIfThere(join(gitDir, "index.lock")));
  return mark === undefined ? lockHeld : lockHeldByBloom(mark.split(" ", 1)[0]!);
}

const holderOf = (path: string): Promise<LockHolder> => holderIn(readIfThere(path));

async function holderIn(text: string | undefined): Promise<LockHolder> {
  if (text === undefined) return undefined;
  const mark = bloomMark(text);
  if (mark === undefined) return "git";
  return (await isProcessAlive(mark)) ? "bloom" : "dead-bloom";
}

/** The mark of the process in a lock of ours, with the lock's number behind it. Undefined for a lock of git. */
function bloomMark(text: string | undefined): string | undefined {
  const [word, ...mark] = text?.split("\n", 1)[0]!.split(" ") ?? [];
  return word === WORD ? mark.join(" ") : undefined;
}

/** The first line is for programs, the rest for the person who opens the file because git refused to work. */
async function lockText(): Promise<string> {
  return `${WORD} ${await ownProcessMark()} ${counter++}
This lock belongs to Garden Bloom (process ${process.pid}), which is writing a change into this repository. It lasts for moments.
If it stays, that process was killed. Run \`bloom status\` in the garden: it completes the change and removes this file.
Do not delete the file by hand: your next commit could take the change back.

Цей замок належить Garden Bloom (процес ${process.pid}), який саме записує зміну в цей репозиторій. Це триває мить.
Якщо він лишається, той процес убито. Виконайте в саду \`bloom status\`: зміну буде завершено, а файл прибрано.
Не видаляйте його вручну: ваш наступний коміт міг би скасувати зміну.
`;
}

function lockAt(path: string, text: string, isTakenOver: boolean): IndexLock {
  const isHeld = (): boolean => readIfThere(path) === text;
  return {
    isTakenOver,
    isHeld,
    release: () => {
      if (isHeld()) rmSync(path, { force: true });
    },
  };
}

/** Creates the lock file. False if there is one. */
async function placed(gitDir: string, path: string, text: string, kept?: KeptLockFile): Promise<boolean> {
  const known = kept?.path;
  const whole = known ?? join(gitDir, `index.bloom-lock-${process.pid}-${counter++}`);
  try {
    // Synced before it has its name: after a power cut, an empty file would be taken for a lock of git.
    if (known === undefined) await writeAnew(whole, text);
    linkSync(whole, path);
    if (kept) kept.path = whole;
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return false;
    if (kept) kept.path = undefined;
    if (code === "ENOENT" && known !== undefined) return await placed(gitDir, path, text, kept); // somebody removed it
    if (code !== "EPERM" && code !== "ENOTSUP" && code !== "ENOSYS" && code !== "EMLINK") throw diskFailure(error);
    return await placedWithoutLinks(path, text); // a file system without hard links
  } finally {
    if (kept?.path !== whole) rmSync(whole, { force: true });
  }
}

/**
 * Writes a file that has no other name. A dead process with our pid (1 in every container) may have left one of this name, which is its
 * `index.lock` too: written over, that lock would be ours, and nobody would take it over.
 */
async function writeAnew(path: string, text: string): Promise<void> {
  rmSync(path, { force: true });
  await writeFileSynced(path, text, { flags: "wx" });
}

async function placedWithoutLinks(path: string, text: string): Promise<boolean> {
  try {
    const handle = await open(path, "wx");
    await handle.writeFile(text);
    await handle.sync();
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw diskFailure(error);
  }
}

/**
 * Replaces the `index.lock` of a dead process of ours by one rename. Of several heirs, the one that created the file
 * `index.bloom-heir` may do so; the file of a dead heir is removed for the next try.
 */
async function takenOver(gitDir: string, path: string, text: string): Promise<boolean> {
  const dead = readIfThere(path);
  if ((await holderIn(dead)) !== "dead-bloom") return false;
  const heir = join(gitDir, "index.bloom-heir");
  if (!(await placed(gitDir, heir, text))) {
    await removeIfDead(gitDir, heir);
    return false;
  }
  const whole = join(gitDir, `index.bloom-lock-${process.pid}-${counter++}`);
  try {
    await writeAnew(whole, text);
    // Another heir was faster, or a person deleted the lock and a git command has it now. Read right before the rename, without an
    // `await` in between: the rename would replace git's live lock. A dead process makes no other lock with this text.
    if (readIfThere(path) !== dead) return false;
    renameSync(whole, path);
    return true;
  } finally {
    rmSync(whole, { force: true });
    if (readIfThere(heir) === text) rmSync(heir, { force: true });
  }
}

/** Renamed first, then checked again: between check and removal another process may have removed it and made a new one. */
async function removeIfDead(gitDir: string, path: string): Promise<void> {
  if ((await holderOf(path)) !== "dead-bloom") return;
  const aside = join(gitDir, `index.bloom-dead-${process.pid}-${counter++}`);
  try {
    await rename(path, aside);
  } catch {
    return;
  }
  if ((await holderOf(aside)) !== "dead-bloom") {
    try {
      linkSync(aside, path);
    } catch {
      // another process has made a new one
    }
  }
  await unlink(aside);
}
