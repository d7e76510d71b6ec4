import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { type Oid, refName } from "../../../../domain/git/git-names.ts";
import type { Moved, RefMove } from "../../../../ports/repo.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import { readIfThere } from "../disk/small-file.ts";
import { objectNotFound } from "../objects/failures.ts";
import type { ObjectReader } from "../objects/object-reader.ts";
import { type WorkTreeFollower, withoutWorkTree } from "../work-tree/work-tree-follower.ts";
import { checkedOutElsewhere, moveRefused, rebaseUnderWay } from "./failures.ts";
import type { RefReader } from "./ref-reader.ts";
import type { RefSwap } from "./ref-swap.ts";

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
}

/** Checks a move, then swaps the refs, with the work tree following if the checked-out branch is among them. */
export async function moveRefs(parts: MoveDeps, moves: readonly RefMove[]): Promise<Moved> {
  const { reader, refs, swap, follower } = parts;
  for (const { ref } of moves) refName(ref);
  if (new Set(moves.map(({ ref }) => ref)).size < moves.length)
    throw moveRefused("one ref twice", "те саме посилання двічі");
  await Promise.all(moves.map((move) => checkTarget(reader, move)));
  if (moves.length === 0) return withoutWorkTree({ kind: "swapped" });
  refuseWhileRebasing(parts.gitDir, moves);
  refuseElsewhere(parts, moves);
  const branch = follower && (await refs.branch());
  const own = moves.find(({ ref }) => ref === branch);
  const durably: RefSwap = async (each) => {
    await parts.makeDurable(each.flatMap(({ to }) => to ?? []));
    return swap(each);
  };
  try {
    if (!follower || !own) return withoutWorkTree(await durably(moves));
    const { to } = own;
    if (to === undefined) throw moveRefused("the deletion of the checked-out branch", "видалення поточної гілки");
    const actual = await refs.resolve(own.ref);
    if (actual !== own.from) return { kind: "stale", ref: own.ref, actual };
    return await follower.move(moves, { ...own, to }, durably);
  } catch (error) {
    throw diskFailure(error);
  }
}

/** A ref to a missing object breaks every later gc; a branch that names no commit, every checkout. */
async function checkTarget(reader: ObjectReader, { ref, to }: RefMove): Promise<void> {
  if (to === undefined) return;
  const type = await reader.typeOf(to);
  if (type === undefined || (type !== "commit" && ref.startsWith("refs/heads/"))) throw objectNotFound("commit", to);
}

/** A rebase sets the branch at its end, which would orphan commits made meanwhile. */
function refuseWhileRebasing(gitDir: string, moves: readonly RefMove[]): void {
  for (const folder of ["rebase-merge", "rebase-apply"]) {
    const name = readIfThere(join(gitDir, folder, "head-name"))?.trimEnd();
    if (moves.some(({ ref }) => ref === name)) throw rebaseUnderWay(name!);
  }
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
