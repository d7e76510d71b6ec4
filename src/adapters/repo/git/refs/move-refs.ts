import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Failure } from "../../../../base/failure.ts";
import { type Oid, type RefName, refName } from "../../../../domain/git/git-names.ts";
import type { Moved, RefMove } from "../../../../ports/repo.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import { readIfThere } from "../disk/small-file.ts";
import { objectNotFound } from "../objects/failures.ts";
import type { ObjectReader } from "../objects/object-reader.ts";
import { type WorkTreeFollower, withoutWorkTree } from "../work-tree/work-tree-follower.ts";
import type { RefReader } from "./ref-reader.ts";
import type { RefSwap } from "./ref-swap.ts";

export interface MoveDeps {
  readonly reader: ObjectReader;
  readonly refs: RefReader;
  readonly swap: RefSwap;
  /** Puts on disk what these commits need and what was held back until now. */
  makeDurable(commits: readonly Oid[]): Promise<void>;
  readonly gitDir: string;
  readonly commonDir: string;
  /** Undefined in a bare repository. */
  readonly follower: WorkTreeFollower | undefined;
}

/** Checks a move, and takes the way with or without a work tree that follows. */
export async function moveRefs(parts: MoveDeps, moves: readonly RefMove[]): Promise<Moved> {
  const { reader, refs, swap, follower } = parts;
  for (const { ref } of moves) refName(ref);
  if (new Set(moves.map(({ ref }) => ref)).size < moves.length)
    throw refused("one ref twice", "те саме посилання двічі");
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
    if (to === undefined) throw refused("the deletion of the checked-out branch", "видалення поточної гілки");
    const actual = await refs.resolve(own.ref);
    if (actual !== own.from) return { kind: "stale", ref: own.ref, actual };
    return await follower.move(moves, { ...own, to }, durably);
  } catch (error) {
    throw diskFailure(error);
  }
}

/** A ref to a missing object would stop every later gc; a branch to anything but a commit, every checkout. */
async function checkTarget(reader: ObjectReader, { ref, to }: RefMove): Promise<void> {
  if (to === undefined) return;
  const type = await reader.typeOf(to);
  if (type === undefined || (type !== "commit" && ref.startsWith("refs/heads/"))) throw objectNotFound("commit", to);
}

/** At its end a rebase puts the branch where it thinks best; what was committed meanwhile would hang in the air. */
function refuseWhileRebasing(gitDir: string, moves: readonly RefMove[]): void {
  for (const folder of ["rebase-merge", "rebase-apply"]) {
    const name = readIfThere(join(gitDir, folder, "head-name"))?.trimEnd();
    if (moves.some(({ ref }) => ref === name)) throw rebasing(name!);
  }
}

/**
 * A branch that is checked out in another work tree of the same repository: its index would not know of our commit, and the next
 * commit by hand there would revert it. Git itself refuses to move such a branch.
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

const checkedOutElsewhere = (ref: RefName): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    { en: `${ref} is checked out in another work tree`, uk: `${ref} відкрито в іншій робочій теці` },
    {
      hint: {
        en: "Go to another branch there, or remove it with “git worktree remove”, and try again.",
        uk: "Перейдіть там на іншу гілку або приберіть її («git worktree remove») і повторіть.",
      },
      details: { ref },
    },
  );

const rebasing = (ref: RefName): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    { en: `a rebase of ${ref} is under way`, uk: `триває rebase гілки ${ref}` },
    {
      hint: {
        en: "Finish it with “git rebase --continue”, or drop it with “git rebase --abort”, and try again.",
        uk: "Завершіть його («git rebase --continue») або скасуйте («git rebase --abort») і повторіть.",
      },
      details: { ref, underWay: "rebase" },
    },
  );

const refused = (en: string, uk: string): Failure =>
  new Failure("VALIDATION_FAILED", { en: `refs cannot move so: ${en}`, uk: `посилання так не пересунути: ${uk}` });
