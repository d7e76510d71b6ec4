import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import { type Oid, type RefName, repoPath } from "../../../../domain/git/git-names.ts";
import type { Followed, Moved, RefMove } from "../../../../ports/repo.ts";
import { passing } from "../crash-points.ts";
import type { RefReader } from "../refs/ref-reader.ts";
import type { Swap } from "../refs/ref-swap.ts";
import { type Behind, type BringUp, bringUp, diskWhy } from "./check-out.ts";
import type { FollowedRecord, Pending } from "./follow-record.ts";
import { heldIndexLock, type IndexLock, takeIndexLock } from "./index-lock.ts";
import { type PlanParts, plansFor, plansOf } from "./path-plans.ts";
import { type Plan, type Verdict, verdicts } from "./path-status.ts";
import { removeTemporaries } from "./work-file.ts";

export interface FollowerParts extends BringUp, PlanParts {
  readonly gitDir: string;
  readonly refs: RefReader;
  readonly record: FollowedRecord;
  isAncestor(ancestor: Oid, of: Oid): Promise<boolean>;
  /** Puts on disk what these commits need and what was held back until now. */
  settle(commits: readonly Oid[]): Promise<void>;
}

/**
 * The work tree and the index of a person, which follow the checked-out branch (G-5). All of it happens under git's
 * own `index.lock`, so that no commit by hand can fall between our commit and the index that knows of it.
 */
export interface Follower {
  /** Moves refs among which is the checked-out branch. */
  move(moves: readonly RefMove[], own: RefMove & { readonly to: Oid }, swap: Swap): Promise<Moved>;
  follow(): Promise<Followed>;
  edited(paths: readonly string[]): Promise<readonly string[]>;
  /** What could not follow so far, as far as is known. */
  behind(): readonly Behind[];
  /** Lets the work that is under way come to its end. */
  close(): Promise<void>;
}

const FIRST_RETRY_MS = 300;
const LAST_RETRY_MS = 15_000;
const NOTHING: Followed = { written: [], behind: [] };

export function follower(parts: FollowerParts): Follower {
  const { record, refs, workTree, gitDir, conversion } = parts;
  let turn: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = FIRST_RETRY_MS;
  let closed = false;
  let heldLock: string | undefined;
  /** A move of ours made without the lock: another process may have written over its record since. */
  let unlocked: Pending | undefined;
  /** What could not follow yet. */
  let waiting: readonly Behind[] = [];
  /** Hand edits that a pass met, told again as long as they are there. */
  const met = new Map<string, Behind>();

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = turn.then(work);
    turn = result.catch(() => undefined);
    return result;
  };

  function retryLater(): void {
    if (closed || timer) return;
    timer = setTimeout(() => {
      timer = undefined;
      inTurn(followNow).catch(() => retryLater());
    }, pauseMs);
    timer.unref();
    pauseMs = Math.min(LAST_RETRY_MS, pauseMs * 2);
  }

  /** A lock that was waited for in vain, and is still the same file, is not waited for again. */
  async function takeLock(): Promise<IndexLock | undefined> {
    const lock = await takeIndexLock(
      gitDir,
      heldLock !== undefined && heldLock === heldIndexLock(gitDir) ? 0 : undefined,
    );
    heldLock = lock ? undefined : heldIndexLock(gitDir);
    return lock;
  }

  const judge = async (plans: readonly Plan[]) => {
    const index = await parts.index.read();
    return { index, judged: await verdicts(workTree, index, plans, conversion) };
  };

  /** Brings everything of `pending` to `head`, under the lock, and records how far it came. */
  async function pass(pending: Pending, head: Oid, ready?: Awaited<ReturnType<typeof judge>>): Promise<Followed> {
    const { index, judged } = ready ?? (await recovered(pending, head));
    const done = await bringUp(parts, index, judged, head);
    for (const path of judged.map((verdict) => verdict.path)) met.delete(path);
    for (const behind of done.edited) met.set(behind.path, behind);
    const complete = done.trouble.length === 0;
    const next = complete ? await movedOn(pending.ref, head) : { ...pending, left: done.left };
    unlocked = undefined;
    await record.settle({ commit: complete ? head : undefined, pending: next });
    passing("repo.follow.after-record");
    if (next) retryLater();
    else pauseMs = FIRST_RETRY_MS;
    waiting = done.trouble;
    return { written: done.written, behind: [...done.edited, ...done.trouble] };
  }

  /** A process that could not have the lock may have moved the branch meanwhile; then there is more to follow. */
  async function movedOn(ref: RefName, followed: Oid): Promise<Pending | undefined> {
    const to = await refs.resolve(ref);
    if (to === undefined || to === followed || !(await parts.isAncestor(followed, to))) return undefined;
    return { ref, to, since: [followed], left: [] };
  }

  /** What another process, or this one at another time, left undone. */
  async function recovered(pending: Pending, head: Oid): ReturnType<typeof judge> {
    const plans = await plansFor(parts, pending.since, head, pending.left);
    await removeTemporaries(
      workTree,
      plans.map(({ path }) => path),
    );
    return judge(plans);
  }

  /** The pending record, if it still speaks of what is checked out. */
  async function pendingNow(): Promise<{ pending: Pending; head: Oid } | undefined> {
    const pending = (await record.read()).pending ?? unlocked;
    if (!pending) return undefined;
    const head = (await refs.branch()) === pending.ref ? await refs.resolve(pending.ref) : undefined;
    if (head === undefined) return undefined;
    // Where the process died before the swap, head is still the last commit before it, and what was behind then still is.
    const known = head === pending.to || pending.since.includes(head) || (await parts.isAncestor(pending.to, head));
    return known ? { pending, head } : undefined;
  }

  async function followNow(): Promise<Followed> {
    if (!unlocked && !(await record.read()).pending) return stillMet();
    const lock = await takeLock();
    if (!lock) {
      retryLater();
      const now = await pendingNow();
      const plans = now ? await plansFor(parts, now.pending.since, now.head, now.pending.left) : [];
      waiting = plans.map(({ path }) => ({ path, why: lockHeld }));
      return { written: [], behind: waiting };
    }
    return released(lock, async () => {
      const now = await pendingNow();
      if (now) return pass(now.pending, now.head);
      // The move never happened, or the person has gone to another branch since: nothing of ours is to be done.
      unlocked = undefined;
      waiting = [];
      await record.settle({ commit: await headNow(), pending: undefined });
      return NOTHING;
    });
  }

  async function stillMet(): Promise<Followed> {
    const there = await editedNow([...met.keys()]);
    for (const path of met.keys()) if (!there.includes(path)) met.delete(path);
    return { written: [], behind: [...met.values()] };
  }

  async function headNow(): Promise<Oid | undefined> {
    const branch = await refs.branch();
    return branch === undefined ? refs.detachedHead() : refs.resolve(branch);
  }

  async function editedNow(paths: readonly string[]): Promise<string[]> {
    if (paths.length === 0) return [];
    const head = await headNow();
    const now = await pendingNow();
    const commits = [...(now?.pending.since ?? []), head ?? ""];
    const plans = await plansOf(parts, new Set(paths), commits, now?.pending.left ?? []);
    return editedAmong((await judge(plans)).judged);
  }

  /** Refused before anything moves: names that are not text (git may hold any bytes), and the machine's own folder. */
  function mayStand(path: string, isWritten: boolean): void {
    if (path.includes("\ufffd")) throw notText(path);
    if (isWritten && path.split("/").some((part) => OURS.test(part))) repoPath(path);
  }

  async function move(moves: readonly RefMove[], own: RefMove & { readonly to: Oid }, swap: Swap): Promise<Moved> {
    passing("repo.move.before-lock");
    const lock = await takeLock();
    passing("repo.move.locked");
    const work = async (): Promise<Moved> => {
      // Asked again: without the lock, the person may have gone to another branch.
      if ((await refs.branch()) !== own.ref) return movedAlone(await swap(moves));
      const before = await pendingNow();
      const since = [...(before?.pending.since ?? []), own.from ?? ""] as const;
      const left = before?.pending.left ?? [];
      const plans = await plansFor(parts, since, own.to, left);
      if (plans.length === 0) return movedAlone(await swap(moves));
      for (const { path, versions } of plans) mayStand(path, versions.at(-1) !== undefined);
      const ready = await judge(plans);
      const mine = new Set((await parts.changes(own.from, own.to)).map(({ path }) => path));
      const edited = editedAmong(ready.judged.filter(({ path }) => mine.has(path)));
      // A file that another move has just brought up is no edit: that the ref has moved is the truer answer.
      const actual = await refs.resolve(own.ref);
      if (actual !== own.from) return { kind: "stale", ref: own.ref, actual };
      if (edited.length > 0) return { kind: "edited", paths: edited };
      passing("repo.move.checked");
      const pending: Pending = { ref: own.ref, to: own.to, since, left };
      // At once, because neither needs the other: a record of a commit that a crash took is one of a move that never was.
      await bothDone(parts.settle([own.to]), record.announce({ commit: own.from, pending }));
      const swapped = await swap(moves);
      if (swapped.kind === "stale") {
        await record.settle(
          before ? { commit: undefined, pending: before.pending } : { commit: own.from, pending: undefined },
        );
        return swapped;
      }
      // From here on the ref has moved: whatever goes wrong now is told, not thrown, and tried again.
      let why = lockHeld;
      if (lock) {
        try {
          return { kind: "moved", followed: await pass(pending, own.to, ready) };
        } catch (error) {
          why = diskWhy(error);
        }
      }
      unlocked = pending;
      retryLater();
      waiting = plans.map(({ path }) => ({ path, why }));
      return { kind: "moved", followed: { written: [], behind: waiting } };
    };
    return lock ? released(lock, work) : work();
  }

  return {
    move: (moves, own, swap) => inTurn(() => move(moves, own, swap)),
    follow: () => inTurn(followNow),
    edited: (paths) => editedNow(paths.map(repoPath)),
    behind: () => [...waiting, ...met.values()],
    async close() {
      closed = true;
      clearTimeout(timer);
      await turn;
    },
  };
}

const OURS = /^\.(?:bloom|git)$/i;

const notText = (path: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the work tree cannot follow: the name ${JSON.stringify(path)} is not UTF-8`,
      uk: `робоча тека не може піти слідом: назва ${JSON.stringify(path)} не в UTF-8`,
    },
    {
      hint: {
        en: "Rename that file with git where it came from.",
        uk: "Перейменуйте цей файл за допомогою git там, звідки він прийшов.",
      },
      details: { path },
    },
  );

async function released<T>(lock: IndexLock, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    await lock.release();
    passing("repo.follow.unlocked");
  }
}

/** Neither goes on behind the caller's back when the other fails. */
async function bothDone(...work: readonly Promise<void>[]): Promise<void> {
  for (const each of await Promise.allSettled(work)) if (each.status === "rejected") throw each.reason;
}

const editedAmong = (judged: readonly Verdict[]): string[] =>
  judged.filter(({ file, index }) => file === "edited" || index === "edited").map(({ path }) => path);

export const movedAlone = (swapped: Awaited<ReturnType<Swap>>): Moved =>
  swapped.kind === "stale" ? swapped : { kind: "moved", followed: NOTHING };

const lockHeld: Text = {
  en: "another git command holds .git/index.lock; it is tried again",
  uk: "інша команда git тримає .git/index.lock; спроба повториться",
};
