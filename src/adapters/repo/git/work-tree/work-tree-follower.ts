import { type Oid, type RefName, repoPath } from "../../../../domain/git/git-names.ts";
import type { Followed, Moved, RefMove } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { RefSwap } from "../refs/ref-swap.ts";
import { type CheckOutDeps, checkOut, type PathBehind } from "./check-out.ts";
import { diskReason, lockHeld, nameNotUtf8 } from "./failures.ts";
import type { FollowRecord, PendingFollow } from "./follow-record.ts";
import { heldIndexLock, type IndexLock, takeIndexLock } from "./index-lock.ts";
import type { IndexView } from "./index-store.ts";
import { type PathPlanDeps, plansOfChanges, plansOfPaths } from "./path-plans.ts";
import { type PathPlan, type PathStatus, statusesOf } from "./path-status.ts";
import { RetryTimer } from "./retry-timer.ts";
import { removeTemporaries } from "./work-file.ts";

export interface WorkTreeDeps extends CheckOutDeps, PathPlanDeps {
  readonly gitDir: string;
  readonly refs: RefReader;
  readonly record: FollowRecord;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
  /** Writes and syncs these commits with everything they need, where that was deferred. */
  makeDurable(commits: readonly Oid[]): Promise<void>;
}

/** The move of the checked-out branch. */
export type OwnMove = RefMove & { readonly to: Oid };

/**
 * A person's work tree and index, which follow the checked-out branch (G-5). All of it happens under git's own
 * `index.lock`, so that no commit by hand can fall between our commit and the index that knows of it. README.md beside
 * this file explains states, order of writes and crash windows.
 */
export interface WorkTreeFollower {
  /** Moves refs, one of them the checked-out branch. Throws only before the refs have moved. */
  move(moves: readonly RefMove[], own: OwnMove, swap: RefSwap): Promise<Moved>;
  follow(): Promise<Followed>;
  edited(paths: readonly string[]): Promise<readonly string[]>;
  /** Paths known to be behind, from memory. */
  behind(): readonly PathBehind[];
  /** Stops retrying and waits for the work under way. */
  close(): Promise<void>;
}

export const workTreeFollower = (deps: WorkTreeDeps): WorkTreeFollower => new Follower(deps);

const NOTHING: Followed = { written: [], behind: [] };

/** The index and the status of each planned path, read together. */
interface Inspected {
  readonly index: IndexView;
  readonly statuses: readonly PathStatus[];
}

class Follower implements WorkTreeFollower {
  readonly #deps: WorkTreeDeps;
  readonly #retry = new RetryTimer(() => this.follow());
  /** Serializes moves and passes. */
  #queue: Promise<unknown> = Promise.resolve();
  /** The foreign `index.lock` that we last waited for in vain. */
  #foreignLock: string | undefined;
  /** Our last move made without the lock. Kept in memory too, because another process may have overwritten its record. */
  #unlockedMove: PendingFollow | undefined;
  #waiting: readonly PathBehind[] = [];
  /** Hand edits that a pass left alone, reported for as long as they exist. */
  readonly #handEdits = new Map<string, PathBehind>();

  constructor(deps: WorkTreeDeps) {
    this.#deps = deps;
  }

  move(moves: readonly RefMove[], own: OwnMove, swap: RefSwap): Promise<Moved> {
    return this.#enqueue(() => this.#move(moves, own, swap));
  }

  follow(): Promise<Followed> {
    return this.#enqueue(() => this.#follow());
  }

  edited(paths: readonly string[]): Promise<readonly string[]> {
    return this.#edited(paths.map(repoPath));
  }

  behind(): readonly PathBehind[] {
    return [...this.#waiting, ...this.#handEdits.values()];
  }

  async close(): Promise<void> {
    this.#retry.stop();
    await this.#queue;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Does not wait again for a lock that was waited for in vain and is still the same file. */
  async #takeLock(): Promise<IndexLock | undefined> {
    const { gitDir } = this.#deps;
    const isSame = this.#foreignLock !== undefined && this.#foreignLock === heldIndexLock(gitDir);
    const lock = await takeIndexLock(gitDir, isSame ? 0 : undefined);
    this.#foreignLock = lock ? undefined : heldIndexLock(gitDir);
    return lock;
  }

  async #move(moves: readonly RefMove[], own: OwnMove, swap: RefSwap): Promise<Moved> {
    repoCrashPoint("repo.move.before-lock");
    const lock = await this.#takeLock();
    repoCrashPoint("repo.move.locked");
    const work = (): Promise<Moved> => this.#moveAndFollow(moves, own, swap, lock !== undefined);
    return lock ? releaseAfter(lock, work) : work();
  }

  async #moveAndFollow(moves: readonly RefMove[], own: OwnMove, swap: RefSwap, isLocked: boolean): Promise<Moved> {
    const { record, refs } = this.#deps;
    // Read again: before the lock was taken, the person may have switched branches.
    if ((await refs.branch()) !== own.ref) return withoutWorkTree(await swap(moves));
    const before = (await this.#pending())?.pending;
    const since = [...(before?.since ?? []), own.from ?? ""];
    const pending: PendingFollow = { ref: own.ref, to: own.to, since, left: before?.left ?? [] };
    const plans = await plansOfChanges(this.#deps, since, own.to, pending.left);
    if (plans.length === 0) return withoutWorkTree(await swap(moves));
    for (const { path, versions } of plans) checkName(path, versions.at(-1) !== undefined);
    const inspected = await this.#inspect(plans);
    const refusal = await this.#refusal(own, inspected.statuses);
    if (refusal) return refusal;
    repoCrashPoint("repo.move.checked");
    // In parallel: after a crash, a record that names a lost commit is a record of a move that did not happen.
    await allDone(this.#deps.makeDurable([own.to]), record.writeDurably({ commit: own.from, pending }));
    const swapped = await swap(moves);
    if (swapped.kind === "stale") {
      await record.write(before ? { commit: undefined, pending: before } : { commit: own.from, pending: undefined });
      return swapped;
    }
    return { kind: "moved", followed: await this.#afterMove(pending, plans, isLocked ? inspected : undefined) };
  }

  /** Why the move cannot happen: the ref has another value, or a person edited a path that the move changes. */
  async #refusal(own: OwnMove, statuses: readonly PathStatus[]): Promise<Moved | undefined> {
    const changed = new Set((await this.#deps.changes(own.from, own.to)).map(({ path }) => path));
    const edited = editedPaths(statuses.filter(({ path }) => changed.has(path)));
    // Checked first: a file that another process has just brought up to date looks like an edit here.
    const actual = await this.#deps.refs.resolve(own.ref);
    if (actual !== own.from) return { kind: "stale", ref: own.ref, actual };
    return edited.length > 0 ? { kind: "edited", paths: edited } : undefined;
  }

  /** The ref has moved, so nothing is thrown from here on: an error is reported in `behind` and retried. */
  async #afterMove(
    pending: PendingFollow,
    plans: readonly PathPlan[],
    inspected: Inspected | undefined,
  ): Promise<Followed> {
    let why = lockHeld;
    if (inspected) {
      try {
        return await this.#pass(pending, pending.to, inspected);
      } catch (error) {
        why = diskReason(error);
      }
    }
    this.#unlockedMove = pending;
    this.#retry.schedule();
    this.#waiting = plans.map(({ path }) => ({ path, why }));
    return { written: [], behind: this.#waiting };
  }

  async #follow(): Promise<Followed> {
    const { record } = this.#deps;
    if (!this.#unlockedMove && !(await record.read()).pending) return this.#remainingEdits();
    const lock = await this.#takeLock();
    if (!lock) return this.#waitForLock();
    return releaseAfter(lock, async () => {
      const now = await this.#pending();
      if (now) return this.#pass(now.pending, now.head);
      // The move did not happen, or the person has switched branches since: nothing is left to follow.
      this.#unlockedMove = undefined;
      this.#waiting = [];
      await record.write({ commit: await this.#head(), pending: undefined });
      return NOTHING;
    });
  }

  async #waitForLock(): Promise<Followed> {
    this.#retry.schedule();
    const now = await this.#pending();
    const plans = now ? await plansOfChanges(this.#deps, now.pending.since, now.head, now.pending.left) : [];
    this.#waiting = plans.map(({ path }) => ({ path, why: lockHeld }));
    return { written: [], behind: this.#waiting };
  }

  /** Brings all paths of `pending` to `head`, under the lock, and records the result. */
  async #pass(pending: PendingFollow, head: Oid, inspected?: Inspected): Promise<Followed> {
    const { index, statuses } = inspected ?? (await this.#recover(pending, head));
    const done = await checkOut(this.#deps, index, statuses, head);
    for (const { path } of statuses) this.#handEdits.delete(path);
    for (const behind of done.edited) this.#handEdits.set(behind.path, behind);
    const isComplete = done.failed.length === 0;
    const next = isComplete ? await this.#movedSince(pending.ref, head) : { ...pending, left: done.left };
    this.#unlockedMove = undefined;
    await this.#deps.record.write({ commit: isComplete ? head : undefined, pending: next });
    repoCrashPoint("repo.follow.after-record");
    if (next) this.#retry.schedule();
    else this.#retry.reset();
    this.#waiting = done.failed;
    return { written: done.written, behind: [...done.edited, ...done.failed] };
  }

  /** Inspects what an earlier pass, of this or another process, left undone, and removes its temporary files. */
  async #recover(pending: PendingFollow, head: Oid): Promise<Inspected> {
    const plans = await plansOfChanges(this.#deps, pending.since, head, pending.left);
    const paths = plans.map(({ path }) => path);
    await removeTemporaries(this.#deps.workTree, paths);
    return this.#inspect(plans);
  }

  async #inspect(plans: readonly PathPlan[]): Promise<Inspected> {
    const { workTree, conversion } = this.#deps;
    const index = await this.#deps.index.read();
    return { index, statuses: await statusesOf(workTree, index, plans, conversion) };
  }

  /** A process that did not get the lock may have moved the branch during our pass: then there is more to follow. */
  async #movedSince(ref: RefName, followed: Oid): Promise<PendingFollow | undefined> {
    const to = await this.#deps.refs.resolve(ref);
    if (to === undefined || to === followed || !(await this.#deps.isAncestor(followed, to))) return undefined;
    return { ref, to, since: [followed], left: [] };
  }

  /** The pending record, if it is about the branch that is checked out now. */
  async #pending(): Promise<{ pending: PendingFollow; head: Oid } | undefined> {
    const { record, refs } = this.#deps;
    const pending = (await record.read()).pending ?? this.#unlockedMove;
    if (!pending) return undefined;
    const head = (await refs.branch()) === pending.ref ? await refs.resolve(pending.ref) : undefined;
    if (head === undefined) return undefined;
    // After a crash before the swap, head is still the commit before the move, and what was behind then still is.
    const isKnown =
      head === pending.to || pending.since.includes(head) || (await this.#deps.isAncestor(pending.to, head));
    return isKnown ? { pending, head } : undefined;
  }

  async #head(): Promise<Oid | undefined> {
    const { refs } = this.#deps;
    const branch = await refs.branch();
    return branch === undefined ? refs.detachedHead() : refs.resolve(branch);
  }

  async #edited(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const head = await this.#head();
    const now = await this.#pending();
    const commits = [...(now?.pending.since ?? []), head ?? ""];
    const plans = await plansOfPaths(this.#deps, new Set(paths), commits, now?.pending.left ?? []);
    return editedPaths((await this.#inspect(plans)).statuses);
  }

  async #remainingEdits(): Promise<Followed> {
    const remaining = await this.#edited([...this.#handEdits.keys()]);
    for (const path of this.#handEdits.keys()) if (!remaining.includes(path)) this.#handEdits.delete(path);
    return { written: [], behind: [...this.#handEdits.values()] };
  }
}

const OURS = /^\.(?:bloom|git)$/i;

/** Throws, before anything moves, for names that are not UTF-8 (git may hold any bytes) and for the machine's own folder. */
function checkName(path: string, isWritten: boolean): void {
  if (path.includes("\ufffd")) throw nameNotUtf8(path);
  if (isWritten && path.split("/").some((part) => OURS.test(part))) repoPath(path);
}

async function releaseAfter<T>(lock: IndexLock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await lock.release();
    repoCrashPoint("repo.follow.unlocked");
  }
}

/** `Promise.all` that throws only when all have ended, so that none runs on unobserved. */
async function allDone(...work: readonly Promise<void>[]): Promise<void> {
  for (const each of await Promise.allSettled(work)) if (each.status === "rejected") throw each.reason;
}

const editedPaths = (statuses: readonly PathStatus[]): string[] =>
  statuses.filter(({ file, index }) => file === "edited" || index === "edited").map(({ path }) => path);

/** The answer of a move that concerns no file of the work tree. */
export const withoutWorkTree = (swapped: Awaited<ReturnType<RefSwap>>): Moved =>
  swapped.kind === "stale" ? swapped : { kind: "moved", followed: NOTHING };
