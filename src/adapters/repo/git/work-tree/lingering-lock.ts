import { rmSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { repoCrashPoint } from "../crash-points.ts";
import { foreignGitRuns } from "../process/foreign-git.ts";
import { heldIndexLock, type IndexLock, type KeptLockFile, takeIndexLock } from "./index-lock.ts";

const MAX_LINGER_MS = 150;
/** Git compares each file with its entry after it has read the index. */
const LINGER_MS_PER_ENTRY = 0.01;
const LOOK_MS = 5;
/** After this time a person's git gets a turn. */
const MAX_HOLD_MS = 500;
const TURN_MS = 60;

/**
 * Git's `index.lock`, kept after a move until the git commands that were running have ended, for a moment at most. `git commit` and
 * `git stash` read the index before they take the lock, and write what they read: one that read before our move and locked after
 * it would take the move out of the index. While the lock stays, such a command is refused instead. Moves that follow each
 * other meanwhile share one lock.
 */
export class LingeringLock {
  readonly #gitDir: string;
  readonly #workTree: string;
  readonly #kept: KeptLockFile = {};
  #lock: IndexLock | undefined;
  #since = 0;
  /** The lock stays until then, in milliseconds of `performance.now()`. */
  #until = 0;
  #timer: NodeJS.Timeout | undefined;
  /** The foreign `index.lock` that we last waited for in vain. */
  #foreign: string | undefined;
  readonly #onExit = (): void => this.#remove();

  constructor(gitDir: string, workTree: string) {
    this.#gitDir = gitDir;
    this.#workTree = workTree;
  }

  /** Undefined while another process holds the lock. `isTakenOver`: a dead process may have left the index apart from the branch. */
  async take(): Promise<{ readonly isTakenOver: boolean } | undefined> {
    const isLingering = this.#timer !== undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lock?.isHeld()) {
      if (!isLingering || performance.now() - this.#since < MAX_HOLD_MS) return { isTakenOver: false };
      await this.end();
      await delay(TURN_MS);
    }
    // A lock that was waited for in vain, and is still the same file, is not waited for again.
    const isSame = this.#foreign !== undefined && this.#foreign === heldIndexLock(this.#gitDir);
    const lock = await takeIndexLock(this.#gitDir, isSame ? 0 : undefined, this.#kept);
    this.#foreign = lock ? undefined : heldIndexLock(this.#gitDir);
    if (!lock) return undefined;
    process.once("exit", this.#onExit);
    this.#lock = lock;
    this.#since = performance.now();
    return lock;
  }

  isHeld(): boolean {
    return this.#lock?.isHeld() ?? false;
  }

  /** A git command that is running may have read the index, with this number of entries, before it was replaced just now. */
  linger(entries: number): void {
    this.#until = performance.now() + MAX_LINGER_MS + entries * LINGER_MS_PER_ENTRY;
  }

  /** Removes the lock file, now or when the moment is over. */
  release(): void {
    if (this.#mayGo()) this.#remove();
    else this.#timer = setTimeout(() => this.release(), LOOK_MS);
  }

  /** Removes the file of the locks; a lock that is held stays. */
  close(): void {
    if (this.#kept.path !== undefined) rmSync(this.#kept.path, { force: true });
    this.#kept.path = undefined;
  }

  /** Waits until the lock file is removed. */
  async end(): Promise<void> {
    clearTimeout(this.#timer);
    while (this.#lock && !this.#mayGo()) await delay(LOOK_MS);
    this.#remove();
  }

  #mayGo(): boolean {
    return performance.now() > this.#until || !foreignGitRuns(this.#workTree);
  }

  #remove(): void {
    this.#timer = undefined;
    process.removeListener("exit", this.#onExit);
    if (!this.#lock) return;
    this.#lock.release();
    this.#lock = undefined;
    repoCrashPoint("repo.follow.unlocked");
  }
}
