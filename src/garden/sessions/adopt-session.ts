import { crashPoint } from "../../base/crash-point.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_REF, sessionDossier } from "../../domain/layout.ts";
import { changeIdOf } from "../../domain/session/change-id.ts";
import { encodeTypedCommit } from "../../domain/session/typed-commit.ts";
import { briefingObject } from "../../domain/session/typed-object.ts";
import type { RefMove } from "../../ports/repo.ts";
import { landTraced } from "./commit-with-trace.ts";
import { buildDossier, type Dossier, readDossier, spawnFacts } from "./dossier.ts";
import { adoptNeedsGoal, headMoved } from "./failures.ts";
import { landRefs } from "./land-refs.ts";
import { type Rebound, rebindTraces } from "./rebind-traces.ts";
import { gatewaySignature, type SessionGarden, sessionAuthor } from "./session-garden.ts";
import { type SessionLog, sessionHead, sessionLog } from "./topology.ts";

export interface Adopted {
  readonly name: string;
  readonly head: Oid;
  /** `made`: the branch had no spawn commit of this session, and got one on top. */
  readonly genesis: "kept" | "made";
  readonly dossier: "kept" | "made" | "repaired";
  /** Commits of people in its log. */
  readonly byHand: number;
  readonly rebound: Rebound;
}

/**
 * S-2, S-6: takes a branch up again that a person worked on, rewrote or made with plain git. Its dossier is made or repaired; a branch without
 * a spawn commit of this session gets one on top, which says since where the branch is the session's; traces are bound again. What is whole
 * is left alone, so repeating it changes nothing. Throws NOT_FOUND without the branch, VALIDATION_FAILED if no goal is known.
 */
export async function adoptSession(
  garden: SessionGarden,
  { name, goal }: { readonly name: string; readonly goal?: string | undefined },
): Promise<Adopted> {
  const { repo } = garden;
  const head = await sessionHead(repo, name);
  const before = await sessionLog(repo, name);
  const dossier = await readDossier(repo, name);
  const done = before.genesis
    ? await repairDossier(garden, name, { genesis: before.genesis, dossier, goal })
    : await makeGenesis(garden, name, { head, dossier, goal });
  crashPoint("session.adopt.landed");
  const rebound = await rebindTraces(garden);
  const { commits } = await sessionLog(repo, name);
  return {
    name,
    head: await sessionHead(repo, name),
    genesis: before.genesis ? "kept" : "made",
    dossier: done,
    byHand: commits.filter(({ typed }) => typed === undefined).length,
    rebound,
  };
}

/** The dossier of a session whose branch has its spawn commit: a rebase gives that commit another id. */
export async function repairDossier(
  garden: SessionGarden,
  name: string,
  {
    genesis,
    dossier,
    goal,
  }: {
    readonly genesis: NonNullable<SessionLog["genesis"]>;
    readonly dossier: Dossier | undefined;
    readonly goal?: string | undefined;
  },
): Promise<Adopted["dossier"]> {
  const spawn = genesis.commit.oid;
  if (dossier?.briefing && dossier.spawn === spawn) return "kept";
  const facts = spawnFacts(genesis);
  const words = dossier?.briefing?.goal ?? goal ?? facts.goal;
  if (words === undefined) throw adoptNeedsGoal(name);
  const briefingId = dossier?.briefing ? dossier.briefingId : facts.briefingId;
  const to = await buildDossier(garden, name, { before: dossier?.at, spawn, goal: words, briefingId });
  await landed(garden, name, [{ ref: sessionDossier(name), from: dossier?.at, to, reason: "bloom adopt" }]);
  return dossier ? "repaired" : "made";
}

/** A spawn commit on top of the branch, with the same files, and its dossier, in one move. */
async function makeGenesis(
  garden: SessionGarden,
  name: string,
  {
    head,
    dossier,
    goal,
  }: { readonly head: Oid; readonly dossier: Dossier | undefined; readonly goal?: string | undefined },
): Promise<Adopted["dossier"]> {
  const { repo, world } = garden;
  const words = dossier?.briefing?.goal ?? goal;
  if (words === undefined) throw adoptNeedsGoal(name);
  const briefing = dossier?.briefing ? dossier.briefingId! : briefingObject({ goal: words }).id;
  const main = await repo.resolve(MAIN_REF);
  const since = main === undefined ? undefined : await repo.mergeBase(head, main);
  const at = world.now();
  const commit = await repo.build(
    {
      parents: [head],
      edits: [],
      author: sessionAuthor(name, at),
      committer: gatewaySignature(at),
      ...encodeTypedCommit({
        kind: "spawn",
        message: name,
        body: words,
        fields: {
          agent: name,
          briefing,
          adopted: true,
          since,
          changeId: changeIdOf({ agent: name, kind: "spawn", parents: [head], briefing, at }),
        },
      }),
    },
    { durable: "with-move" },
  );
  const to = await buildDossier(garden, name, {
    before: dossier?.at,
    spawn: commit,
    goal: words,
    ...(dossier?.briefing && { briefingId: briefing }),
  });
  const first: RefMove = { ref: sessionDossier(name), from: dossier?.at, to, reason: "bloom adopt" };
  const done = await landTraced(garden, name, { expect: head, commit, first: [first] });
  if (done.kind === "conflict") throw headMoved(name);
  return dossier ? "repaired" : "made";
}

async function landed(garden: SessionGarden, name: string, moves: readonly RefMove[]): Promise<void> {
  if ((await landRefs(garden, moves)).kind === "stale") throw headMoved(name);
}
