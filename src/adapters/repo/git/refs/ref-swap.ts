import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Failure } from "../../../../base/failure.ts";
import type { World } from "../../../../base/world.ts";
import type { Oid, RefName } from "../../../../domain/git/git-names.ts";
import type { RefMove } from "../../../../ports/repo.ts";
import { repoCrashPoint } from "../crash-points.ts";
import { diskFailure } from "../disk/disk-failure.ts";
import type { FolderSync } from "../disk/folder-sync.ts";
import { gitFailed } from "../process/git-process.ts";
import { removeStaleLocks } from "../upkeep/stale-locks.ts";
import type { RefReader } from "./ref-reader.ts";
import type { RefTransactions } from "./ref-transaction.ts";

export type RefsSwapped =
  | { readonly kind: "swapped" }
  | { readonly kind: "stale"; readonly ref: RefName; readonly actual: Oid | undefined };

/** Compares and swaps refs, all or none, and answers when the result survives a power cut. */
export type RefSwap = (moves: readonly RefMove[]) => Promise<RefsSwapped>;

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

  return async (moves) => {
    let until = performance.now() + MAX_WAIT_MS;
    let mended = false;
    const folders = await foldersOf(moves, commonDir);
    for (let tries = 0; ; tries++) {
      // Looked at first, because git dies over a wrong value and starting it again costs more than reading a file.
      const before = await valuesOf(moves);
      const changed = moves.findIndex(({ from }, index) => before[index] !== from);
      if (changed >= 0) return { kind: "stale", ref: moves[changed]!.ref, actual: before[changed] };
      repoCrashPoint("repo.move.before-swap");
      const outcome = await transactions.run(moves);
      if (outcome.kind === "done") break;
      if (outcome.kind === "unknown") {
        const after = await valuesOf(moves);
        if (moves.every(({ to }, index) => after[index] === to)) break;
        if (moves.some(({ to, from }, index) => after[index] === to && to !== from)) throw halfMoved(outcome.said);
      }
      if (outcome.kind === "refused" && noRoom(outcome.said)) throw refsStuck(moves, outcome.said);
      // Refused, and the values still look right: a lock is held, or the name cannot be. Told apart by looking again.
      if (performance.now() > until) {
        // A git that was killed leaves its lock. Removed once, if nobody has it open, and tried once more.
        if (mended || (await removeStaleLocks(gitDir, commonDir, world)).length === 0)
          throw (await nameTaken(refs, moves)) ?? refsStuck(moves, outcome.said);
        mended = true;
        until = performance.now() + MAX_WAIT_MS;
      }
      if (tries === 2) {
        const taken = await nameTaken(refs, moves);
        if (taken) throw taken;
      }
      await delay(Math.min(LONGEST_PAUSE_MS, 2 ** tries) * (0.5 + world.random(1)[0]! / 255));
    }
    repoCrashPoint("repo.move.after-swap");
    await Promise.all(folders.map((folder) => synced(folder, syncFolder)));
    repoCrashPoint("repo.move.after-ref-sync");
    return { kind: "swapped" };
  };
}

/** Folders whose entries a move changes: those of the refs, those above that are new, and that of packed-refs. */
async function foldersOf(moves: readonly RefMove[], commonDir: string): Promise<string[]> {
  const folders = new Set<string>();
  for (const { ref, to } of moves) {
    if (to === undefined) folders.add(commonDir);
    for (let folder = dirname(join(commonDir, ref)); folder.length > commonDir.length; folder = dirname(folder)) {
      folders.add(folder);
      if (await isThere(folder)) break;
    }
  }
  return [...folders];
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

async function synced(folder: string, syncFolder: FolderSync): Promise<void> {
  try {
    await syncFolder(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return; // git removes folders that it empties
    // The refs have moved, but nobody can say whether a power cut would undo it.
    throw diskFailure(error, "unknown");
  }
}

/** `a` and `a/b` cannot both be refs. */
async function nameTaken(refs: RefReader, moves: readonly RefMove[]): Promise<Failure | undefined> {
  for (const { ref, from, to } of moves) {
    if (from !== undefined || to === undefined) continue;
    const parts = ref.split("/");
    const above = parts.slice(3).map((_, index) => parts.slice(0, index + 3).join("/"));
    const below = (await refs.refs(`${ref}/`))[0]?.name;
    const standing = await Promise.all(above.map(async (name) => ((await refs.resolve(name)) ? name : undefined)));
    const other = below ?? standing.find((name) => name !== undefined);
    if (other === undefined) continue;
    return new Failure(
      "VALIDATION_FAILED",
      {
        en: `${ref} cannot be made because ${other} exists: one name may not lie inside another`,
        uk: `${ref} не можна створити, бо є ${other}: одна назва не може лежати всередині іншої`,
      },
      { details: { ref, other } },
    );
  }
  return undefined;
}

/** Waiting does not help. Of a lock file that it made and could not fill, git does not say why: there was no room. */
const noRoom = (said: string): boolean => /No space left|quota exceeded|couldn't write/i.test(said);

/** A disk that cannot be written, or a lock that was waited for in vain. */
const refsStuck = (moves: readonly RefMove[], said: string): Failure =>
  noRoom(said) || /Read-only file system|Permission denied|Input\/output error/i.test(said)
    ? gitFailed(["update-ref"], "refs", said)
    : refsBusy(moves, said);

const refsBusy = (moves: readonly RefMove[], said: string): Failure =>
  new Failure(
    "CONCURRENT_MODIFICATION",
    {
      en: `git did not let us move ${moves.map(({ ref }) => ref).join(", ")}: ${said || "a lock is held"}`,
      uk: `git не дав пересунути ${moves.map(({ ref }) => ref).join(", ")}: ${said || "замок зайнято"}`,
    },
    {
      hint: {
        en: "Another git command is at work, or one was killed and left a .lock file under .git/refs. Try again when it is done.",
        uk: "Працює інша команда git, або її було вбито і в .git/refs лишився файл .lock. Спробуйте ще раз, коли вона завершиться.",
      },
      details: { refs: moves.map(({ ref }) => ref) },
    },
  );

const halfMoved = (said: string): Failure =>
  new Failure(
    "UPSTREAM_UNAVAILABLE",
    {
      en: `git ended while it moved refs, and only some of them moved: ${said}`,
      uk: `git завершився під час пересування посилань, пересунулися лише деякі: ${said}`,
    },
    { details: { part: "git" }, outcome: "unknown" },
  );
