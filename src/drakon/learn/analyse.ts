import { isTool, servedBy } from "../../domain/contract/tool.ts";
import type { Program } from "../walk/frame.ts";
import { logSum } from "./betting-score.ts";
import { blame, MOST_EVIDENCE } from "./blame.ts";
import { allSmells, costsIn } from "./costs.ts";
import { type Evidence, isJudged } from "./evidence.ts";
import type { AnalyseRunsOptions, LogicAnalysis, LogicFinding } from "./finding.ts";
import { findingText } from "./finding-text.ts";
import { observe, type Signs, signsOf } from "./observation.ts";
import { suspectsIn } from "./suspects.ts";

/** Source 000 §4.3 allows one unsuccessful run in ten: half of them failures, half rejections. */
export const DEFAULT_TOLERANCE = { failure: 0.05, rejection: 0.05 } as const;
/** Over the life of one version, one in a thousand healthy agents raises an alarm. */
export const DEFAULT_FALSE_ALARM = 0.001;
const DEFAULT_WORTH_SAVING = 0.05;
/** Minimum number of runs for a cost finding. */
const ENOUGH_FOR_COST = { visits: 10, idle: 5 } as const;

/** True for the garden's own read-only tools; other tools count as writing. */
export const gardenReads = (tool: string): boolean =>
  isTool(tool) && tool !== "ask-human" && servedBy(tool).length === 0;

/**
 * Finds the icons, answers and values that correlate with failure, rejection or cost. A pure function of the runs, oldest
 * first. It may be repeated after every run: `falseAlarm` bounds the false alarms over all repetitions together.
 */
export function analyseRuns(
  runs: readonly Evidence[],
  program: Program,
  options: AnalyseRunsOptions = {},
): LogicAnalysis {
  const judged = runs.filter(isJudged);
  const observations = judged.map((run) => observe(run, program));
  const signs = signsOf(program);
  const onlyReads = options.onlyReads ?? gardenReads;
  const smells = allSmells(program, judged, signs, onlyReads);
  const tolerance = { ...DEFAULT_TOLERANCE, ...options.tolerance };
  const suspects = suspectsIn(observations, program, signs, smells, tolerance);
  const fortune = logSum(suspects.map(({ logStake, logFortune }) => logStake + logFortune));
  const raised = fortune >= -Math.log(options.falseAlarm ?? DEFAULT_FALSE_ALARM);
  const blamed = blame(suspects, { judged, program, signs, smells });
  const worth = options.worthSaving ?? DEFAULT_WORTH_SAVING;
  const costs = costsIn(judged, program, smells)
    .filter(
      ({ share, idle, visits }) => share >= worth && idle >= ENOUGH_FOR_COST.idle && visits >= ENOUGH_FOR_COST.visits,
    )
    .map((cost) => costFinding(cost, signs));
  const findings = raised ? [...blamed, ...costs] : [...costs, ...blamed];
  const failures = observations.filter(({ trouble }) => trouble === "failure").length;
  const rejections = observations.filter(({ trouble }) => trouble === "rejection").length;
  const tokens = judged.reduce((sum, { path }) => sum + path.tokens, 0);
  return {
    runs: judged.length,
    failures,
    rejections,
    tokensPerRun: judged.length === 0 ? 0 : tokens / judged.length,
    alarm: raised || costs.length > 0,
    findings,
  };
}

function costFinding(cost: ReturnType<typeof costsIn>[number], signs: Signs): LogicFinding {
  const { diagram, icon, smell, visits, idle, share, evidence } = cost;
  const found = {
    diagram,
    icon,
    kind: "cost" as const,
    smell,
    visits,
    bad: idle,
    rate: idle / visits,
    restRate: 0,
    effect: share,
    pValue: 2 ** -idle,
    confidence: 1,
    evidence: evidence.slice(-MOST_EVIDENCE),
  };
  return { ...found, words: findingText(found, signs.icon(cost)?.text ?? "") };
}
