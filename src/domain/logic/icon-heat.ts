import type { Decisions, PassedIcon, PathVerdict, RunPath } from "../run/run-path.ts";

/** A finished run with the result of each of its proposals. */
export interface WeighedRun {
  readonly path: RunPath;
  readonly verdict: PathVerdict;
  readonly fates: ReadonlyMap<string, keyof Decisions>;
}

/** Figures of one place of a diagram over many runs. */
export interface Heat {
  readonly visits: number;
  /** Visits claimed by a model; the rest are facts. */
  readonly claimed: number;
  readonly runs: number;
  readonly failures: number;
  readonly calls: number;
  readonly tokens: number;
  readonly ms: number;
  readonly proposals: Decisions;
  /** Judged runs that passed here. */
  readonly good: number;
  readonly bad: number;
}

/**
 * One branch of a question, a select or a loop. Visits count this branch; failures, tokens, time and proposals are
 * those of all runs that took it at least once, because a branch is judged by what it leads to.
 */
export interface BranchHeat extends Heat {
  readonly answer: boolean | number | null;
}

/** One icon: visits, failures, cost and proposals at it. */
export interface IconHeat extends Heat {
  readonly diagram: string;
  readonly icon: string;
  readonly branches: readonly BranchHeat[];
}

type Growing = { -readonly [Field in keyof Omit<Heat, "proposals">]: number } & {
  proposals: { -readonly [Fate in keyof Decisions]: number };
};

const cold = (): Growing => ({
  visits: 0,
  claimed: 0,
  runs: 0,
  failures: 0,
  calls: 0,
  tokens: 0,
  ms: 0,
  proposals: { accepted: 0, edited: 0, rejected: 0, reverted: 0, open: 0 },
  good: 0,
  bad: 0,
});

/** Heat per icon and branch, in order of first visit. Unknown paths add nothing (R-1a). */
export function heatOf(runs: Iterable<WeighedRun>): readonly IconHeat[] {
  const icons = new Map<string, { diagram: string; icon: string; heat: Growing; branches: Map<string, Branch> }>();
  for (const run of runs) {
    if (run.path.certainty === "unknown") continue;
    const whole = wholeOf(run);
    const [seen, taken] = [new Set<string>(), new Set<string>()];
    for (const passed of run.path.passed) {
      const name = `${passed.diagram}\0${passed.icon}`;
      const here = icons.get(name) ?? { diagram: passed.diagram, icon: passed.icon, heat: cold(), branches: new Map() };
      icons.set(name, here);
      visit(here.heat, run, !seen.has(name));
      seen.add(name);
      spend(here.heat, passed, run);
      if (passed.answer === undefined) continue;
      const key = JSON.stringify(passed.answer);
      const branch = here.branches.get(key) ?? { answer: passed.answer, heat: cold() };
      here.branches.set(key, branch);
      const isFirst = !taken.has(`${name}\0${key}`);
      visit(branch.heat, run, isFirst);
      if (isFirst) add(branch.heat, whole);
      taken.add(`${name}\0${key}`);
    }
  }
  return [...icons.values()].map(({ diagram, icon, heat, branches }) => ({
    diagram,
    icon,
    ...heat,
    branches: [...branches]
      .toSorted(([a], [b]) => (a < b ? 1 : -1))
      .map(([, { answer, heat: taken }]) => ({ answer, ...taken })),
  }));
}

interface Branch {
  readonly answer: boolean | number | null;
  readonly heat: Growing;
}

function visit(heat: Growing, { path, verdict }: WeighedRun, isFirst: boolean): void {
  heat.visits++;
  if (path.certainty === "claim") heat.claimed++;
  if (!isFirst) return;
  heat.runs++;
  if (verdict !== "open") heat[verdict]++;
}

function spend(heat: Growing, { failed, calls, tokens, ms, proposals }: PassedIcon, { fates }: WeighedRun): void {
  if (failed) heat.failures++;
  heat.calls += calls;
  heat.tokens += tokens;
  heat.ms += ms;
  for (const id of proposals) heat.proposals[fates.get(id) ?? "open"]++;
}

type Whole = Pick<Heat, "failures" | "calls" | "tokens" | "ms" | "proposals">;

function wholeOf({ path, fates }: WeighedRun): Whole {
  const sum = (field: "calls" | "ms"): number => path.passed.reduce((total, passed) => total + passed[field], 0);
  const { proposals } = cold();
  for (const fate of fates.values()) proposals[fate]++;
  return {
    failures: path.status === "failed" ? 1 : 0,
    calls: sum("calls"),
    tokens: path.tokens,
    ms: sum("ms"),
    proposals,
  };
}

function add(heat: Growing, { failures, calls, tokens, ms, proposals }: Whole): void {
  heat.failures += failures;
  heat.calls += calls;
  heat.tokens += tokens;
  heat.ms += ms;
  for (const fate of Object.keys(proposals) as (keyof Decisions)[]) heat.proposals[fate] += proposals[fate];
}

/** Measures for colouring a picture. */
export const heatMeasures = ["visits", "failures", "tokens", "time", "rejected", "bad"] as const;
export type HeatMeasure = (typeof heatMeasures)[number];

/** `bad` is a share of the judged runs; all others are sums. */
export const heatValueOf: Readonly<Record<HeatMeasure, (heat: Heat) => number>> = {
  visits: ({ visits }) => visits,
  failures: ({ failures }) => failures,
  tokens: ({ tokens }) => tokens,
  time: ({ ms }) => ms,
  rejected: ({ proposals }) => proposals.rejected + proposals.reverted,
  bad: ({ good, bad }) => (good + bad === 0 ? 0 : bad / (good + bad)),
};
