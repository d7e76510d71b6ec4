import { analyseRuns } from "../../src/drakon/learn/analyse.ts";
import type { Evidence } from "../../src/drakon/learn/evidence.ts";
import type { LogicAnalysis, LogicFinding } from "../../src/drakon/learn/finding.ts";
import { predictRun } from "../../src/drakon/learn/predict-run.ts";
import type { Repair } from "../../src/drakon/learn/repair.ts";
import { repairs } from "../../src/drakon/learn/repairs.ts";
import type { Program } from "../../src/drakon/walk/frame.ts";
import { type Agent, logicFrom } from "./agent.ts";
import { deeds, simulate } from "./simulate.ts";

/** Places are asked for after so many runs, and so many are enough for a proposal. */
export const ENOUGH = 50;
const MOST_RUNS = 300;
const FRESH = 10_000;
const TRIED_REPAIRS = 4;

export interface Measured {
  readonly agent: Agent;
  /** The failure rate of runs that the fault affects, and the share of all runs that it affects. */
  readonly perVisit: number;
  readonly share: number;
  /** After `ENOUGH` runs: whether the likeliest place is the right one, and whether the alarm was raised by then. */
  readonly located: boolean;
  readonly raised: boolean;
  /** Runs until there was an alarm at the right place; undefined if there never was. */
  readonly runsNeeded: number | undefined;
  /** The first proposal, whether it mends the agent, and rates that were measured with fresh runs. */
  readonly proposed: Repair | undefined;
  readonly repaired: boolean;
  readonly rates: { readonly healthy: number; readonly faulty: number; readonly repaired: number | undefined };
  /** Claims of the counterfactual about changed diagrams, and how many were right. */
  readonly claims: number;
  readonly right: number;
  readonly top: LogicFinding | undefined;
}

const readsOf =
  ({ tools }: Agent) =>
  (tool: string): boolean =>
    tools.get(tool)?.reads ?? false;

/** Number of fresh runs for measuring rates and for comparing twins. */
export interface Effort {
  readonly fresh: number;
  readonly twins: number;
}

const EFFORT: Effort = { fresh: 400, twins: 150 };

/** Looks at an agent with a fault after every ten runs, until it is understood. */
export function measureFaulty(agent: Agent, effort: Effort = EFFORT): Measured {
  const onlyReads = readsOf(agent);
  const { program, diagram } = agent.faulty;
  const runs: Evidence[] = [];
  let top: LogicFinding | undefined;
  let [raised, runsNeeded] = [false, undefined as number | undefined];
  let found: { repairs: Repair[]; runs: Evidence[] } | undefined;
  for (let run = 0; run < MOST_RUNS && !(found && runsNeeded); run++) {
    runs.push(simulate(agent, program, run).evidence);
    if (runs.length % 10 !== 0) continue;
    const analysis = analyseRuns(runs, program, { onlyReads });
    const [first] = analysis.findings;
    const isRight = first !== undefined && agent.truth.has(first.icon);
    if (analysis.alarm && isRight) runsNeeded ??= runs.length;
    if (runs.length <= ENOUGH) raised ||= analysis.alarm && isRight;
    if (runs.length === ENOUGH) top = first;
    if (!found && analysis.alarm && runs.length >= ENOUGH) found = firstProposal(analysis, [...runs]);
  }
  const proposed = found?.repairs[0];
  const { claims, right } = found ? checkClaims(agent, found.repairs, found.runs) : { claims: 0, right: 0 };
  const mended = proposed && measure(agent, logicFrom(proposed.diagram).program, effort.fresh);
  const [healthy, faulty] = [agent.healthy.program, program].map((one) => measure(agent, one, effort.fresh)) as [
    Rates,
    Rates,
  ];
  return {
    agent,
    ...differences(agent, effort.twins),
    located: top !== undefined && agent.truth.has(top.icon),
    raised,
    runsNeeded,
    proposed,
    repaired: mended !== undefined && isAsGood(mended, healthy, agent.costly, effort.fresh),
    rates: { healthy: healthy.bad, faulty: faulty.bad, repaired: mended?.bad },
    claims,
    right,
    top,
  };

  function firstProposal({ findings }: LogicAnalysis, seen: Evidence[]): typeof found {
    for (const finding of findings) {
      const made = repairs(finding, diagram, seen, program, { onlyReads });
      if (made.length > 0) return { repairs: made, runs: seen };
    }
    return undefined;
  }
}

/** Runs in which the faulty one does something else than its healthy twin, and how many of those go wrong. */
function differences(agent: Agent, runs: number): { perVisit: number; share: number } {
  let [other, bad] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const [one, two] = [agent.healthy, agent.faulty].map(({ program }) => simulate(agent, program, FRESH + run)) as [
      ReturnType<typeof simulate>,
      ReturnType<typeof simulate>,
    ];
    if (deeds(one) === deeds(two)) continue;
    other++;
    if (two.failed || two.wrong) bad++;
  }
  return { perVisit: other === 0 ? 0 : bad / other, share: bad / runs };
}

interface Rates {
  /** Runs that failed in fact, whatever the owner decided. */
  readonly bad: number;
  readonly tokens: number;
}

/** The same fresh runs for everybody. */
function measure(agent: Agent, program: Program, runs: number): Rates {
  let [bad, tokens] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { failed, wrong, evidence } = simulate(agent, program, 2 * FRESH + run);
    if (failed || wrong) bad++;
    tokens += evidence.path.tokens;
  }
  return { bad: bad / runs, tokens: tokens / runs };
}

const TWO_ERRORS = 2;
const SAME_TOKENS = 1.05;

/** Within two standard errors of the healthy twin, and where it is about costs, at its cost. */
function isAsGood(mended: Rates, healthy: Rates, costly: boolean, runs: number): boolean {
  const p = (mended.bad + healthy.bad) / 2;
  const noise = TWO_ERRORS * Math.sqrt((2 * p * (1 - p)) / runs);
  return mended.bad - healthy.bad <= noise && (!costly || mended.tokens <= healthy.tokens * SAME_TOKENS);
}

/** Every recorded run against every change: what is foreseen beside what happens when it is run again in the same world. */
function checkClaims(
  agent: Agent,
  made: readonly Repair[],
  runs: readonly Evidence[],
): { claims: number; right: number } {
  const { program } = agent.faulty;
  const onlyReads = readsOf(agent);
  let [claims, right] = [0, 0];
  for (const { diagram } of made.slice(0, TRIED_REPAIRS)) {
    const changed = logicFrom(diagram).program;
    for (const [run, evidence] of runs.entries()) {
      const told = predictRun(changed, evidence, program, onlyReads);
      if (!told || told.kind === "unknown") continue;
      claims++;
      const real = simulate(agent, changed, run);
      const asked = told.asked.map(({ sem, icon }) => `${icon} ${sem}`).join();
      if (real.failed === told.fails && real.requests.map(({ sem, icon }) => `${icon} ${sem}`).join() === asked)
        right++;
    }
  }
  return { claims, right };
}

/** Looks again and again at an agent without a fault; the runs after which it cried wolf, if it did. */
export function measureHealthy(
  agent: Agent,
  most: number,
): { readonly alarmAt: number | undefined; readonly finding?: LogicFinding } {
  const onlyReads = readsOf(agent);
  const { program } = agent.healthy;
  const runs: Evidence[] = [];
  for (let run = 0; run < most; run++) {
    runs.push(simulate(agent, program, run).evidence);
    if (runs.length % (runs.length <= 200 ? 10 : 50) !== 0) continue;
    const { alarm, findings } = analyseRuns(runs, program, { onlyReads });
    if (alarm) return { alarmAt: runs.length, finding: findings[0]! };
  }
  return { alarmAt: undefined };
}
