import type { Oid } from "../../domain/git/git-names.ts";
import { type SessionEdge, type SessionReview, SUB_AGENT_OF } from "../../domain/session/edges.ts";
import { decodeTypedCommit } from "../../domain/session/typed-commit.ts";
import type { Commit, Repo } from "../../ports/repo.ts";
import { readEdges } from "./edge-stream.ts";
import { reviewsOf } from "./review-session.ts";
import type { SessionGarden } from "./session-garden.ts";
import { briefingOf, sessionHead, sessionHeads, sessionLog } from "./topology.ts";
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

/** One session with its own commits, newest first. Throws NOT_FOUND. */
export async function showSession(garden: SessionGarden, name: string): Promise<SessionView> {
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
