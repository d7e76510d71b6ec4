import type { Text } from "../../base/text.ts";
import type { RunSum } from "../run/run-tally.ts";
import { CONFIDENCE, differenceOfRates, type Interval, type Rate, rateInterval } from "./rate-interval.ts";

/**
 * Figures of the runs under one logic version: the four fields of source 000 §5.4, and people's decisions (L-4a).
 * Null if no run has produced the number yet. Intervals use the requested confidence.
 */
export interface VersionFigures {
  /** Completed runs among runs that ended by themselves. */
  readonly success_rate: number | null;
  readonly avg_tokens: number | null;
  readonly error_rate: number | null;
  readonly totalRuns: number;
  readonly success_interval: Interval | null;
  readonly avg_ms: number | null;
  /** Judged runs: failed, or decided by a person, or with nothing to decide. */
  readonly judgedRuns: number;
  /** Share of judged runs that completed and had no proposal rejected or reverted. */
  readonly good_rate: number | null;
  readonly good_interval: Interval | null;
  readonly proposals: {
    readonly accepted: number;
    readonly edited: number;
    readonly rejected: number;
    readonly reverted: number;
    readonly open: number;
  };
  /** Share of decided proposals that were accepted, edited or not, and not reverted. */
  readonly acceptance_rate: number | null;
  readonly acceptance_interval: Interval | null;
}

/** L-5a: number of runs that a version needs before any claim about it. */
export const ENOUGH_RUNS = 30;

export type FiguresTrend = "improving" | "stable" | "declining" | "unknown";

export function figuresOf(sum: RunSum, confidence = CONFIDENCE): VersionFigures {
  const { runs, failed, good, bad, accepted, edited, rejected, reverted } = sum;
  const success: Rate = { hits: runs - failed, of: runs };
  const judged: Rate = { hits: good, of: good + bad };
  const decided: Rate = { hits: accepted + edited, of: accepted + edited + rejected + reverted };
  const each = (total: number): number | null => (runs === 0 ? null : Math.round(total / runs));
  return {
    success_rate: rateOf(success),
    avg_tokens: each(sum.tokens),
    error_rate: rateOf({ hits: failed, of: runs }),
    totalRuns: runs,
    success_interval: intervalOf(success, confidence),
    avg_ms: each(sum.ms),
    judgedRuns: judged.of,
    good_rate: rateOf(judged),
    good_interval: intervalOf(judged, confidence),
    proposals: { accepted, edited, rejected, reverted, open: sum.waiting + sum.expired },
    acceptance_rate: rateOf(decided),
    acceptance_interval: intervalOf(decided, confidence),
  };
}

const rounded = (rate: number): number => Math.round(rate * 10_000) / 10_000;
const rateOf = ({ hits, of }: Rate): number | null => (of === 0 ? null : rounded(hits / of));

const intervalOf = (rate: Rate, confidence: number): Interval | null => {
  if (rate.of === 0) return null;
  const { low, high } = rateInterval(rate, confidence);
  return { low: rounded(low), high: rounded(high) };
};

/** The basis of a claim of better or worse. */
export interface FiguresComparison {
  readonly before: string;
  readonly after: string;
  /** `good_rate` if both versions have enough judged runs, else the rate of completion. */
  readonly metric: "good_rate" | "success_rate";
  readonly from: number;
  readonly to: number;
  /** Interval of `to − from`. */
  readonly interval: Interval;
  readonly runs: { readonly before: number; readonly after: number };
  readonly verdict: "better" | "worse" | "alike";
}

export interface LearningSettings {
  readonly enough: number;
  readonly confidence: number;
}

export const DEFAULT_LEARNING: LearningSettings = { enough: ENOUGH_RUNS, confidence: CONFIDENCE };

/** Compares the sums of two versions; undefined if one of them has too few runs (L-5a). */
export function compareVersions(
  before: readonly [version: string, sum: RunSum],
  after: readonly [version: string, sum: RunSum],
  { enough, confidence }: LearningSettings = DEFAULT_LEARNING,
): FiguresComparison | undefined {
  const [then, now] = [before[1], after[1]];
  const judged = [then, now].map(({ good, bad }): Rate => ({ hits: good, of: good + bad })) as [Rate, Rate];
  const ended = [then, now].map(({ runs, failed }): Rate => ({ hits: runs - failed, of: runs })) as [Rate, Rate];
  const isJudged = judged.every(({ of }) => of >= enough);
  const rates = isJudged ? judged : ended;
  if (rates.some(({ of }) => of < Math.max(1, enough))) return undefined;
  const interval = differenceOfRates(...rates, confidence);
  return {
    before: before[0],
    after: after[0],
    metric: isJudged ? "good_rate" : "success_rate",
    from: rounded(rates[0].hits / rates[0].of),
    to: rounded(rates[1].hits / rates[1].of),
    interval: { low: rounded(interval.low), high: rounded(interval.high) },
    runs: { before: rates[0].of, after: rates[1].of },
    verdict: interval.low > 0 ? "better" : interval.high < 0 ? "worse" : "alike",
  };
}

/**
 * Describes the trend. No claim of better or worse from too few runs, or if the interval of the difference contains
 * zero (L-5, L-5a).
 */
export function trendOf(
  found: FiguresComparison | undefined,
  { enough, confidence }: LearningSettings = DEFAULT_LEARNING,
): { readonly trend: FiguresTrend; readonly recommendation: Text } {
  if (!found) return { trend: "unknown", recommendation: tooFew(enough) };
  const sure = `${Math.round(confidence * 1000) / 10} %`;
  if (found.verdict === "better") return { trend: "improving", recommendation: better(found, sure) };
  if (found.verdict === "worse") return { trend: "declining", recommendation: worse(found, sure) };
  return { trend: "stable", recommendation: alike(found, sure) };
}

const tooFew = (enough: number): Text => ({
  en: `too few runs to tell: at least ${enough} per version are needed`,
  uk: `замало запусків, щоб судити: потрібно щонайменше ${enough} на версію`,
});

const byWhat = {
  good_rate: { en: "does well", uk: "добрих запусків" },
  success_rate: { en: "completes", uk: "завершених запусків" },
};

const comparisonText = ({ metric, from, to, runs }: FiguresComparison): string =>
  `${metric} ${from} → ${to}, n = ${runs.before}, ${runs.after}`;

const better = (found: FiguresComparison, sure: string): Text => ({
  en: `${found.after} ${byWhat[found.metric].en} more often than ${found.before} (${comparisonText(found)}; ${sure}): go on`,
  uk: `${found.after} стабільно краща за ${found.before} (${comparisonText(found)}; ${sure}) — продовжувати`,
});
const worse = (found: FiguresComparison, sure: string): Text => ({
  en: `${found.after} ${byWhat[found.metric].en} less often than ${found.before} (${comparisonText(found)}; ${sure}): consider going back`,
  uk: `${found.after} гірша за ${found.before} (${comparisonText(found)}; ${sure}) — розгляньте повернення`,
});
const alike = (found: FiguresComparison, sure: string): Text => ({
  en: `no significant difference between ${found.after} and ${found.before} (${comparisonText(found)}; ${sure})`,
  uk: `між ${found.after} і ${found.before} немає значущої різниці (${comparisonText(found)}; ${sure})`,
});
