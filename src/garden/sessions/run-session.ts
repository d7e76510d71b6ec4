import type { Oid } from "../../domain/git/git-names.ts";
import { sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { runSessionName } from "../../domain/session/session-name.ts";
import { decodeSystemCommit, decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import type { Repo } from "../../ports/repo.ts";
import type { RunPlace } from "../core/flow/journal.ts";
import { runNamesTaken } from "./failures.ts";
import { landRefs } from "./land-refs.ts";
import type { SessionGarden } from "./session-garden.ts";
import { spawnSessionAt } from "./spawn-session.ts";

/** S-11: the branch that a run works on. */
export interface RunSession {
  readonly name: string;
  /** The newest commit of the branch. */
  readonly head: Oid;
  /** The spawn commit. */
  readonly genesis: Oid;
}

export interface RunSessionWish {
  /** O-3a: the commit that the run is pinned to. */
  readonly at: Oid;
  /** In words, for people who see only the branch. */
  readonly goal: string;
  /** Hash of the contract. */
  readonly contract: string;
  readonly logic: string | null;
  readonly behaviour: string | null;
  readonly trigger: string;
  /** The session of the run that asked for this one: the new session is its sub-agent. */
  readonly parent?: string;
}

/** Two runs of one agent with one suffix are rare, three do not happen. */
const MAX_NAMES = 3;

/**
 * The session of a run, spawned if it does not exist. Idempotent: the spawn commit names the run, so a second call, or a second process,
 * finds the first one's session. A dossier without its branch, left by a crash inside the transaction, gets its branch back.
 */
export async function openRunSession(
  garden: SessionGarden,
  place: RunPlace,
  { at, goal, contract, logic, behaviour, trigger, parent }: RunSessionWish,
): Promise<RunSession> {
  const { repo } = garden;
  const about = { run: place.run, contract, logic, trigger };
  for (;;) {
    const known = await runSessionOf(repo, place);
    if (known) return known;
    const { name, genesis } = await firstFreeName(repo, place);
    if (genesis !== undefined) {
      await landRefs(garden, [{ ref: sessionBranch(name), from: undefined, to: genesis, reason: "bloom spawn" }]);
      continue;
    }
    const spawned = await spawnSessionAt(
      garden,
      at,
      {
        name,
        briefing: { goal, agent: place.slug, ...about },
        ...(behaviour !== null && { behaviour }),
        fields: { ...about, logic: logic ?? undefined },
      },
      parent,
    );
    if (spawned.kind === "spawned") return { name, head: spawned.commit, genesis: spawned.commit };
  }
}

/** The session of a run; undefined if it has none. A few reads, however many sessions there are. */
export async function runSessionOf(repo: Repo, place: RunPlace): Promise<RunSession | undefined> {
  for (const name of namesOf(place)) {
    const head = await repo.resolve(sessionBranch(name));
    const genesis = head === undefined ? undefined : await spawnOf(repo, name, place);
    if (head !== undefined && genesis !== undefined) return { name, head, genesis };
  }
  return undefined;
}

const namesOf = ({ slug, run }: RunPlace): readonly string[] =>
  Array.from({ length: MAX_NAMES }, (_, index) => runSessionName(slug, run, index + 1));

/** The first name that nobody has, or whose dossier is this run's (`genesis`). */
async function firstFreeName(
  repo: Repo,
  place: RunPlace,
): Promise<{ readonly name: string; readonly genesis: Oid | undefined }> {
  for (const name of namesOf(place)) {
    const refs = await Promise.all([repo.resolve(sessionDossier(name)), repo.resolve(sessionBranch(name))]);
    if (refs.every((at) => at === undefined)) return { name, genesis: undefined };
    const genesis = await spawnOf(repo, name, place);
    if (genesis !== undefined) return { name, genesis };
  }
  throw runNamesTaken(namesOf(place));
}

/** The spawn commit that the dossier of a session names, if that session is the run's. */
async function spawnOf(repo: Repo, name: string, { run }: RunPlace): Promise<Oid | undefined> {
  const dossier = await repo.resolve(sessionDossier(name));
  if (dossier === undefined) return undefined;
  const spawn = decodeSystemCommit((await repo.commit(dossier)).message, "dossier")?.["spawn"];
  if (typeof spawn !== "string") return undefined;
  const typed = decodeTypedCommit((await repo.commit(spawn)).message);
  return typed?.kind === "spawn" && typed.fields["run"] === run ? spawn : undefined;
}
