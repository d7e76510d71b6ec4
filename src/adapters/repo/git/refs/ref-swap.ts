import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Failure } from "../../../../base/failure.ts";
import type { World } from "../../../../base/world.ts";
import type { Oid, RefName } from "../../../../domain/git/git-names.ts";
import type { RefMove } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { removeStaleLocks } from "../upkeep/stale-locks.ts";
import { halfMoved, isDiskFull, nameTakenBy, refsStuck } from "./failures.ts";
import type { RefReader } from "./ref-reader.ts";
import type { RefTransactions } from "./ref-transaction.ts";

export type RefsSwapped =
  | { readonly kind: "swapped" }
  | { readonly kind: "stale"; readonly ref: RefName; readonly actual: Oid | undefined };

/**
 * Compare-and-swap of refs, all or none. Durable when it resolves. Calls `whenPrepared` under the locks of the refs, right before
 * they move; again if the swap has to be retried.
 */
export type RefSwap = (moves: readonly RefMove[], whenPrepared?: () => Promise<void>) => Promise<RefsSwapped>;

const MAX_WAIT_MS = 2_000;
const LONGEST_PAUSE_MS = 50;

export interface RefSwapDeps {
  readonly refs: RefReader;
  readonly transactions: RefTransactions;
  readonly gitDir: string;
  readonly commonDir: string;
  readonly syncFolder: FolderSync;
  readonly world: World;
}

export function refSwap({ refs, transactions, gitDir, commonDir, syncFolder, world }: RefSwapDeps): RefSwap {
  const valuesOf = (moves: readonly RefMove[]): Promise<(Oid | undefined)[]> =>
    Promise.all(moves.map(({ ref }) => refs.resolve(ref)));

  return async (moves, whenPrepared) => {
    let until = performance.now() + MAX_WAIT_MS;
    let unlocked = false;
    const folders = foldersOf(moves, commonDir);
    for (let tries = 0; ; tries++) {
      // Read first: git exits on a wrong value, and a restart costs more than reading a file.
      const before = await valuesOf(moves);
      const changed = moves.findIndex(({ from }, index) => before[index] !== from);
      if (changed >= 0) return { kind: "stale", ref: moves[changed]!.ref, actual: before[changed] };
      repoCrashPoint("repo.move.before-swap");
      const outcome = await transactions.run(moves, whenPrepared);
      if (outcome.kind === "done") break;
      if (outcome.kind === "unknown") {
        const after = await valuesOf(moves);
        if (moves.every(({ to }, index) => after[index] === to)) break;
        if (moves.some(({ to, from }, index) => after[index] === to && to !== from)) throw halfMoved(outcome.said);
      }
      if (outcome.kind === "refused" && isDiskFull(outcome.said)) throw refsStuck(moves, outcome.said);
      // Refused although the values fit: a lock is held, or the name is impossible. Retrying tells them apart.
      if (performance.now() > until) {
        // A killed git leaves its lock. It is removed once, if no process has it open, and the swap is retried.
        if (unlocked || (await removeStaleLocks(gitDir, commonDir, world)).length === 0)
          throw (await nameTaken(refs, moves)) ?? refsStuck(moves, outcome.said);
        unlocked = true;
        until = performance.now() + MAX_WAIT_MS;
      }
      if (tries === 2) {
        const taken = await nameTaken(refs, moves);
        if (taken) throw taken;
      }
      await delay(Math.min(LONGEST_PAUSE_MS, 2 ** tries) * (0.5 + world.random(1)[0]! / 255));
    }
    repoCrashPoint("repo.move.after-swap");
    await Promise.all(folders.map((folder) => syncIfThere(folder, syncFolder)));
    repoCrashPoint("repo.move.after-ref-sync");
    return { kind: "swapped" };
  };
}

/** Folders whose entries a move changes: those of the refs, new ones above them, and that of packed-refs. */
function foldersOf(moves: readonly RefMove[], commonDir: string): string[] {
  const folders = new Set<string>();
  for (const { ref, to } of moves) {
    if (to === undefined) folders.add(commonDir);
    for (let folder = dirname(join(commonDir, ref)); folder.length > commonDir.length; folder = dirname(folder)) {
      folders.add(folder);
      if (existsSync(folder)) break;
    }
  }
  return [...folders];
}

async function syncIfThere(folder: string, syncFolder: FolderSync): Promise<void> {
  try {
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // git removes emptied folders
    // The refs have moved, but a power cut may undo it.
    throw diskFailure(error, "unknown");
  }
}

/** Throws if a new ref cannot be made because of the name of another. */
export async function refuseTakenNames(refs: RefReader, moves: readonly RefMove[]): Promise<void> {
  const taken = await nameTaken(refs, moves);
  if (taken) throw taken;
}

/** `a` and `a/b` cannot both be refs. */
async function nameTaken(refs: RefReader, moves: readonly RefMove[]): Promise<Failure | undefined> {
  for (const { ref, from, to } of moves) {
    if (from !== undefined || to === undefined) continue;
    const parts = ref.split("/");
    const above = parts.slice(3).map((_, index) => parts.slice(0, index + 3).join("/"));
    const below = (await refs.refs(`${ref}/`))[0]?.name;
    const existing = await Promise.all(above.map(async (name) => ((await refs.resolve(name)) ? name : undefined)));
    const other = below ?? existing.find((name) => name !== undefined);
    if (other === undefined) continue;
    return nameTakenBy(ref, other);
  }
  return undefined;
}
