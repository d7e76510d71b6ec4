import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Text } from "../../../../base/text.ts";
import { type Oid, type RefName, refName } from "../../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import type { Held, Moved, RefMove, RefStore } from "../../../../ports/repo.ts";
import type { Authority, Published } from "../authority/authority-port.ts";
import { publishedSwap, refreshAfter } from "../authority/published-swap.ts";
import { mainNotFollowed, takenThere } from "../authority/remote-problem.ts";
import { isSharedRef } from "../authority/shared-refs.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import { readIfThere } from "../disk/small-file.ts";
import { objectNotFound } from "../objects/failures.ts";
import type { ObjectReader } from "../objects/object-reader.ts";
import { lockHeld } from "../work-tree/failures.ts";
import { indexLockHolder } from "../work-tree/index-lock.ts";
import {
  type HeldWorkTree,
  type OwnMove,
  type WorkTreeFollower,
  withoutWorkTree,
} from "../work-tree/work-tree-follower.ts";
import { checkedOutElsewhere, moveRefused, rebaseUnderWay } from "./failures.ts";
import type { RefReader } from "./ref-reader.ts";
import { type RefSwap, refuseTakenNames } from "./ref-swap.ts";

export interface MoveDeps {
  readonly reader: ObjectReader;
  readonly refs: RefReader;
  readonly swap: RefSwap;
  /** Writes and syncs these commits with everything they need, where that was deferred. */
  makeDurable(commits: readonly Oid[]): Promise<void>;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Undefined in a bare repository. */
  readonly follower: WorkTreeFollower | undefined;
  /** The remote that shared refs are pushed to before they move here. */
  readonly authority: Authority | undefined;
}

/**
 * Checks a move, then swaps the refs, with the work tree following if the checked-out branch is among them. A branch moves under
 * git's `index.lock` even if another one is checked out: a `git checkout` of it may be running.
 */
export async function moveRefs(parts: MoveDeps, moves: readonly RefMove[], held?: HeldWorkTree): Promise<Moved> {
  for (const { ref } of moves) refName(ref);
  if (new Set(moves.map(({ ref }) => ref)).size < moves.length)
    throw moveRefused("one ref twice", "те саме посилання двічі");
  await Promise.all(moves.map((move) => checkTarget(parts.reader, move)));
  if (moves.length === 0) return withoutWorkTree({ kind: "swapped" });
  try {
    if (held) return await moveUnderLock(parts, moves, held);
    if (!parts.follower || !moves.some(({ ref }) => ref.startsWith("refs/heads/")))
      return await moveWithoutTree(parts, moves, undefined);
    if (moves.some(({ ref }) => ref === MAIN_REF)) await parts.authority?.turn();
    const answer = await parts.follower.hold((tree) => moveUnderLock(parts, moves, tree));
    return answer.kind === "held" ? answer.result : answer;
  } catch (error) {
    throw diskFailure(error);
  }
}

/** Runs `work` under git's `index.lock`, with a function that moves refs under it. In a bare repository there is no such lock. */
export async function holdBranch<T>(
  parts: MoveDeps,
  ref: RefName,
  work: (move: RefStore["move"]) => Promise<T>,
): Promise<Held<T>> {
  const { follower, authority } = parts;
  const blocked = isSharedRef(ref) ? authority?.blocked() : undefined;
  if (blocked) return { kind: "busy", why: blocked };
  if (ref === MAIN_REF) await authority?.turn();
  if (!follower) return { kind: "held", result: await work((moves) => moveRefs(parts, moves)) };
  const answer = await follower.hold(async (tree): Promise<Held<T>> => {
    const rebase = rebaseOf(parts.gitDir, [ref]);
    if (rebase) return { kind: "busy", why: rebase };
    const result = authority
      ? await authority.during(tree, (seat) => work((moves) => seat((held) => moveRefs(parts, moves, held))))
      : await work((moves) => moveRefs(parts, moves, tree));
    return { kind: "held", result };
  });
  return answer.kind === "held" ? answer.result : answer;
}

/** The reason why this branch cannot move now. */
export async function branchBusy({ follower, gitDir, authority }: MoveDeps, ref: RefName): Promise<Text | undefined> {
  const blocked = isSharedRef(ref) ? authority?.blocked() : undefined;
  if (!follower || blocked) return blocked;
  return rebaseOf(gitDir, [ref]) ?? ((await indexLockHolder(gitDir)) === "git" ? lockHeld : undefined);
}

const swapDurably =
  (parts: MoveDeps): RefSwap =>
  async (moves, whenPrepared) => {
    await parts.makeDurable(moves.flatMap(({ to }) => to ?? []));
    return parts.swap(moves, whenPrepared);
  };

/** Moves refs that no work tree follows. `tree`: the work tree, if it is held. */
async function moveWithoutTree(
  parts: MoveDeps,
  moves: readonly RefMove[],
  tree: HeldWorkTree | undefined,
): Promise<Moved> {
  const { authority } = parts;
  const shared = moves.filter(({ ref }) => isSharedRef(ref));
  if (!authority || shared.length === 0) return withoutWorkTree(await swapDurably(parts)(moves));
  const stale = await staleHere(parts, moves);
  if (stale) return stale;
  await refuseTakenNames(parts.refs, moves);
  await parts.makeDurable(moves.flatMap(({ to }) => to ?? []));
  const swapped = await publishedSwap(authority, parts.swap, moves, tree);
  const hasMain = shared.some(({ ref }) => ref === MAIN_REF);
  if (swapped.kind === "busy") return swapped;
  if (swapped.kind === "stale") {
    if (hasMain) await authority.integrate(tree);
    return swapped;
  }
  if (!hasMain) await refreshAfter(authority, tree);
  return withoutWorkTree(swapped);
}

/** The first ref that has another value here than the move names. */
async function staleHere(
  { refs }: MoveDeps,
  moves: readonly RefMove[],
): Promise<Extract<Moved, { kind: "stale" }> | undefined> {
  for (const { ref, from } of moves) {
    const actual = await refs.resolve(ref);
    if (actual !== from) return { kind: "stale", ref, actual };
  }
  return undefined;
}

/** Moves refs of this clone only, with work tree and index, to a value that the remote has already. */
export async function moveHere(
  parts: MoveDeps,
  moves: readonly RefMove[],
  tree: HeldWorkTree | undefined,
): Promise<Moved> {
  const local: MoveDeps = { ...parts, authority: undefined };
  return tree ? moveUnderLock(local, moves, tree) : withoutWorkTree(await swapDurably(local)(moves));
}

/** HEAD and the state of a rebase are read under the lock: git changes neither without it. */
async function moveUnderLock(parts: MoveDeps, moves: readonly RefMove[], tree: HeldWorkTree): Promise<Moved> {
  const rebase = rebaseOf(
    parts.gitDir,
    moves.map(({ ref }) => ref),
  );
  if (rebase) return { kind: "busy", why: rebase };
  refuseElsewhere(parts, moves);
  const branch = await parts.refs.branch();
  const own = moves.find(({ ref }) => ref === branch);
  if (!own) return moveWithoutTree(parts, moves, tree);
  const { to } = own;
  if (to === undefined) throw moveRefused("the deletion of the checked-out branch", "видалення поточної гілки");
  const actual = await parts.refs.resolve(own.ref);
  if (actual !== own.from) return { kind: "stale", ref: own.ref, actual };
  const { authority } = parts;
  if (!authority || !moves.some(({ ref }) => isSharedRef(ref)))
    return tree.move(moves, { ...own, to }, { swap: swapDurably(parts) });
  return movePublished(parts, authority, moves, { own: { ...own, to }, tree });
}

/** Pushes between the comparison with the work tree and its first change, then lets the work tree follow. */
async function movePublished(
  parts: MoveDeps,
  authority: Authority,
  moves: readonly RefMove[],
  { own, tree }: { readonly own: OwnMove; readonly tree: HeldWorkTree },
): Promise<Moved> {
  let published: Published | undefined;
  const isTaken = (): boolean => published?.kind === "accepted";
  const publish = async (): Promise<Moved | undefined> => {
    await parts.makeDurable(moves.flatMap(({ to }) => to ?? []));
    published = await authority.publish(moves);
    return published.kind === "accepted" ? undefined : published;
  };
  const swap: RefSwap = (given, whenPrepared) =>
    parts.swap(published?.kind === "accepted" ? published.local : given, whenPrepared);
  let moved: Moved;
  try {
    moved = await tree.move(moves, own, { publish, swap });
  } catch (error) {
    throw isTaken() ? takenThere(error) : error;
  }
  if (moved.kind === "moved" || moved.kind === "edited") return moved;
  if (moved.kind === "busy" && !isTaken()) return moved;
  await authority.integrate(tree);
  if (!isTaken()) return moved;
  // The refs here moved on without us (a fetch, a command by hand): the remote has the move either way.
  const blocked = authority.blocked();
  if (blocked) throw takenThere(mainNotFollowed(blocked));
  return withoutWorkTree({ kind: "swapped" });
}

/** A ref to a missing object breaks every later gc; a branch that names no commit, every checkout. */
async function checkTarget(reader: ObjectReader, { ref, to }: RefMove): Promise<void> {
  if (to === undefined) return;
  const type = await reader.typeOf(to);
  if (type === undefined || (type !== "commit" && ref.startsWith("refs/heads/"))) throw objectNotFound("commit", to);
}

/** The reason to wait for a rebase of one of these branches: it sets the branch at its end, and refuses to if we moved it. */
function rebaseOf(gitDir: string, refs: readonly RefName[]): Text | undefined {
  for (const folder of ["rebase-merge", "rebase-apply"]) {
    const name = readIfThere(join(gitDir, folder, "head-name"))?.trimEnd();
    if (name !== undefined && refs.includes(name)) return rebaseUnderWay(name);
  }
  return undefined;
}

/**
 * Throws for a branch that is checked out in another work tree of this repository: its index would not know our commit, and the
 * next commit by hand there would revert it. Git itself refuses such a move.
 */
function refuseElsewhere({ gitDir, commonDir }: MoveDeps, moves: readonly RefMove[]): void {
  const linked = join(commonDir, "worktrees");
  const names = existsSync(linked) ? readdirSync(linked) : [];
  for (const folder of [commonDir, ...names.map((name) => join(linked, name))]) {
    if (folder === gitDir || (folder === commonDir && names.length === 0)) continue;
    const ref = /^ref: (refs\/.+?)\s*$/.exec(readIfThere(join(folder, "HEAD")) ?? "")?.[1];
    const isBareHead = folder === commonDir && !existsSync(join(commonDir, "index"));
    if (ref !== undefined && !isBareHead && moves.some((move) => move.ref === ref)) throw checkedOutElsewhere(ref);
  }
}
