import { isTool, servedBy } from "../../domain/tool.ts";
import type { Program } from "../walk/frame.ts";
import { logSum } from "./chance.ts";
import { allSmells, costsIn } from "./costs.ts";
import { type Evidence, isJudged, siteKey } from "./evidence.ts";
import type { AnalyseOptions, Analysis, Finding } from "./finding.ts";
import { observe, type Signs, signsOf } from "./observation.ts";
import { type Suspect, suspectsIn } from "./suspects.ts";
import { findingWords } from "./words.ts";

/** Source 000 §4.3 lets an agent be without success in one run of ten: half of that is failures, half what people turn down. */
export const DEFAULT_TOLERANCE = { failure: 0.05, rejection: 0.05 } as const;
/** In the life of one version: one in a thousand healthy agents raises an alarm. */
export const DEFAULT_FALSE_ALARM = 0.001;
const DEFAULT_WORTH_SAVING = 0.05;
/** Fewer runs than this say nothing about what a step costs. */
const ENOUGH_FOR_COST = 10;
const MOST_FINDINGS = 8;
const MOST_EVIDENCE = 20;

/** Of the garden's own tools it is known; of others it must be said. */
export const gardenReads = (tool: string): boolean =>
  isTool(tool) && tool !== "ask-human" && servedBy(tool).length === 0;

/**
 * Which icons, answers and values go along with failure, rejection or cost. A pure function of the runs, oldest first; it may be
 * asked again after every run, and its false alarms stay as rare as `falseAlarm` says over all times of asking together.
 */
export function analyse(runs: readonly Evidence[], program: Program, options: AnalyseOptions = {}): Analysis {
  const judged = runs.filter(isJudged);
  const observations = judged.map((run) => observe(run, program));
  const signs = signsOf(program);
  const onlyReads = options.onlyReads ?? gardenReads;
  const smells = allSmells(program, judged, signs, onlyReads);
  const tolerance = { ...DEFAULT_TOLERANCE, ...options.tolerance };
  const suspects = suspectsIn(observations, program, signs, smells, tolerance);
  const fortune = logSum(suspects.map(({ logStake, logFortune }) => logStake + logFortune));
  const raised = fortune >= -Math.log(options.falseAlarm ?? DEFAULT_FALSE_ALARM);
  const blamed = blame(suspects, judged, program, signs);
  const worth = options.worthSaving ?? DEFAULT_WORTH_SAVING;
  const costs = costsIn(judged, program, smells)
    .filter(({ share, idle }) => share >= worth && idle >= ENOUGH_FOR_COST)
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

/** The likeliest suspects of each icon and kind, the likeliest icon first. */
function blame(suspects: readonly Suspect[], judged: readonly Evidence[], program: Program, signs: Signs): Finding[] {
  const found: { suspect: Suspect; logScore: number; logFortune: number; confidence: number }[] = [];
  for (const kind of ["failure", "rejection"] as const) {
    const ofKind = suspects.filter((one) => one.kind === kind);
    const total = logSum(ofKind.map(({ logScore }) => logScore));
    const bySite = Map.groupBy(ofKind, siteKey);
    for (const group of bySite.values()) {
      const suspect = group.reduce((best, one) => (one.logScore > best.logScore ? one : best));
      const logScore = logSum(group.map((one) => one.logScore));
      const logFortune = logSum(group.map((one) => one.logStake + one.logFortune));
      found.push({ suspect, logScore, logFortune, confidence: Math.exp(logScore - total) });
    }
  }
  // What people turn down and what fails are explained by different suspects: how much each has won decides which comes first.
  const won = new Map(
    (["failure", "rejection"] as const).map((kind) => [
      kind,
      logSum(found.filter(({ suspect }) => suspect.kind === kind).map(({ logFortune }) => logFortune)),
    ]),
  );
  return found
    .toSorted((a, b) => won.get(b.suspect.kind)! - won.get(a.suspect.kind)! || b.logScore - a.logScore)
    .slice(0, MOST_FINDINGS)
    .map(({ suspect, logFortune, confidence }) => findingOf(suspect, logFortune, confidence, judged, program, signs));
}

function findingOf(
  suspect: Suspect,
  logFortune: number,
  confidence: number,
  judged: readonly Evidence[],
  program: Program,
  signs: Signs,
): Finding {
  const { diagram, icon, kind, sign, when, smell, all, bad, restAll, restBad } = suspect;
  const rate = bad / all;
  const restRate = restAll === 0 ? 0 : restBad / restAll;
  const evidence = judged
    .filter((run) => observe(run, program).trouble === kind && shows(suspect, run, program))
    .map(({ path }) => path.run);
  const found = {
    diagram,
    icon,
    kind,
    ...(sign?.answer !== undefined && { answer: sign.answer }),
    ...(when && { when }),
    ...(smell && { smell }),
    visits: all,
    bad,
    rate,
    restRate,
    effect: rate - restRate,
    pValue: Math.min(1, Math.exp(-logFortune)),
    confidence,
    evidence: evidence.slice(-MOST_EVIDENCE),
  };
  return { ...found, words: findingWords(found, signs.icon(suspect)?.text ?? "") };
}

/** Whether a run has the sign of a suspect. */
export function shows({ sign, when }: Pick<Suspect, "sign" | "when">, run: Evidence, program: Program): boolean {
  if (!sign) return true;
  const { signs, places, sizes } = observe(run, program);
  if (sign.is === "place") return places.includes(sign.id);
  if (sign.is !== "size") return signs.includes(sign.id);
  const size = sizes.get(sign.id);
  if (!size || !when || !("bound" in when)) return false;
  return when.is === "at-most" ? size[0] <= when.bound : size[1] > when.bound;
}

function costFinding(cost: ReturnType<typeof costsIn>[number], signs: Signs): Finding {
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
  return { ...found, words: findingWords(found, signs.icon(cost)?.text ?? "") };
}
