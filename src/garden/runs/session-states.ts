import { MAIN_REF } from "../../domain/layout.ts";
import { MERGES, type SessionEdge } from "../../domain/session/edges.ts";
import { MAIN_SESSION } from "../../domain/session/session-name.ts";
import type { Repo } from "../../ports/repo.ts";
import { listPending } from "../changes/proposals/list-proposals.ts";
import type { Garden } from "../core/garden.ts";
import { readEdges } from "../sessions/edge-stream.ts";
import { runSessionsOf } from "../sessions/run-session.ts";
import { listSessions, type SessionCard } from "../sessions/session-views.ts";
import { openRequests } from "./hold.ts";
import { openRunAt, openRunIds } from "./open-runs.ts";

/**
 * A session waits for somebody: `waiting` for a person, `running` for its run, `merged` for nothing (another branch has all of its work),
 * `open` for whoever takes it up again.
 */
export type SessionState = "waiting" | "running" | "merged" | "open";

export interface SessionWithState extends SessionCard {
  readonly state: SessionState;
  /** The run that works on it now. */
  readonly run?: string;
  /** The proposal of its merge that waits for a decision. */
  readonly proposal?: string;
}

type SessionDeps = Pick<Garden, "repo" | "store" | "signals" | "world">;

/** All sessions with their states. Only open runs are read, so it costs what is open, not what was ever run. */
export async function sessionsWithStates(
  garden: SessionDeps,
): Promise<{ readonly sessions: readonly SessionWithState[]; readonly edges: readonly SessionEdge[] }> {
  const [{ sessions, edges }, open, proposed] = await Promise.all([
    listSessions(garden.repo),
    openRunsOfSessions(garden),
    proposedMerges(garden),
  ]);
  const merged = await mergedSessions(garden.repo, sessions, edges);
  return {
    sessions: sessions.map((card) => {
      const { name } = card;
      const proposal = proposed.get(name);
      const state = proposal !== undefined ? "waiting" : merged.has(name) ? "merged" : "open";
      return { ...card, state, ...open.get(name), ...(proposal !== undefined && { proposal }) };
    }),
    edges,
  };
}

/** S-10: the state of another garden's session here. Its runs are in that garden, so it never runs. */
export async function peerSessionState(
  garden: SessionDeps,
  card: SessionCard,
): Promise<{ readonly state: Exclude<SessionState, "running">; readonly proposal?: string }> {
  const proposal = (await proposedMerges(garden)).get(card.name);
  if (proposal !== undefined) return { state: "waiting", proposal };
  const merged = await mergedSessions(garden.repo, [card], (await readEdges(garden.repo)).all());
  return { state: merged.has(card.name) ? "merged" : "open" };
}

/** Mergers with heads of sessions that they contain. A branch keeps what it has, so only new heads are asked for. */
const contained = new WeakMap<Repo, Set<string>>();

/** Sessions that another branch merged, and that have no commit of their own since. */
async function mergedSessions(
  repo: Repo,
  sessions: readonly SessionCard[],
  edges: readonly SessionEdge[],
): Promise<ReadonlySet<string>> {
  const heads = new Map(sessions.map(({ name, head }) => [name, head.commit]));
  const known = contained.get(repo) ?? new Set<string>();
  contained.set(repo, known);
  const merges = edges.filter(({ kind, to }) => kind === MERGES && heads.has(to));
  const merged = new Set<string>();
  for (const [merger, those] of Map.groupBy(merges, ({ from }) => from)) {
    const at = merger === MAIN_SESSION ? await repo.resolve(MAIN_REF) : heads.get(merger);
    const names = those.map(({ to }) => to);
    const isKnown = (name: string): boolean => known.has(`${merger} ${heads.get(name)!}`);
    // The branch of the merger may be gone: then its edge is all there is.
    const asked = at === undefined ? [] : names.filter((name) => !isKnown(name)).map((name) => heads.get(name)!);
    const ahead = new Set(at === undefined ? [] : await repo.reachable(asked, { without: [at] }));
    for (const name of names) {
      const head = heads.get(name)!;
      if (ahead.has(head)) continue;
      merged.add(name);
      if (at !== undefined) known.add(`${merger} ${head}`);
    }
  }
  return merged;
}

/** The runs that are not over and have a session, by its name. */
async function openRunsOfSessions(
  garden: SessionDeps,
): Promise<ReadonlyMap<string, { readonly state: "waiting" | "running"; readonly run: string }>> {
  const { repo, store } = garden;
  const ids = await openRunIds(store);
  if (ids.length === 0) return new Map();
  const held = new Set((await openRequests(garden)).map(({ run_id }) => run_id));
  const entries = (await Promise.all(ids.map((run) => openRunAt(store, run)))).filter((entry) => entry !== undefined);
  const sessions = await runSessionsOf(repo, entries);
  return new Map(
    [...sessions].map(([run, { name }]) => [name, { run, state: held.has(run) ? "waiting" : "running" }] as const),
  );
}

/** Merges that wait for a decision, by the name of the session. */
async function proposedMerges(garden: SessionDeps): Promise<ReadonlyMap<string, string>> {
  const { proposals } = await listPending(garden, { action: "propose-merge", limit: 500 });
  return new Map(proposals.map(({ id, target }) => [target.slice("agents/".length), id]));
}
