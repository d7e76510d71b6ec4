import { MERGES, type SessionEdge } from "../../domain/session/edges.ts";
import type { Garden } from "../core/garden.ts";
import { runSessionsOf } from "../sessions/run-session.ts";
import { listSessions, type SessionCard } from "../sessions/session-views.ts";
import { openRequests } from "./hold.ts";
import { openRunAt, openRunIds } from "./open-runs.ts";

/**
 * A session waits for somebody: `waiting` for a person, `running` for its run, `merged` for nothing (another branch has its work), `open` for
 * whoever takes it up again.
 */
export type SessionState = "waiting" | "running" | "merged" | "open";

export interface SessionWithState extends SessionCard {
  readonly state: SessionState;
  /** The run that works on it now. */
  readonly run?: string;
}

/** All sessions with their states. Only open runs are read, so it costs what is open, not what was ever run. */
export async function sessionsWithStates(
  garden: Pick<Garden, "repo" | "store" | "signals">,
): Promise<{ readonly sessions: readonly SessionWithState[]; readonly edges: readonly SessionEdge[] }> {
  const [{ sessions, edges }, open] = await Promise.all([listSessions(garden.repo), openRunsOfSessions(garden)]);
  const merged = new Set(edges.flatMap(({ kind, to }) => (kind === MERGES ? [to] : [])));
  return {
    sessions: sessions.map((card) => {
      const { name } = card;
      return { ...card, ...(open.get(name) ?? { state: merged.has(name) ? "merged" : "open" }) };
    }),
    edges,
  };
}

/** The runs that are not over and have a session, by its name. */
async function openRunsOfSessions(
  garden: Pick<Garden, "repo" | "store" | "signals">,
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
