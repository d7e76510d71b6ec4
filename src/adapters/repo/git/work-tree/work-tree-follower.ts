import { isFailure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import { type Oid, repoPath } from "../../../../domain/git/git-names.ts";
import type { Followed, Held, Moved, RefMove } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { allDone } from "../disk/in-batches.ts";
import { repoClosed } from "../objects/failures.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { RefSwap, RefsSwapped } from "../refs/ref-swap.ts";
import { BehindPaths } from "./behind-paths.ts";
import { type CheckedOut, type CheckOutDeps, checkOut, installIndex, type PathBehind } from "./check-out.ts";
import { diskReason } from "./failures.ts";
import type { FollowRecord, PendingFollow } from "./follow-record.ts";
import { indexLockHolder, whyLocked } from "./index-lock.ts";
import { LingeringLock } from "./lingering-lock.ts";
import { checkNames, type PathPlanDeps, plansOfChanges, plansOfPaths, plansOfPending } from "./path-plans.ts";
import { editedPaths, type PathStatus } from "./path-status.ts";
import { type PendingMove, pendingMove } from "./pending-move.ts";
import { discardFiles, type FileToWrite, filesToPrepare, type PreparedFiles, prepareFiles } from "./prepared-files.ts";
import { RecentMoves } from "./recent-moves.ts";
import { RetryTimer } from "./retry-timer.ts";
import { type Inspected, inspect, mendIndex, staleEntries } from "./stale-entries.ts";
import { LATE, succeeds, within } from "./within.ts";
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
 * A person's work tree and index, which move with the checked-out branch (G-5). All of it happens under git's own
 * `index.lock`. Files and index come first and the branch last: `git commit` reads HEAD and the index before it takes the lock, and
 * a new branch with an old index would make it take our commit back. README.md beside this file explains states, order of
 * writes and crash windows.
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
  move(moves: readonly RefMove[], own: OwnMove, steps: MoveSteps): Promise<Moved>;
}

export interface MoveSteps {
  /** Called after the comparison, before any file or ref changes. An answer refuses the move; so does an error. */
  readonly publish?: () => Promise<Moved | undefined>;
  readonly swap: RefSwap;
}

export const workTreeFollower = (deps: WorkTreeDeps): WorkTreeFollower => new Follower(deps);

const NOTHING: Followed = { written: [], behind: [] };
const MAX_WHILE_LOCKING = 16;
const MAX_LOCKED_MS = 300; // the locks of refs are given up after a second (`MAX_PREPARED_MS`)

class Follower implements WorkTreeFollower {
  readonly #deps: WorkTreeDeps;
  readonly #retry = new RetryTimer(() => this.follow());
  /** Serializes moves and passes. */
  #queue: Promise<unknown> = Promise.resolve();
  /**
   * Our `index.lock`. Kept for as long as the index is not that of the branch (a commit by hand would mix the two), and for a
   * moment after a move (see `LingeringLock`).
   */
  readonly #lock: LingeringLock;
  readonly #recent: RecentMoves;
  #isIndexApart = false;
  #isClosed = false;
  readonly #behind = new BehindPaths();

  constructor(deps: WorkTreeDeps) {
    this.#deps = deps;
    this.#lock = new LingeringLock(deps.gitDir, deps.workTree);
    this.#recent = new RecentMoves(deps.gitDir, () => this.follow());
  }

  async hold<T>(work: (tree: HeldWorkTree) => Promise<T>): Promise<Held<T>> {
    if (this.#isClosed) throw repoClosed();
    const tree: HeldWorkTree = { move: (moves, own, steps) => this.#moveAndFollow(moves, own, steps) };
    return this.#enqueue(() =>
      this.#locked(async () => {
        if (this.#isIndexApart) await this.#catchUp();
        await this.#mend();
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
    return this.#behind.all();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#retry.stop();
    this.#recent.stop();
    // If the index still cannot follow, the lock file stays. The next process takes it over.
    if (this.#isIndexApart) await this.follow().catch(() => undefined);
    await this.#queue;
    if (!this.#isIndexApart) await this.#lock.end();
    this.#lock.close();
  }

  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }

  /** Runs `work` with the lock, and releases it unless the index is not that of the branch then. */
  async #locked<T>(work: () => Promise<T>): Promise<Held<T>> {
    repoCrashPoint("repo.move.before-lock");
    const taken = await this.#lock.take();
    if (!taken) return { kind: "busy", why: whyLocked(this.#deps.gitDir) };
    this.#isIndexApart ||= taken.isTakenOver;
    repoCrashPoint("repo.move.locked");
    try {
      return { kind: "held", result: await work() };
    } finally {
      if (this.#isIndexApart) this.#retry.schedule();
      else this.#lock.release();
    }
  }

  async #moveAndFollow(moves: readonly RefMove[], own: OwnMove, { publish, swap }: MoveSteps): Promise<Moved> {
    const { record } = this.#deps;
    const { since, left } = await this.#heldVersions(own.from);
    const plans = await plansOfChanges(this.#deps, since, own.to, left);
    if (plans.length === 0) return (await publish?.()) ?? withoutWorkTree(await swap(moves));
    checkNames(plans);
    const inspected = await inspect(this.#deps, plans);
    const refusal = await this.#refusal(own, inspected.statuses);
    if (refusal) return refusal;
    repoCrashPoint("repo.move.checked");
    const kept = inspected.statuses.filter(({ file }) => file === "there").map(({ path }) => path);
    const early = await this.#earlyFiles(inspected.statuses, own.to, publish);
    const pending: PendingFollow = {
      ref: own.ref,
      to: own.to,
      since,
      left,
      ...(kept.length > 0 && { kept }),
      ...(early.length > 0 && { prepared: early.map(({ path }) => path) }),
    };
    const before = publish && (await record.read());
    const recorded = record.writeDurably({ commit: own.from, pending });
    const preparing = recorded.then(() => prepareFiles(this.#deps, early, own.to));
    // In parallel: after a crash, a record that names a lost commit is a record of a move that did not happen; it also names the
    // temporary files to remove. The lock file is synced too: if a power cut keeps the new branch and loses the new index, git is
    // refused until a pass has repaired the index.
    try {
      await allDone(this.#deps.makeDurable([own.to]), preparing, this.#deps.syncFolder(this.#deps.gitDir));
    } catch (error) {
      await preparing.then(discardFiles, () => undefined);
      throw error;
    }
    const prepared = await preparing;
    if (!this.#lock.isHeld()) {
      await discardFiles(prepared);
      return { kind: "busy", why: whyLocked(this.#deps.gitDir) }; // a person has deleted it
    }
    if (publish && before) {
      const refused = await publish().catch(async (error: unknown) => {
        await record.write(before);
        throw error;
      });
      if (refused) await record.write(before);
      if (refused) return refused;
    }
    return this.#withFiles(pending, inspected, prepared, (whenPrepared) => swap(moves, whenPrepared));
  }

  /**
   * The files to write beside the syncs of the commit. None when something else is published before, which may refuse the move, and
   * none of many files, which would hold these syncs up.
   */
  async #earlyFiles(
    statuses: readonly PathStatus[],
    commit: Oid,
    publish: MoveSteps["publish"],
  ): Promise<readonly FileToWrite[]> {
    return publish || statuses.length > MAX_WHILE_LOCKING ? [] : filesToPrepare(this.#deps, statuses, commit);
  }

  /** The versions that files may hold before a move from this commit. A move that did not happen is taken back first. */
  async #heldVersions(from: Oid | undefined): Promise<Pick<PendingFollow, "since" | "left">> {
    let before = await pendingMove(this.#deps);
    if (before?.isMoved === false) {
      await this.#catchUp();
      before = await pendingMove(this.#deps);
    }
    if (!before) return { since: [from ?? ""], left: [] };
    const { since, to, left } = before.pending;
    return { since: [...since, ...(before.isMoved ? [] : [to]), from ?? ""], left };
  }

  /** Writes the files, then moves index and refs in one moment. Takes the files back if the refs do not move. */
  async #withFiles(
    pending: PendingFollow,
    { index, statuses }: Inspected,
    prepared: PreparedFiles,
    swap: (whenPrepared: () => Promise<void>) => Promise<RefsSwapped>,
  ): Promise<Moved> {
    const checkedOut = checkOut(this.#deps, index, statuses, pending.to, prepared);
    checkedOut.catch(() => undefined); // awaited below, perhaps after it has failed
    let swapped: RefsSwapped;
    let indexSynced: Promise<boolean> | undefined;
    const whenPrepared = async (): Promise<void> => {
      const ready = await within(MAX_LOCKED_MS, checkedOut);
      if (ready.indexError !== undefined) throw ready.indexError;
      this.#isIndexApart = true;
      await installIndex(ready, this.#deps.record, pending);
      repoCrashPoint("repo.follow.after-index");
      // Beside the sync of the refs, which decide whether the move happened.
      indexSynced = ready.index && succeeds(ready.index.sync());
    };
    try {
      // Few files are written while git locks the refs. Many, or slow ones (a filter, a busy disk), are written before.
      if (statuses.length > MAX_WHILE_LOCKING) await checkedOut;
      swapped = await swap(whenPrepared).catch(async (error: unknown) => {
        if (error !== LATE) throw error;
        await checkedOut;
        return await swap(whenPrepared);
      });
    } catch (error) {
      await this.#takeBack(checkedOut);
      throw error;
    }
    if (swapped.kind === "stale") {
      await this.#takeBack(checkedOut);
      return swapped;
    }
    const done = await checkedOut;
    this.#isIndexApart = false;
    this.#lock.linger(index.size);
    this.#recent.add(statuses);
    if ((await indexSynced) === false) {
      this.#retry.schedule(); // the record stays until a pass has synced the index
      return { kind: "moved", followed: this.#behind.followed(done, statuses) };
    }
    return { kind: "moved", followed: await this.#afterMove(pending, done, statuses) };
  }

  async #takeBack(checkedOut: Promise<CheckedOut>): Promise<void> {
    const done = await checkedOut.catch(() => undefined);
    await done?.index?.discard();
    await this.#catchUp().catch(() => this.#retry.schedule());
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
  async #afterMove(pending: PendingFollow, done: CheckedOut, statuses: readonly PathStatus[]): Promise<Followed> {
    try {
      return await this.#settle(pending, pending.to, done, statuses);
    } catch (error) {
      const why = diskReason(error);
      return { written: done.written, behind: this.#behind.wait(statuses.map(({ path }) => ({ path, why }))) };
    }
  }

  async #follow(): Promise<Followed> {
    const { record, gitDir } = this.#deps;
    const isLeft =
      this.#isIndexApart ||
      (await record.read()).pending !== undefined ||
      (await indexLockHolder(gitDir)) === "dead-bloom";
    // Looked at without the lock first: a person's next git command must not be refused for a look.
    if (!isLeft && (await this.#staleEntries()).changes.length === 0)
      return { written: [], behind: await this.#behind.remainingEdits((paths) => this.#edited(paths)) };
    const answer = await this.#locked(async () => {
      const followed = await this.#catchUp();
      await this.#mend();
      return followed;
    });
    return answer.kind === "held" ? answer.result : this.#waitForLock(answer.why);
  }

  /** Brings files and index to the branch, under the lock, if a crash or a full disk left them behind. */
  async #catchUp(): Promise<Followed> {
    const now = await pendingMove(this.#deps);
    if (now) return this.#pass(now);
    // The move did not happen, or the person has switched branches since: nothing is left to follow.
    this.#isIndexApart = false;
    this.#behind.wait([]);
    const { record, workTree } = this.#deps;
    await removeTemporaries(workTree, (await record.read()).pending?.prepared ?? []);
    await record.write({ commit: await this.#head(), pending: undefined });
    return NOTHING;
  }

  /** Entries that an older copy of the index took back (`stale-entries.ts`). */
  #staleEntries(): ReturnType<typeof staleEntries> {
    return staleEntries(this.#deps, this.#recent, () => this.#head());
  }

  async #mend(): Promise<void> {
    await mendIndex(this.#deps, this.#recent, await this.#staleEntries());
  }

  async #waitForLock(why: Text): Promise<Followed> {
    this.#retry.schedule();
    const now = await pendingMove(this.#deps);
    const plans = now ? await plansOfPending(this.#deps, now.pending, now.head, now.isMoved) : [];
    return { written: [], behind: this.#behind.wait(plans.map(({ path }) => ({ path, why }))) };
  }

  /** Brings all paths of a pending move to `head`, under the lock, and removes temporary files of an earlier pass. */
  async #pass({ pending, head, isMoved }: PendingMove): Promise<Followed> {
    const planned = plansOfPending(this.#deps, pending, head, isMoved);
    // Files are written after the commit is durable: if a power cut destroyed the commit, there is nothing to take back.
    const plans = await (isMoved
      ? planned
      : planned.catch((error: unknown) => (isFailure(error) ? [] : Promise.reject(error))));
    const plannedPaths = plans.map(({ path }) => path);
    await removeTemporaries(this.#deps.workTree, [...plannedPaths, ...(pending.prepared ?? [])]);
    const { index, statuses: found } = await inspect(this.#deps, plans);
    const kept = new Set(isMoved ? [] : pending.kept);
    const statuses = found.map(
      (status): PathStatus => (kept.has(status.path) ? { ...status, file: "edited" } : status),
    );
    const done = await checkOut(this.#deps, index, statuses, head, new Map());
    this.#isIndexApart ||= done.index !== undefined;
    await installIndex(done, this.#deps.record, pending);
    await this.#deps.syncFolder(this.#deps.gitDir); // also if the index is complete: its last sync may have failed
    this.#isIndexApart = done.indexError !== undefined;
    return this.#settle(pending, head, done, statuses);
  }

  /** Records which paths are behind after a move or a pass. */
  async #settle(
    pending: PendingFollow,
    head: Oid,
    done: CheckedOut,
    statuses: readonly PathStatus[],
  ): Promise<Followed> {
    const isComplete = done.failed.length === 0;
    const next = isComplete ? undefined : { ...pending, left: done.left };
    await this.#deps.record.write({ commit: isComplete && head !== "" ? head : undefined, pending: next });
    repoCrashPoint("repo.follow.after-record");
    if (next) this.#retry.schedule();
    else this.#retry.reset();
    return this.#behind.followed(done, statuses);
  }

  async #head(): Promise<Oid | undefined> {
    const { refs } = this.#deps;
    const branch = await refs.branch();
    return branch === undefined ? refs.detachedHead() : refs.resolve(branch);
  }

  async #edited(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const head = await this.#head();
    const now = await pendingMove(this.#deps);
    const commits = [...(now ? [...now.pending.since, now.pending.to] : []), head ?? ""];
    const plans = await plansOfPaths(this.#deps, new Set(paths), commits, now?.pending.left ?? []);
    return editedPaths((await inspect(this.#deps, plans)).statuses);
  }
}

/** The answer of a move that concerns no file of the work tree. */
export const withoutWorkTree = (swapped: Awaited<ReturnType<RefSwap>>): Moved =>
  swapped.kind === "stale" ? swapped : { kind: "moved", followed: NOTHING };
