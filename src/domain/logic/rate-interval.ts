/** `hits` out of `of`. */
export interface Rate {
  readonly hits: number;
  readonly of: number;
}

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** L-5a: default confidence. */
export const CONFIDENCE = 0.95;

/** Wilson's interval for a rate: correct for few cases and for rates near 0 and 1, unlike the normal approximation. */
export function rateInterval({ hits, of }: Rate, confidence = CONFIDENCE): Interval {
  if (of === 0) return { low: 0, high: 1 };
  const z = deviations(confidence);
  const rate = hits / of;
  const scale = 1 + (z * z) / of;
  const centre = rate + (z * z) / (2 * of);
  const spread = z * Math.sqrt((rate * (1 - rate)) / of + (z * z) / (4 * of * of));
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** Newcombe's interval for `after − before`, from the two Wilson intervals (method 10 of his paper of 1998). */
export function differenceOfRates(before: Rate, after: Rate, confidence = CONFIDENCE): Interval {
  const [a, b] = [rateInterval(after, confidence), rateInterval(before, confidence)];
  const [now, then] = [after.hits / after.of, before.hits / before.of];
  return {
    low: now - then - Math.hypot(now - a.low, b.high - then),
    high: now - then + Math.hypot(a.high - now, then - b.low),
  };
}

/** Number of standard deviations to each side that cover this share of a normal distribution: 0.95 → 1.96. */
export const deviations = (confidence: number): number => normalQuantile(1 - (1 - confidence) / 2);

const CENTRE = [
  [-39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239],
  [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572, 1],
] as const;
const TAIL = [
  [
    -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
    2.938163982698783,
  ],
  [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416, 1],
] as const;
const TAIL_BEGINS = 0.02425;

/** The quantile `p` of the standard normal distribution: Acklam's approximation, correct to nine digits. */
function normalQuantile(p: number): number {
  if (p > 1 - TAIL_BEGINS) return -normalQuantile(1 - p);
  const [[above, below], x, sign] =
    p < TAIL_BEGINS ? [TAIL, Math.sqrt(-2 * Math.log(p)), 1] : [CENTRE, (p - 0.5) ** 2, p - 0.5];
  return (polynomial(above, x) / polynomial(below, x)) * sign;
}

const polynomial = (factors: readonly number[], x: number): number =>
  factors.reduce((sum, factor) => sum * x + factor, 0);
