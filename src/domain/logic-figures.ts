import type { Text } from "../base/text.ts";
import type { RunManifest } from "./run-manifest.ts";

/** What the runs under one logic version say (source 000 §5.4). A number that no run has made yet is null. */
export interface VersionFigures {
  readonly success_rate: number | null;
  readonly avg_tokens: number | null;
  readonly error_rate: number | null;
  readonly totalRuns: number;
}

/** What of a run counts here. */
export type CountedRun = Pick<RunManifest, "status" | "tokens_used" | "logic_version">;

/** L-5a: how many runs a version needs before anything is said about it. */
export const ENOUGH_RUNS = 30;

export type Trend = "improving" | "stable" | "declining" | "unknown";

/** Runs that ended by themselves: a run that somebody cancelled says nothing about the logic. */
export function figuresOf(runs: readonly CountedRun[]): VersionFigures {
  const counted = runs.filter(({ status }) => status !== "cancelled");
  const total = counted.length;
  if (total === 0) return { success_rate: null, avg_tokens: null, error_rate: null, totalRuns: 0 };
  const failed = counted.filter(({ status }) => status === "failed").length;
  const tokens = counted.reduce((sum, { tokens_used: { input, output } }) => sum + input + output, 0);
  return {
    success_rate: rounded((total - failed) / total),
    avg_tokens: Math.round(tokens / total),
    error_rate: rounded(failed / total),
    totalRuns: total,
  };
}

const rounded = (rate: number): number => Math.round(rate * 10_000) / 10_000;

/** The two-sided 95 % quantile of the normal distribution. */
const Z = 1.959963984540054;

interface Rate {
  readonly successes: number;
  readonly runs: number;
}

/** Wilson's interval for a rate: right for few runs and for rates near 0 and 1, where the usual one is not. */
function wilson({ successes, runs }: Rate): { readonly rate: number; readonly low: number; readonly high: number } {
  const rate = successes / runs;
  const scale = 1 + (Z * Z) / runs;
  const centre = rate + (Z * Z) / (2 * runs);
  const spread = Z * Math.sqrt((rate * (1 - rate)) / runs + (Z * Z) / (4 * runs * runs));
  return { rate, low: (centre - spread) / scale, high: (centre + spread) / scale };
}

/** Newcombe's 95 % interval for `after − before`, from the two Wilson intervals (method 10 of his paper of 1998). */
export function differenceOfRates(before: Rate, after: Rate): { readonly low: number; readonly high: number } {
  const [a, b] = [wilson(after), wilson(before)];
  const difference = a.rate - b.rate;
  return {
    low: difference - Math.hypot(a.rate - a.low, b.high - b.rate),
    high: difference + Math.hypot(a.high - a.rate, b.rate - b.low),
  };
}

/**
 * How the newest version does against the one before it. No claim of better or worse from too few runs, nor where a 95 %
 * interval of the difference holds zero (L-5, L-5a).
 */
export function trendOf(
  versions: ReadonlyMap<string, VersionFigures>,
  enough = ENOUGH_RUNS,
): { readonly trend: Trend; readonly recommendation: Text } {
  const named = [...versions].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const [previous, newest] = [named.at(-2), named.at(-1)];
  const few = [previous, newest].filter((one) => one !== undefined && one[1].totalRuns < enough);
  if (!previous || !newest || few.length > 0) return { trend: "unknown", recommendation: tooFew(enough) };
  const { low, high } = differenceOfRates(rateOf(previous[1]), rateOf(newest[1]));
  if (low > 0) return { trend: "improving", recommendation: better(newest[0], previous[0]) };
  if (high < 0) return { trend: "declining", recommendation: worse(newest[0], previous[0]) };
  return { trend: "stable", recommendation: alike(newest[0], previous[0]) };
}

const rateOf = ({ success_rate, totalRuns }: VersionFigures): Rate => ({
  successes: Math.round((success_rate ?? 0) * totalRuns),
  runs: totalRuns,
});

const tooFew = (enough: number): Text => ({
  en: `too few runs to tell: at least ${enough} per version are needed`,
  uk: `замало запусків, щоб судити: потрібно щонайменше ${enough} на версію`,
});
const better = (newest: string, previous: string): Text => ({
  en: `${newest} succeeds more often than ${previous}: go on`,
  uk: `${newest} стабільно краща за ${previous} — продовжувати`,
});
const worse = (newest: string, previous: string): Text => ({
  en: `${newest} succeeds less often than ${previous}: consider going back`,
  uk: `${newest} гірша за ${previous} — розгляньте повернення`,
});
const alike = (newest: string, previous: string): Text => ({
  en: `no significant difference between ${newest} and ${previous}`,
  uk: `між ${newest} і ${previous} немає значущої різниці`,
});
