import type { Oid } from "../../domain/git/git-names.ts";
import { headOf } from "../core/main-head.ts";
import { noCommitAt, severalCommitsLike, spawnPlaces, spawnTaken } from "./failures.ts";
import type { SessionGarden } from "./session-garden.ts";
import { type Spawned, spawnSession, spawnSessionAt, spawnSessionFrom } from "./spawn-session.ts";

export interface SessionStart {
  readonly name: string;
  readonly goal: string;
  /** Begin where this session is, as its sub-agent. */
  readonly from?: string | undefined;
  /** Begin at this commit: its id, or the first digits of it. */
  readonly at?: string | undefined;
  /** Begin without files. */
  readonly empty?: boolean | undefined;
}

/** S-2: a new session by the owner's wish, at main unless told otherwise. Throws DUPLICATE_ENTRY if the name is taken. */
export async function startSession(
  garden: SessionGarden,
  { name, goal, from, at, empty = false }: SessionStart,
): Promise<Extract<Spawned, { kind: "spawned" }>> {
  if ([from !== undefined, at !== undefined, empty].filter(Boolean).length > 1) throw spawnPlaces();
  const wish = { name, briefing: { goal } };
  const spawned =
    from !== undefined
      ? await spawnSessionFrom(garden, from, wish)
      : empty
        ? await spawnSession(garden, wish)
        : await spawnSessionAt(
            garden,
            at === undefined ? await headOf(garden.repo) : await oneCommit(garden, at),
            wish,
          );
  if (spawned.kind === "conflict") throw spawnTaken(name, spawned.ref);
  return spawned;
}

/** The commit of an id or its first digits. Throws NOT_FOUND, and VALIDATION_FAILED if several begin so. */
export async function oneCommit({ repo }: Pick<SessionGarden, "repo">, written: string): Promise<Oid> {
  const found = /^[0-9a-f]{4,40}$/.test(written) ? await repo.commitsLike(written) : [];
  if (found.length > 1) throw severalCommitsLike(written, found);
  if (found[0] === undefined) throw noCommitAt(written);
  return found[0];
}
