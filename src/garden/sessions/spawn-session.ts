import type { Json } from "../../base/canonical.ts";
import { crashPoint } from "../../base/crash-point.ts";
import { isFailure } from "../../base/failure.ts";
import { type PeerOrigin, peerSessionIn, peerSessionText } from "../../domain/federation/peer-origin.ts";
import { isOid, type Oid, type RefName } from "../../domain/git/git-names.ts";
import { BRIEFING_FILE, EDGES_REF, SESSION_BRANCHES, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import { changeIdOf } from "../../domain/session/change-id.ts";
import { SUB_AGENT_OF } from "../../domain/session/edges.ts";
import { sessionName } from "../../domain/session/session-name.ts";
import { type CommitFields, encodeSystemCommit, encodeTypedCommit } from "../../domain/session/typed-commit.ts";
import { briefingObject } from "../../domain/session/typed-object.ts";
import type { RefMove } from "../../ports/repo.ts";
import { edgeMove } from "./edge-stream.ts";
import { noCommitAt } from "./failures.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import { lastAnnouncement } from "./own-announcement.ts";
import { peerSession } from "./peer-sessions.ts";
import { gatewaySignature, type SessionGarden, sessionAuthor } from "./session-garden.ts";
import { sessionHead } from "./topology.ts";

export interface SpawnWish {
  readonly name: string;
  /** `goal` in words, and any further fields. */
  readonly briefing: { readonly goal: string; readonly [field: string]: Json | undefined };
  /** The behaviour that the session follows, by id. */
  readonly behaviour?: string;
  /** Further open fields of the spawn commit. */
  readonly fields?: CommitFields;
}

export type Spawned =
  | { readonly kind: "spawned"; readonly name: string; readonly commit: Oid; readonly briefing: string }
  /** The name is taken: by a session, or by the dossier of one whose branch is gone. Nothing was changed. */
  | { readonly kind: "conflict"; readonly ref: RefName; readonly actual: Oid | undefined };

/** S-2: a new session that begins with no files. */
export const spawnSession = (garden: SessionGarden, wish: SpawnWish): Promise<Spawned> => spawn(garden, wish, {});

/** S-2: a new session that begins where another one is now, as its sub-agent. Throws NOT_FOUND without that session. */
export async function spawnSessionFrom(garden: SessionGarden, parent: string, wish: SpawnWish): Promise<Spawned> {
  const peer = peerSessionIn(parent);
  if (peer) return spawnFromPeer(garden, await peerSession(garden.repo, peer), wish);
  return spawn(garden, wish, { at: await sessionHead(garden.repo, parent), parent });
}

/** S-10: a session of this garden that goes on from another garden's. Its spawn commit says where the work before it comes from. */
export const spawnFromPeer = (garden: SessionGarden, origin: PeerOrigin, wish: SpawnWish): Promise<Spawned> =>
  spawn(garden, { ...wish, fields: { ...wish.fields, origin } }, { at: origin.head, parent: peerSessionText(origin) });

/** S-2: a new session that begins at a commit, as the sub-agent of `parent` if given. Throws NOT_FOUND if there is no such commit. */
export async function spawnSessionAt(
  garden: SessionGarden,
  at: Oid,
  wish: SpawnWish,
  parent?: string,
): Promise<Spawned> {
  try {
    if (!isOid(at)) throw noCommitAt(at);
    await garden.repo.commit(at);
  } catch (error) {
    throw isFailure(error, "NOT_FOUND") ? noCommitAt(at) : error;
  }
  return spawn(garden, wish, { at, ...(parent !== undefined && { parent }) });
}

/**
 * Creates dossier and branch in one transaction. The branch is listed last: it is the registry, so a crash between the two renames
 * leaves a dossier that nothing reads, and the same call repeated is a conflict that names it.
 */
async function spawn(
  garden: SessionGarden,
  wish: SpawnWish,
  from: { readonly at?: Oid; readonly parent?: string },
): Promise<Spawned> {
  const { repo } = garden;
  const name = sessionName(wish.name);
  const refs = [sessionDossier(name), sessionBranch(name)] as const;
  for (const ref of refs) {
    const actual = await repo.resolve(ref);
    if (actual !== undefined) return { kind: "conflict", ref, actual };
  }
  // A branch that a person named `agents/Scout`: on some disks it is the same file.
  const alike = (await repo.refs(SESSION_BRANCHES)).find(({ name: ref }) => folded(ref) === refs[1]);
  if (alike) return { kind: "conflict", ref: alike.name, actual: alike.oid };
  const { commit, dossier, briefing } = await buildGenesis(garden, wish, from);
  crashPoint("session.spawn.built");
  const creations: RefMove[] = [
    { ref: refs[0], from: undefined, to: dossier, reason: "bloom spawn" },
    { ref: refs[1], from: undefined, to: commit, reason: "bloom spawn" },
  ];
  return untilLanded(garden, [EDGES_REF], async () => {
    const { parent } = from;
    const edge =
      parent === undefined
        ? undefined
        : await edgeMove(garden, { op: "assert", kind: SUB_AGENT_OF, from: name, to: parent });
    const landed = await landRefs(garden, [creations[0]!, ...(edge ? [edge] : []), creations[1]!]);
    if (landed.kind === "stale")
      return landed.ref === EDGES_REF ? undefined : { kind: "conflict", ref: landed.ref, actual: landed.actual };
    crashPoint("session.spawn.landed");
    return { kind: "spawned", name, commit, briefing };
  });
}

const folded = (ref: RefName): string => ref.normalize("NFKC").toLowerCase();

/** The spawn commit, whose body says the goal to people who see only the branch, and the first commit of the dossier. */
async function buildGenesis(
  { repo, world }: SessionGarden,
  { name, briefing: given, behaviour, fields = {} }: SpawnWish,
  { at, parent }: { readonly at?: Oid; readonly parent?: string },
): Promise<{ readonly commit: Oid; readonly dossier: Oid; readonly briefing: string }> {
  const briefing = briefingObject(given);
  const now = world.now();
  const by = gatewaySignature(now);
  const parents = at === undefined ? [] : [at];
  const typed = encodeTypedCommit({
    kind: "spawn",
    message: name,
    body: briefing.value.goal,
    fields: {
      // Others accept the session only from the garden that it names.
      owner: (await lastAnnouncement(repo))?.space,
      ...fields,
      agent: name,
      briefing: briefing.id,
      behaviour,
      parent,
      changeId: changeIdOf({ agent: name, kind: "spawn", parents, briefing: briefing.id, at: now }),
    },
  });
  const commit = await repo.build(
    { parents, edits: [], author: sessionAuthor(name, now), committer: by, ...typed },
    { durable: "with-move" },
  );
  const dossier = await repo.build(
    {
      parents: [],
      edits: [{ path: BRIEFING_FILE, bytes: briefing.bytes }],
      author: by,
      committer: by,
      ...encodeSystemCommit("dossier", `dossier: ${name}`, { session: name, spawn: commit }),
    },
    { durable: "with-move" },
  );
  return { commit, dossier, briefing: briefing.id };
}
