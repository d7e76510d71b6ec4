import { type BehaviourStatistic, behaviourSums } from "../../../domain/library/behaviour-figures.ts";
import type { RunSums } from "../../../domain/run/run-tally.ts";
import type { Garden } from "../../core/garden.ts";
import { agentSlugs } from "../../records/status.ts";
import { sessionHeads } from "../../sessions/topology.ts";
import { sumsNow } from "../learning/tally.ts";
import { behaviourCommits, type CommitCounts } from "./behaviour-commits.ts";

/**
 * S-9: this garden's runs and session commits by behaviour id, most runs first. Reads the tally of every agent, not its runs, so the cost
 * does not grow with their number.
 */
export async function ownBehaviourStatistics({
  store,
  repo,
}: Pick<Garden, "store" | "repo">): Promise<BehaviourStatistic[]> {
  const sums = new Map<string, RunSums>();
  for (const slug of await agentSlugs(store)) sums.set(slug, await sumsNow(store, slug));
  const runs = behaviourSums(sums);
  const commits = await behaviourCommits(repo, await sessionHeads(repo));
  return [...new Set([...runs.keys(), ...commits.keys()])]
    .map((behaviour) => ({
      behaviour,
      garden: null,
      ...(runs.get(behaviour) ?? NO_COUNTS),
      ...(commits.get(behaviour) ?? NO_COMMITS),
    }))
    .toSorted((a, b) => b.runs - a.runs || (a.behaviour < b.behaviour ? -1 : 1));
}

export const NO_COUNTS = { runs: 0, failed: 0, good: 0, bad: 0, tokens: 0, models: [], agents: [] };
export const NO_COMMITS: CommitCounts = { commits: {}, sessions: 0 };
