import { figuresOf, type VersionFigures } from "../logic/logic-figures.ts";
import { CONFIDENCE } from "../logic/rate-interval.ts";
import { groupParts, NO_RUNS, plus, type RunSum, type RunSums } from "../run/run-tally.ts";

/** S-9: runs of one behaviour, as far as every garden can tell them. The statistics of a behaviour that travels have the same members. */
export interface BehaviourCounts {
  readonly runs: number;
  readonly failed: number;
  readonly good: number;
  readonly bad: number;
}

/** S-9a: model and temperature are no part of a behaviour. Null: not recorded. */
export interface ModelCounts extends BehaviourCounts {
  readonly model: string | null;
  readonly temperature: number | null;
}

/** All that one garden knows of one behaviour. */
export interface BehaviourStatistic extends BehaviourCounts {
  readonly behaviour: string;
  /** The followed garden that tells it; null for this one. */
  readonly garden: string | null;
  readonly tokens: number;
  /** Most runs first. */
  readonly models: readonly ModelCounts[];
  /** Agents of this garden whose runs are counted. */
  readonly agents: readonly string[];
  /** Typed commits of sessions by kind. */
  readonly commits: Readonly<Record<string, number>>;
  readonly sessions: number;
}

/** The sums of this garden's agents, grouped by the behaviour that the runs followed. Runs without one are left out. */
export function behaviourSums(
  agents: ReadonlyMap<string, RunSums>,
): ReadonlyMap<string, Pick<BehaviourStatistic, keyof BehaviourCounts | "tokens" | "models" | "agents">> {
  const found = new Map<string, { total: RunSum; models: Map<string, ModelCounts>; agents: Set<string> }>();
  for (const [slug, sums] of agents)
    for (const [group, sum] of Object.entries(sums)) {
      const { behaviour, model, temperature } = groupParts(group);
      if (behaviour === null) continue;
      const one = found.get(behaviour) ?? { total: NO_RUNS, models: new Map(), agents: new Set() };
      found.set(behaviour, one);
      one.total = plus(one.total, sum);
      one.agents.add(slug);
      const key = JSON.stringify([model, temperature]);
      one.models.set(key, { model, temperature, ...addedCounts(one.models.get(key), sum) });
    }
  return new Map(
    [...found].map(([behaviour, { total, models, agents: slugs }]) => [
      behaviour,
      {
        ...addedCounts(undefined, total),
        tokens: total.tokens,
        models: [...models.values()].toSorted((a, b) => b.runs - a.runs),
        agents: [...slugs].toSorted(),
      },
    ]),
  );
}

const addedCounts = (a: BehaviourCounts | undefined, b: BehaviourCounts): BehaviourCounts => ({
  runs: (a?.runs ?? 0) + b.runs,
  failed: (a?.failed ?? 0) + b.failed,
  good: (a?.good ?? 0) + b.good,
  bad: (a?.bad ?? 0) + b.bad,
});

export type BehaviourRates = Pick<
  VersionFigures,
  "success_rate" | "success_interval" | "good_rate" | "good_interval" | "judgedRuns"
>;

/** The rates with their Wilson intervals, as for a logic version. */
export function behaviourRates(counts: BehaviourCounts, confidence = CONFIDENCE): BehaviourRates {
  const { success_rate, success_interval, good_rate, good_interval, judgedRuns } = figuresOf(
    sumOfCounts(counts),
    confidence,
  );
  return { success_rate, success_interval, good_rate, good_interval, judgedRuns };
}

/** Counts in the form that `compareVersions` takes. */
export const sumOfCounts = ({ runs, failed, good, bad }: BehaviourCounts): RunSum => ({
  ...NO_RUNS,
  runs,
  failed,
  good,
  bad,
});
