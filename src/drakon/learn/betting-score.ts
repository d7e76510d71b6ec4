/**
 * Sequential test by betting. A rate that is watched for ever crosses any fixed threshold some day, so p-values of single
 * looks are not valid here. Instead we bet against "the bad rate is at most the tolerance p". A bet pays `q/p` for every bad
 * run and `(1-q)/(1-p)` for every good one. If runs go wrong with probability `p` or less, the fortune is a supermartingale,
 * and the probability that it ever grows from 1 to 1,000 is at most 1/1,000, however often we look (Ville's inequality). Bets
 * on many icons share one fortune, which corrects for multiple comparisons.
 */

/** Bad rates to bet on, with equal stakes; rates below the tolerance are not played. */
const SHARES = [0.12, 0.2, 0.32, 0.5, 0.7, 0.88, 0.97] as const;

/** Runs and bad runs with one tolerance. */
export interface Count {
  readonly tolerance: number;
  readonly all: number;
  readonly bad: number;
}

/** Logarithm of the fortune that started at 1 and was split over all rates. */
export function logFortune(counts: readonly Count[]): number {
  const bets = SHARES.map((share) => {
    let sum = 0;
    for (const { tolerance, all, bad } of counts) {
      if (all === 0 || share <= tolerance) continue;
      sum += bad * Math.log(share / tolerance) + (all - bad) * Math.log((1 - share) / (1 - tolerance));
    }
    return sum;
  });
  return logSum(bets) - Math.log(SHARES.length);
}

export function logSum(logs: readonly number[]): number {
  const most = logs.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (most === Number.NEGATIVE_INFINITY) return most;
  return most + Math.log(logs.reduce((sum, one) => sum + Math.exp(one - most), 0));
}

const logFactorials = [0, 0];

function logFactorial(n: number): number {
  for (let k = logFactorials.length; k <= n; k++) logFactorials.push(logFactorials[k - 1]! + Math.log(k));
  return logFactorials[n]!;
}

const logBeta = (a: number, b: number): number => logFactorial(a - 1) + logFactorial(b - 1) - logFactorial(a + b - 1);

/** Log marginal likelihood of the outcomes under an unknown rate, with a Beta(`wrong`, `right`) prior. */
export const logExplained = (all: number, bad: number, wrong = 1, right = 1): number =>
  logBeta(wrong + bad, right + all - bad) - logBeta(wrong, right);
