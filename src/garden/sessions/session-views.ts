import {
  type PeerOrigin,
  type PeerSessionName,
  peerSessionIn,
  peerSessionText,
} from "../../domain/federation/peer-origin.ts";
import type { Oid } from "../../domain/git/git-names.ts";
import { peerRefs } from "../../domain/layout.ts";
import { type SessionEdge, type SessionReview, SUB_AGENT_OF } from "../../domain/session/edges.ts";
import { decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import type { Commit, Repo } from "../../ports/repo.ts";
import { readDossierAt } from "./dossier.ts";
import { readEdges } from "./edge-stream.ts";
import { peerSession } from "./peer-sessions.ts";
import { reviewsOf } from "./review-session.ts";
import type { SessionGarden } from "./session-garden.ts";
import { briefingOf, logFrom, sessionHead, sessionHeads, sessionLog } from "./topology.ts";
import { pendingTrace } from "./trace-buffer.ts";

/** A commit of a session as lists show it. `kind` is null for a commit that a person made. */
export interface SessionCommitView {
  readonly commit: Oid;
  readonly kind: string | null;
  readonly message: string;
  readonly by: string;
  /** ISO 8601. */
  readonly at: string;
  readonly behaviour?: string;
  readonly merged?: string;
}

export interface SessionCard {
  readonly name: string;
  readonly head: SessionCommitView;
}

export interface SessionView extends SessionCard {
  readonly goal: string | null;
  readonly parent: string | null;
  readonly subAgents: readonly string[];
  readonly commits: readonly SessionCommitView[];
  /** The branch no longer contains its spawn commit: a person moved it. */
  readonly isMoved: boolean;
  /** The run whose work the session is, where one spawned it. */
  readonly run?: string;
  /** Newest first. */
  readonly reviews: readonly SessionReview[];
  /** Entries recorded since the last commit, on this machine. */
  readonly pendingEntries: number;
  /** S-10: the accepted announcement that a session of another garden came with. */
  readonly origin?: PeerOrigin;
}

/** All sessions with their newest commits, by name, and the edges between them. One read per session. */
export async function listSessions(
  repo: Repo,
): Promise<{ readonly sessions: readonly SessionCard[]; readonly edges: readonly SessionEdge[] }> {
  const [sessions, edges] = await Promise.all([
    sessionHeads(repo).then((heads) =>
      Promise.all(heads.map(async ({ name, head }) => ({ name, head: commitView(await repo.commit(head)) }))),
    ),
    readEdges(repo),
  ]);
  return { sessions, edges: edges.all() };
}

/** One session of this garden or of another one (`alice/scout`) with its own commits, newest first. Throws NOT_FOUND. */
export async function showSession(garden: SessionGarden, name: string): Promise<SessionView> {
  const peer = peerSessionIn(name);
  return peer ? showPeerSession(garden.repo, peer) : showOwnSession(garden, name);
}

/**
 * S-10: a session of another garden. The names in its commits are names of that garden, so they are shown as such; its runs are not here.
 * Sub-agents are the sessions of this garden that began at it.
 */
async function showPeerSession(repo: Repo, { peer, session }: PeerSessionName): Promise<SessionView> {
  const name = peerSessionText({ peer, session });
  const origin = await peerSession(repo, { peer, session });
  const { commits, genesis } = await logFrom(repo, session, origin.head);
  const dossier = await readDossierAt(repo, `${peerRefs(peer).dossiers}${session}`);
  const theirs = (view: SessionCommitView): SessionCommitView =>
    view.merged === undefined ? view : { ...view, merged: `${peer}/${view.merged}` };
  const parent = genesis?.typed?.fields["parent"];
  return {
    name,
    head: theirs(commitView(await repo.commit(origin.head))),
    goal: dossier?.briefing?.goal ?? null,
    parent: typeof parent === "string" ? `${peer}/${parent}` : null,
    subAgents: (await readEdges(repo)).into(SUB_AGENT_OF, name),
    commits: commits.map(({ commit }) => theirs(commitView(commit))),
    isMoved: genesis === undefined,
    reviews: await reviewsOf(repo, name),
    pendingEntries: 0,
    origin,
  };
}

async function showOwnSession(garden: SessionGarden, name: string): Promise<SessionView> {
  const { repo } = garden;
  const { commits, genesis } = await sessionLog(repo, name);
  const briefing = await briefingOf(repo, name);
  const { entries, skipped } = await pendingTrace(garden, name);
  const { parent, run } = genesis?.typed?.fields ?? {};
  const views = commits.map(({ commit }) => commitView(commit));
  const head = commitView(await repo.commit(await sessionHead(repo, name)));
  return {
    name,
    head,
    goal: briefing?.goal ?? null,
    parent: typeof parent === "string" ? parent : null,
    subAgents: (await readEdges(repo)).into(SUB_AGENT_OF, name),
    commits: views,
    isMoved: genesis === undefined,
    ...(typeof run === "string" && { run }),
    reviews: await reviewsOf(repo, name),
    pendingEntries: entries.length + skipped.entries,
  };
}

export function commitView(commit: Commit): SessionCommitView {
  const typed = decodeTypedCommit(commit.message);
  const text = (field: string): string | undefined => {
    const value = typed?.fields[field];
    return typeof value === "string" ? value : undefined;
  };
  const [behaviour, merged] = [text("behaviour"), text("merged")];
  return {
    commit: commit.oid,
    kind: typed?.kind ?? null,
    message: typed?.message ?? commit.message.split("\n")[0]!,
    by: commit.author.name,
    at: new Date(commit.author.at).toISOString(),
    ...(behaviour !== undefined && { behaviour }),
    ...(merged !== undefined && { merged }),
  };
}
