import { setTimeout as delay } from "node:timers/promises";
import type { Text } from "../../base/text.ts";
import type { Oid, RefName } from "../../domain/git/git-names.ts";
import type { RefMove } from "../../ports/repo.ts";
import { gitBusy } from "../core/git-busy.ts";
import { refsContended } from "./failures.ts";
import type { SessionGarden } from "./session-garden.ts";

const MAX_TRIES = 200;
const LONGEST_PAUSE_MS = 60;
/** A git command of a person rarely takes longer. */
const BUSY_TRIES = 50;
const BUSY_PAUSE_MS = 40;

export type Landed =
  | { readonly kind: "landed" }
  | { readonly kind: "stale"; readonly ref: RefName; readonly actual: Oid | undefined };

/** Moves refs, all or none. Waits for a git command that a person runs; throws CONCURRENT_MODIFICATION if it does not end. */
export async function landRefs({ repo }: Pick<SessionGarden, "repo">, moves: readonly RefMove[]): Promise<Landed> {
  let why: Text | undefined;
  for (let tries = 0; tries < BUSY_TRIES; tries++) {
    const moved = await repo.move(moves);
    if (moved.kind === "moved") return { kind: "landed" };
    if (moved.kind === "stale") return moved;
    why = moved.kind === "busy" ? moved.why : editedThere(moved.paths);
    await delay(BUSY_PAUSE_MS);
  }
  throw gitBusy(why!);
}

/** A person has the session's branch checked out and changed these files. */
const editedThere = (paths: readonly string[]): Text => ({
  en: `the branch is checked out, and these files have uncommitted edits: ${paths.join(", ")}`,
  uk: `гілку відкрито, і в цих файлах є незакомічені зміни: ${paths.join(", ")}`,
});

/**
 * Tries until `attempt` gives a result; undefined means that another process moved a ref first, and that trying again is right.
 * `refs` are named in the failure after too many tries.
 */
export async function untilLanded<T>(
  { world }: Pick<SessionGarden, "world">,
  refs: readonly RefName[],
  attempt: () => Promise<T | undefined>,
): Promise<T> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const result = await attempt();
    if (result !== undefined) return result;
    await delay(Math.min(LONGEST_PAUSE_MS, 2 + tries * 2) * (world.random(1)[0]! / 255));
  }
  throw refsContended(refs);
}
