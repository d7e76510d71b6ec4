import type { Oid } from "../../domain/git/git-names.ts";
import { SESSION_BRANCHES, SESSION_DOSSIERS, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { runSessionNames } from "../../domain/session/session-name.ts";
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
        fields: { ...about, slug: place.slug, logic: logic ?? undefined },
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

const namesOf = ({ slug, run }: RunPlace): readonly string[] => runSessionNames(slug, run);

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

/** The sessions of many runs, by run: two listings of refs, and each dossier is read once in the life of the process. */
export async function runSessionsOf(repo: Repo, places: readonly RunPlace[]): Promise<ReadonlyMap<string, RunSession>> {
  if (places.length === 0) return new Map();
  const [heads, dossiers] = await Promise.all([refsBelow(repo, SESSION_BRANCHES), refsBelow(repo, SESSION_DOSSIERS)]);
  const found = new Map<string, RunSession>();
  await Promise.all(
    places.map(async (place) => {
      for (const name of namesOf(place)) {
        const [head, dossier] = [heads.get(name), dossiers.get(name)];
        const spawn = head === undefined || dossier === undefined ? undefined : await spawnIn(repo, dossier);
        if (head === undefined || spawn?.run !== place.run) continue;
        found.set(place.run, { name, head, genesis: spawn.genesis });
        return;
      }
    }),
  );
  return found;
}

const refsBelow = async (repo: Repo, prefix: string): Promise<ReadonlyMap<string, Oid>> =>
  new Map((await repo.refs(prefix)).map(({ name, oid }) => [name.slice(prefix.length), oid]));

/** The spawn commit that the dossier of a session names, if that session is the run's. */
async function spawnOf(repo: Repo, name: string, { run }: RunPlace): Promise<Oid | undefined> {
  const dossier = await repo.resolve(sessionDossier(name));
  const spawn = dossier === undefined ? undefined : await spawnIn(repo, dossier);
  return spawn?.run === run ? spawn.genesis : undefined;
}

interface SpawnOfRun {
  readonly genesis: Oid;
  readonly run: unknown;
}

/** Commits do not change, so a dossier is read once. */
const spawns = new WeakMap<Repo, Map<Oid, SpawnOfRun | undefined>>();

async function spawnIn(repo: Repo, dossier: Oid): Promise<SpawnOfRun | undefined> {
  const known = spawns.get(repo) ?? new Map<Oid, SpawnOfRun | undefined>();
  spawns.set(repo, known);
  if (known.has(dossier)) return known.get(dossier);
  const genesis = decodeSystemCommit((await repo.commit(dossier)).message, "dossier")?.["spawn"];
  const typed = typeof genesis === "string" ? decodeTypedCommit((await repo.commit(genesis)).message) : undefined;
  const found =
    typeof genesis === "string" && typed?.kind === "spawn" ? { genesis, run: typed.fields["run"] } : undefined;
  known.set(dossier, found);
  return found;
}
