import { type Oid, repoPath } from "../../../../domain/git/git-names.ts";
import type { Followed, Held, Moved, RefMove } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { allDone } from "../disk/in-batches.ts";
import { repoClosed } from "../objects/failures.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { RefSwap, RefsSwapped } from "../refs/ref-swap.ts";
import { type CheckOutDeps, checkOut, type PathBehind } from "./check-out.ts";
import { diskReason, lockHeld } from "./failures.ts";
import type { FollowRecord, PendingFollow } from "./follow-record.ts";
import { heldIndexLock, type IndexLock, indexLockHolder, takeIndexLock } from "./index-lock.ts";
import type { IndexView } from "./index-store.ts";
import { checkNames, type PathPlanDeps, plansOfChanges, plansOfPaths } from "./path-plans.ts";
import { editedPaths, type PathPlan, type PathStatus, statusesOf } from "./path-status.ts";
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
  /** Runs `work` under git's `index.lock`. Answers `busy`, without calling `work`, while a git command holds it. */
  hold<T>(work: (tree: HeldWorkTree) => Promise<T>): Promise<Held<T>>;
  follow(): Promise<Followed>;
  edited(paths: readonly string[]): Promise<readonly string[]>;
  /** Paths known to be behind, from memory. */
  behind(): readonly PathBehind[];
  /** Stops retrying and waits for the work under way. */
  close(): Promise<void>;
}

/** A work tree whose `index.lock` is ours. */
export interface HeldWorkTree {
  /** Moves refs, one of them the checked-out branch. Throws only before the refs have moved. */
  move(moves: readonly RefMove[], own: OwnMove, swap: RefSwap): Promise<Moved>;
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
  /** Our `index.lock`. Kept for as long as the index is behind the branch: a commit by hand would take our move back. */
  #lock: IndexLock | undefined;
  #isIndexBehind = false;
  #isClosed = false;
  #waiting: readonly PathBehind[] = [];
  /** Hand edits that a pass left alone, reported for as long as they exist. */
  readonly #handEdits = new Map<string, PathBehind>();

  constructor(deps: WorkTreeDeps) {
    this.#deps = deps;
  }

  async hold<T>(work: (tree: HeldWorkTree) => Promise<T>): Promise<Held<T>> {
    if (this.#isClosed) throw repoClosed();
    const tree: HeldWorkTree = { move: (moves, own, swap) => this.#moveAndFollow(moves, own, swap) };
    return this.#enqueue(() =>
      this.#locked(async () => {
        if (this.#lock?.isTakenOver) await this.#catchUp();
        return work(tree);
      }),
    );
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
    this.#isClosed = true;
    this.#retry.stop();
    // If the index still cannot follow, the lock file stays. The next process takes it over.
    if (this.#lock) await this.follow().catch(() => undefined);
    await this.#queue;
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Runs `work` with the lock, and releases it unless the index is behind the branch then. */
  async #locked<T>(work: () => Promise<T>): Promise<Held<T>> {
    repoCrashPoint("repo.move.before-lock");
    const lock = await this.#takeLock();
    if (!lock) return { kind: "busy", why: lockHeld };
    this.#lock = lock;
    this.#isIndexBehind ||= lock.isTakenOver;
    repoCrashPoint("repo.move.locked");
    try {
      return { kind: "held", result: await work() };
    } finally {
      if (this.#isIndexBehind) this.#retry.schedule();
      else {
        this.#lock = undefined;
        lock.release();
        repoCrashPoint("repo.follow.unlocked");
      }
    }
  }

  /** Does not wait again for a lock that was waited for in vain and is still the same file. */
  async #takeLock(): Promise<IndexLock | undefined> {
    if (this.#lock?.isHeld()) return this.#lock;
    const { gitDir } = this.#deps;
    const isSame = this.#foreignLock !== undefined && this.#foreignLock === heldIndexLock(gitDir);
    const lock = await takeIndexLock(gitDir, isSame ? 0 : undefined);
    this.#foreignLock = lock ? undefined : heldIndexLock(gitDir);
    return lock;
  }

  async #moveAndFollow(moves: readonly RefMove[], own: OwnMove, swap: RefSwap): Promise<Moved> {
    const { record } = this.#deps;
    const before = (await this.#pending())?.pending;
    const since = [...(before?.since ?? []), own.from ?? ""];
    const pending: PendingFollow = { ref: own.ref, to: own.to, since, left: before?.left ?? [] };
    const plans = await plansOfChanges(this.#deps, since, own.to, pending.left);
    if (plans.length === 0) return withoutWorkTree(await swap(moves));
    checkNames(plans);
    const inspected = await this.#inspect(plans);
    const refusal = await this.#refusal(own, inspected.statuses);
    if (refusal) return refusal;
    repoCrashPoint("repo.move.checked");
    // In parallel: after a crash, a record that names a lost commit is a record of a move that did not happen.
    await allDone(this.#deps.makeDurable([own.to]), record.writeDurably({ commit: own.from, pending }));
    if (!this.#lock?.isHeld()) return { kind: "busy", why: lockHeld }; // a person has deleted it
    const swapped = await this.#swapped(moves, swap);
    if (swapped.kind === "stale") {
      await record.write(before ? { commit: undefined, pending: before } : { commit: own.from, pending: undefined });
      return swapped;
    }
    return { kind: "moved", followed: await this.#afterMove(pending, plans, inspected) };
  }

  /** From the swap on, the index is behind until a pass has written it, also if the swap failed half-way. */
  async #swapped(moves: readonly RefMove[], swap: RefSwap): Promise<RefsSwapped> {
    const wasBehind = this.#isIndexBehind;
    this.#isIndexBehind = true;
    try {
      const swapped = await swap(moves);
      if (swapped.kind === "stale") this.#isIndexBehind = wasBehind;
      return swapped;
    } catch (error) {
      await this.#catchUp().catch(() => undefined); // retried, under the lock
      throw error;
    }
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
  async #afterMove(pending: PendingFollow, plans: readonly PathPlan[], inspected: Inspected): Promise<Followed> {
    try {
      return await this.#pass(pending, pending.to, inspected);
    } catch (error) {
      this.#waiting = plans.map(({ path }) => ({ path, why: diskReason(error) }));
      return { written: [], behind: this.#waiting };
    }
  }

  async #follow(): Promise<Followed> {
    const { record, gitDir } = this.#deps;
    const isLeft = this.#lock ?? (await record.read()).pending ?? (await indexLockHolder(gitDir)) === "dead-bloom";
    if (!isLeft) return this.#remainingEdits();
    const answer = await this.#locked(() => this.#catchUp());
    return answer.kind === "held" ? answer.result : this.#waitForLock();
  }

  /** Brings files and index to the branch, under the lock, if a crash or a full disk left them behind. */
  async #catchUp(): Promise<Followed> {
    const now = await this.#pending();
    if (now) return this.#pass(now.pending, now.head);
    // The move did not happen, or the person has switched branches since: nothing is left to follow.
    this.#isIndexBehind = false;
    this.#waiting = [];
    await this.#deps.record.write({ commit: await this.#head(), pending: undefined });
    return NOTHING;
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
    const next = isComplete ? undefined : { ...pending, left: done.left };
    this.#isIndexBehind = !done.isIndexWritten;
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

  /** The pending record, if it is about the branch that is checked out now. */
  async #pending(): Promise<{ pending: PendingFollow; head: Oid } | undefined> {
    const { record, refs } = this.#deps;
    const pending = (await record.read()).pending;
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

/** The answer of a move that concerns no file of the work tree. */
export const withoutWorkTree = (swapped: Awaited<ReturnType<RefSwap>>): Moved =>
  swapped.kind === "stale" ? swapped : { kind: "moved", followed: NOTHING };
