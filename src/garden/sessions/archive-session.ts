import { crashPoint } from "../../base/crash-point.ts";
import { isSlug } from "../../domain/contract/slug.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { archivedSession, EDGES_REF, SESSION_ARCHIVE, sessionBranch, sessionDossier } from "../../domain/layout.ts";
import type { RefMove, Repo } from "../../ports/repo.ts";
import { edgeMoves, readEdges } from "./edge-stream.ts";
import { archivedSeveral, headMoved, nothingArchived, spawnTaken } from "./failures.ts";
import { landRefs, untilLanded } from "./land-refs.ts";
import type { SessionGarden } from "./session-garden.ts";
import { commitView, type SessionCommitView } from "./session-views.ts";
import { sessionHead } from "./topology.ts";

export interface ArchivedSession {
  readonly name: string;
  readonly head: Oid;
  /** Undefined for a branch that had none. */
  readonly dossier: Oid | undefined;
}

/** All sessions that were put away, by name. */
export async function archivedSessions(repo: Repo): Promise<readonly ArchivedSession[]> {
  const refs = new Map((await repo.refs(SESSION_ARCHIVE)).map(({ name, oid }) => [name, oid]));
  return [...refs].flatMap(([ref, head]) => {
    const [name = "", at = "", part] = ref.slice(SESSION_ARCHIVE.length).split("/");
    if (part !== "head" || !isSlug(name)) return [];
    return [{ name, head, dossier: refs.get(archivedSession(name, at, "dossier")) }];
  });
}

/** The same with their newest commits, for lists. */
export const listArchived = async (
  repo: Repo,
): Promise<readonly { readonly name: string; readonly head: SessionCommitView }[]> =>
  Promise.all(
    (await archivedSessions(repo)).map(async ({ name, head }) => ({ name, head: commitView(await repo.commit(head)) })),
  );

/**
 * Puts a session away: its refs move out of the branches, its commits, briefing, traces and edges stay. All refs move in one transaction; the
 * archive is listed first, so that a crash between two renames leaves the session in both places, which `bloom verify --repair` concludes. Throws
 * NOT_FOUND, and VALIDATION_FAILED for the branch that is checked out.
 */
export async function archiveSession(garden: SessionGarden, name: string): Promise<ArchivedSession> {
  const { repo } = garden;
  const head = await sessionHead(repo, name);
  const dossier = await repo.resolve(sessionDossier(name));
  crashPoint("session.archive.read");
  const known = await repo.resolve(archivedSession(name, head, "head"));
  const knownDossier = await repo.resolve(archivedSession(name, head, "dossier"));
  await land(garden, name, [
    ...(known === head ? [] : [{ ref: archivedSession(name, head, "head"), from: known, to: head }]),
    ...(dossier === undefined || dossier === knownDossier
      ? []
      : [{ ref: archivedSession(name, head, "dossier"), from: knownDossier, to: dossier }]),
    { ref: sessionBranch(name), from: head, to: undefined },
    ...(dossier === undefined ? [] : [{ ref: sessionDossier(name), from: dossier, to: undefined }]),
  ]);
  crashPoint("session.archive.landed");
  return { name, head, dossier };
}

/** Brings a session back. `at`: the first digits of its head, if the name was put away more than once. Throws DUPLICATE_ENTRY if the name is in use. */
export async function restoreSession(garden: SessionGarden, name: string, at = ""): Promise<ArchivedSession> {
  const { repo } = garden;
  const found = (await archivedSessions(repo)).filter((each) => each.name === name && each.head.startsWith(at));
  if (found.length > 1)
    throw archivedSeveral(
      name,
      found.map(({ head }) => head),
    );
  const [session] = found;
  if (!session) throw nothingArchived(name);
  for (const ref of [sessionDossier(name), sessionBranch(name)])
    if ((await repo.resolve(ref)) !== undefined) throw spawnTaken(name, ref);
  const { head, dossier } = session;
  await land(garden, name, [
    ...(dossier === undefined ? [] : [{ ref: sessionDossier(name), from: undefined, to: dossier }]),
    { ref: sessionBranch(name), from: undefined, to: head },
    ...archiveRemoval(session),
  ]);
  crashPoint("session.restore.landed");
  return session;
}

/** The moves that take a session out of the archive. */
export const archiveRemoval = ({ name, head, dossier }: ArchivedSession): readonly RefMove[] => [
  { ref: archivedSession(name, head, "head"), from: head, to: undefined },
  ...(dossier === undefined ? [] : [{ ref: archivedSession(name, head, "dossier"), from: dossier, to: undefined }]),
];

/**
 * Deletes an archived session: its refs, and the edges from and to it. Git then frees what nothing else names, after its own time limits.
 * Notes on its commits stay. Only a session that is in the archive can be deleted. Throws as `restoreSession` does.
 */
export async function deleteArchived(garden: SessionGarden, name: string, at = ""): Promise<ArchivedSession> {
  const { repo } = garden;
  const all = await archivedSessions(repo);
  const found = all.filter((each) => each.name === name && each.head.startsWith(at));
  if (found.length > 1)
    throw archivedSeveral(
      name,
      found.map(({ head }) => head),
    );
  const [session] = found;
  if (!session) throw nothingArchived(name);
  const isUsed =
    (await repo.resolve(sessionBranch(name))) !== undefined || all.filter((each) => each.name === name).length > 1;
  return untilLanded(garden, [EDGES_REF], async () => {
    const edges = isUsed ? [] : (await readEdges(repo)).all().filter(({ from, to }) => from === name || to === name);
    const edge = await edgeMoves(
      garden,
      edges.map((each) => ({ op: "retract" as const, ...each })),
    );
    const landed = await landRefs(garden, [...(edge ? [edge] : []), ...archiveRemoval(session)]);
    if (landed.kind === "landed") return session;
    if (landed.ref === EDGES_REF) return undefined;
    throw headMoved(name);
  });
}

async function land(garden: SessionGarden, name: string, moves: readonly RefMove[]): Promise<void> {
  const [first, ...rest] = moves;
  if ((await landRefs(garden, [{ ...first!, reason: "bloom archive" }, ...rest])).kind === "stale")
    throw headMoved(name);
}
