import type { Oid } from "../../domain/git/git-names.ts";
import { MAIN_REF, SESSION_BRANCHES } from "../../domain/layout.ts";
import type { Commit, Repo } from "../../ports/repo.ts";
import { commitView, type SessionCommitView } from "./session-views.ts";
import { briefingOf, sessionLog } from "./topology.ts";

/** A commit in the graph of branches, with what it was built on. */
export interface GraphCommit extends SessionCommitView {
  readonly parents: readonly Oid[];
}

/** The branch of a session over time. */
export interface GraphLane {
  readonly name: string;
  readonly goal: string | null;
  /** Where the branch began: the parent of its spawn commit. Null for one that began without files, or lost its spawn commit. */
  readonly from: Oid | null;
  /** Newest first. Of a long one the middle is left out, and `left_out` says how many. */
  readonly commits: readonly GraphCommit[];
  readonly left_out: number;
}

export interface SessionGraph {
  /** Commits of main since the first of these sessions began, newest first. */
  readonly main: readonly GraphCommit[];
  readonly lanes: readonly GraphLane[];
}

/** Branches with more commits lose their middle. */
const MOST_OF_LANE = 120;
const MOST_OF_MAIN = 120;

/** The branches of some sessions, and what main did meanwhile, to be drawn over time. Names without a session are left out. */
export async function sessionGraph(repo: Repo, names: readonly string[]): Promise<SessionGraph> {
  const known = new Set((await repo.refs(SESSION_BRANCHES)).map(({ name }) => name.slice(SESSION_BRANCHES.length)));
  const lanes = await Promise.all(
    [...new Set(names)].filter((name) => known.has(name)).map((name) => laneOf(repo, name)),
  );
  return { main: lanes.length === 0 ? [] : await mainSince(repo, lanes), lanes };
}

async function laneOf(repo: Repo, name: string): Promise<GraphLane> {
  const { commits, from } = await sessionLog(repo, name);
  const views = commits.map(({ commit }) => graphCommit(commit));
  const shown =
    views.length <= MOST_OF_LANE ? views : [...views.slice(0, MOST_OF_LANE - 1), ...views.slice(views.length - 1)];
  return {
    name,
    goal: (await briefingOf(repo, name))?.goal ?? null,
    from: from ?? null,
    commits: shown,
    left_out: views.length - shown.length,
  };
}

/** First parents only: what a merge brought to main is on the lane of its session. */
async function mainSince(repo: Repo, lanes: readonly GraphLane[]): Promise<readonly GraphCommit[]> {
  const ofSessions = new Set(lanes.flatMap(({ commits }) => commits.map(({ commit }) => commit)));
  const starts = new Set(lanes.flatMap(({ from }) => (from === null || ofSessions.has(from) ? [] : [from])));
  const began = Math.min(...lanes.flatMap(({ commits }) => commits.map(({ at }) => Date.parse(at))));
  const found: GraphCommit[] = [];
  for (let at = await repo.resolve(MAIN_REF); at !== undefined && found.length < MOST_OF_MAIN; ) {
    const commit: Commit = await repo.commit(at);
    found.push(graphCommit(commit));
    starts.delete(commit.oid);
    // The commit that the oldest session began at is older than the session.
    if (starts.size === 0 && commit.author.at < began) break;
    at = commit.parents[0];
  }
  return found;
}

const graphCommit = (commit: Commit): GraphCommit => ({ ...commitView(commit), parents: commit.parents });
