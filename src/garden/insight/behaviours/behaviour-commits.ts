import type { Oid } from "../../../domain/git/git-names.ts";
import type { BehaviourStatistic } from "../../../domain/library/behaviour-figures.ts";
import type { Repo } from "../../../ports/repo.ts";
import { logFrom } from "../../sessions/topology.ts";

export type CommitCounts = Pick<BehaviourStatistic, "commits" | "sessions">;

/**
 * S-9: the typed commits of these sessions by the behaviour that made them. Only the sessions' own lines count: a squash merge on `main`
 * that carries the trailers of a session's commit is not counted again.
 */
export async function behaviourCommits(
  repo: Repo,
  heads: readonly { readonly name: string; readonly head: Oid }[],
): Promise<ReadonlyMap<string, CommitCounts>> {
  const total = new Map<string, { kinds: Map<string, number>; sessions: number }>();
  for (const { name, head } of heads)
    for (const [behaviour, kinds] of await countedSession(repo, name, head)) {
      const one = total.get(behaviour) ?? { kinds: new Map<string, number>(), sessions: 0 };
      total.set(behaviour, one);
      one.sessions++;
      for (const [kind, count] of kinds) one.kinds.set(kind, (one.kinds.get(kind) ?? 0) + count);
    }
  return new Map(
    [...total].map(([behaviour, { kinds, sessions }]) => [
      behaviour,
      { commits: Object.fromEntries([...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1))), sessions },
    ]),
  );
}

type SessionCounts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** By repository, session and head: commits never change, so only sessions that moved are read again. */
const counted = new WeakMap<Repo, Map<string, SessionCounts>>();
const MOST_COUNTED = 20_000;

async function countedSession(repo: Repo, name: string, head: Oid): Promise<SessionCounts> {
  const known = counted.get(repo) ?? new Map<string, SessionCounts>();
  counted.set(repo, known);
  const key = `${name} ${head}`;
  const there = known.get(key);
  if (there) return there;
  const found = new Map<string, Map<string, number>>();
  for (const { typed } of (await logFrom(repo, name, head)).commits) {
    const behaviour = typed?.fields["behaviour"];
    if (!typed || typeof behaviour !== "string") continue;
    const kinds = found.get(behaviour) ?? new Map<string, number>();
    found.set(behaviour, kinds);
    kinds.set(typed.kind, (kinds.get(typed.kind) ?? 0) + 1);
  }
  if (known.size >= MOST_COUNTED) known.clear();
  known.set(key, found);
  return found;
}
