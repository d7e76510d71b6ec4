import { logExplained } from "./betting-score.ts";

export interface MeasuredRun {
  readonly size: number;
  readonly bad: boolean;
}

/** The two adjacent sizes between which runs change from bad to good. */
export interface ThresholdGap {
  readonly low: number;
  readonly high: number;
}

/** The best split of sizes into bad and good runs; undefined if no split has more bad runs on `badSide`. */
export function gapIn(measured: readonly MeasuredRun[], badSide: "low" | "high"): ThresholdGap | undefined {
  const sorted = measured.toSorted((a, b) => a.size - b.size);
  const all = sorted.length;
  const allBad = sorted.filter(({ bad }) => bad).length;
  let best: { score: number; gap: ThresholdGap } | undefined;
  let below = 0;
  for (let i = 1; i < all; i++) {
    if (sorted[i - 1]!.bad) below++;
    const [low, high] = [sorted[i - 1]!.size, sorted[i]!.size];
    if (low === high) continue;
    const above = allBad - below;
    const [lowRate, highRate] = [below / i, above / (all - i)];
    if (badSide === "low" ? lowRate <= highRate : highRate <= lowRate) continue;
    const score = logExplained(i, below) + logExplained(all - i, above);
    if (!best || score > best.score) best = { score, gap: { low, high } };
  }
  return best?.gap;
}

/** A number in `[low, high)`, near the middle, with the fewest digits: people choose round limits. */
export function roundest(gap: ThresholdGap): number {
  const quarter = (gap.high - gap.low) / 4;
  const isNarrow = Number.isInteger(gap.low) && Number.isInteger(gap.high) && quarter < 1;
  const [low, high] = isNarrow ? [gap.low, gap.high] : [gap.low + quarter, gap.high - quarter];
  const whole = Number.isInteger(gap.low) && Number.isInteger(gap.high);
  for (let power = Math.ceil(Math.log10(Math.max(Math.abs(low), Math.abs(high), 1))); power >= -6; power--) {
    for (const step of [1, 0.5]) {
      const unit = step * 10 ** power;
      if (whole && unit < 1) return Math.ceil(low);
      const first = Math.ceil(low / unit) * unit;
      if (first >= high) continue;
      const middle = Math.round((low + high) / 2 / unit) * unit;
      return tidy(middle >= low && middle < high ? middle : first);
    }
  }
  return low;
}

const tidy = (value: number): number => Number(value.toPrecision(12));
