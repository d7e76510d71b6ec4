import type { Sampled } from "./garden-sample.ts";
import type { Measured } from "./measure.ts";
import { faultKinds } from "./scene.ts";

/** The last line of the benchmark. */
export interface LearningReport {
  readonly seed: number;
  readonly agents: number;
  /** Share located at the right icon after 50 runs, where the faulty branch goes wrong in at least 60 % of its visits. */
  readonly located: number;
  readonly locatedOf: number;
  /** The same with an alarm raised by then, and over all agents. */
  readonly raised: number;
  readonly locatedAll: number;
  readonly raisedAll: number;
  /** Share of first proposals that mend; agents without a proposal count as not mended. */
  readonly repaired: number;
  readonly proposed: number;
  readonly falseAlarms: number;
  readonly healthyAgents: number;
  readonly healthyRuns: number;
  readonly runsNeeded: { readonly median: number; readonly p90: number; readonly never: number };
  /** Share of the counterfactual's claims that a re-run in the same world bears out. */
  readonly counterfactualRight: number;
  readonly claims: number;
  /** Runs in a real garden, how many of them went as simulated, and whether the same was found. */
  readonly garden: { readonly runs: number; readonly alike: number; readonly sameFindings: boolean };
}

const share = (some: number, all: number): number => (all === 0 ? 1 : Number((some / all).toFixed(4)));
const count = <T>(all: readonly T[], test: (one: T) => boolean): number => all.filter(test).length;

/** Branches that go wrong this often are plain. */
export const PLAIN = 0.6;

export function reportOf(
  seed: number,
  measured: readonly Measured[],
  healthy: { readonly agents: number; readonly runs: number; readonly alarms: number },
  garden: readonly Sampled[],
): LearningReport {
  const plain = measured.filter(({ perVisit, agent }) => perVisit >= PLAIN && !agent.costly);
  const needed = measured.flatMap(({ runsNeeded }) => runsNeeded ?? []).toSorted((a, b) => a - b);
  const claims = measured.reduce((sum, one) => sum + one.claims, 0);
  const right = measured.reduce((sum, one) => sum + one.right, 0);
  return {
    seed,
    agents: measured.length,
    located: share(
      count(plain, (one) => one.located),
      plain.length,
    ),
    locatedOf: plain.length,
    raised: share(
      count(plain, (one) => one.raised),
      plain.length,
    ),
    locatedAll: share(
      count(measured, (one) => one.located),
      measured.length,
    ),
    raisedAll: share(
      count(measured, (one) => one.raised),
      measured.length,
    ),
    repaired: share(
      count(measured, (one) => one.repaired),
      measured.length,
    ),
    proposed: share(
      count(measured, (one) => one.proposed !== undefined),
      measured.length,
    ),
    falseAlarms: healthy.alarms,
    healthyAgents: healthy.agents,
    healthyRuns: healthy.runs,
    runsNeeded: {
      median: needed[needed.length >> 1] ?? 0,
      p90: needed[Math.floor(needed.length * 0.9)] ?? 0,
      never: measured.length - needed.length,
    },
    counterfactualRight: share(right, claims),
    claims,
    garden: {
      runs: garden.reduce((sum, { runs }) => sum + runs, 0),
      alike: garden.reduce((sum, { alike }) => sum + alike, 0),
      sameFindings: garden.every(({ sameFindings }) => sameFindings),
    },
  };
}

/** By kind and shape of fault, for people. */
export function tableOf(measured: readonly Measured[]): string {
  const rows = faultKinds.flatMap((kind) => {
    const own = measured.filter(({ agent }) => agent.kind === kind);
    const shapes = [...Map.groupBy(own, ({ agent }) => agent.shape)];
    return [...shapes.map(([shape, group]) => rowOf(`  ${shape}`, group)), rowOf(kind.toUpperCase(), own)];
  });
  const all = [HEAD, ...rows, rowOf("ALL", measured)];
  const widths = HEAD.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all
    .map((row) =>
      row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join("  "),
    )
    .join("\n");
}

const HEAD = [
  "fault",
  "agents",
  "costs runs",
  "per visit",
  "located@50",
  "alarm@50",
  "runs",
  "proposed",
  "repaired",
  "bad before",
  "after",
  "healthy",
];

function rowOf(name: string, group: readonly Measured[]): string[] {
  const of = (some: number): string => `${some}/${group.length}`;
  const mean = (value: (one: Measured) => number): string =>
    group.length === 0
      ? ""
      : `${((100 * group.reduce((sum, one) => sum + value(one), 0)) / group.length).toFixed(0)} %`;
  const needed = group.flatMap(({ runsNeeded }) => runsNeeded ?? []).toSorted((a, b) => a - b);
  return [
    name,
    String(group.length),
    mean(({ share: costs }) => costs),
    mean(({ perVisit }) => perVisit),
    of(count(group, (one) => one.located)),
    of(count(group, (one) => one.raised)),
    String(needed[needed.length >> 1] ?? "–"),
    of(count(group, (one) => one.proposed !== undefined)),
    of(count(group, (one) => one.repaired)),
    mean(({ rates }) => rates.faulty),
    mean(({ rates }) => rates.repaired ?? rates.faulty),
    mean(({ rates }) => rates.healthy),
  ];
}
