import { rateInterval } from "../logic/rate-interval.ts";
import type { BehaviourCounts } from "./behaviour-figures.ts";

/** S-9b: the rules by which a behaviour of another garden is suggested for an agent. They claim nothing that the figures do not carry. */

/**
 * `figures`: its interval of good runs lies above that of the agent's logic, both over enough judged runs. `replay`: on our recorded
 * runs it would do better more often than worse, and chance does not explain the difference.
 */
export const suggestionReasons = ["figures", "replay"] as const;
export type SuggestionReason = (typeof suggestionReasons)[number];

/** Our recorded runs on another logic. */
export interface ReplayedRuns {
  readonly same: number;
  readonly better: number;
  readonly worse: number;
  readonly unknown: number;
}

export function reasonsToSuggest(
  {
    theirs,
    ours,
    replay,
  }: { readonly theirs: BehaviourCounts; readonly ours: BehaviourCounts; readonly replay: ReplayedRuns | undefined },
  { enough, confidence }: { readonly enough: number; readonly confidence: number },
): readonly SuggestionReason[] {
  const found: SuggestionReason[] = [];
  if (isAbove(theirs, ours, enough, confidence) && !isWorse(replay)) found.push("figures");
  if (replay && isBetter(replay, confidence)) found.push("replay");
  return found;
}

function isAbove(theirs: BehaviourCounts, ours: BehaviourCounts, enough: number, confidence: number): boolean {
  const rates = [theirs, ours].map(({ good, bad }) => ({ hits: good, of: good + bad }));
  if (rates.some(({ of }) => of < Math.max(1, enough))) return false;
  const [above, below] = rates.map((rate) => rateInterval(rate, confidence));
  return above!.low > below!.high;
}

/** The replay on our runs outweighs figures from elsewhere. */
const isWorse = (replay: ReplayedRuns | undefined): boolean => replay !== undefined && replay.worse > replay.better;

/** The recordings must tell the result for at least half of the runs. */
const isBetter = ({ same, better, worse, unknown }: ReplayedRuns, confidence: number): boolean =>
  better > worse && unknown <= same + better + worse && signTest(better, worse) <= 1 - confidence;

/** Two-sided exact sign test: the probability of a split at least as uneven if better and worse were equally likely. */
export function signTest(a: number, b: number): number {
  const count = a + b;
  // In logarithms: 2^count and the binomial coefficients overflow for long records.
  let [term, tail] = [-count * Math.LN2, 0];
  for (let k = 0; k <= Math.min(a, b); k++) {
    tail += Math.exp(term);
    term += Math.log((count - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

/** Share of steps that two lists have in common, from 0 to 1; equal steps are paired once. */
export function sharedSteps(a: readonly string[], b: readonly string[]): number {
  const left = new Map<string, number>();
  for (const step of a) left.set(step, (left.get(step) ?? 0) + 1);
  let common = 0;
  for (const step of b) {
    const there = left.get(step) ?? 0;
    if (there === 0) continue;
    left.set(step, there - 1);
    common++;
  }
  return common === 0 ? 0 : common / Math.max(a.length, b.length);
}
