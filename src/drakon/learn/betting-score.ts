/**
 * What chance can do. A share that is watched for ever crosses any fixed line some day, so looks are not judged by p-values of a
 * single look: they are bets against "no more than the tolerance". A bet pays `q/p` for every run that goes wrong and
 * `(1-q)/(1-p)` for every other one; if runs go wrong with probability `p` or less, no betting wins on average, and the chance
 * that a fortune of 1 ever becomes 1,000 is at most 1 in 1,000, however often one looks (Ville's inequality). Bets on many icons
 * share the one fortune: that corrects for their number.
 */

/** Shares that are bet on, the same money on each that is above the tolerance. */
const SHARES = [0.12, 0.2, 0.32, 0.5, 0.7, 0.88, 0.97] as const;

/** How many of those with one tolerance were there, and how many went wrong. */
export interface Count {
  readonly tolerance: number;
  readonly all: number;
  readonly bad: number;
}

/** What a fortune of 1 has become (as a logarithm), split over all shares. */
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

/** How well "some share, nobody knows which" explains the outcomes; beliefs before are `wrong` and `right` imagined runs. */
export const logExplained = (all: number, bad: number, wrong = 1, right = 1): number =>
  logBeta(wrong + bad, right + all - bad) - logBeta(wrong, right);
