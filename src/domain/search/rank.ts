/** A searched text: its terms, and terms of its surroundings, which count half. */
export interface SearchCandidate<T> {
  readonly item: T;
  readonly terms: readonly string[];
  readonly around: readonly string[];
}

export interface Ranked<T> {
  readonly item: T;
  readonly score: number;
  /** Share of the question that it covers, from 0 to 1, weighted by rarity. */
  readonly covers: number;
}

const SATURATION = 1.2;
const LENGTH = 0.5;
const AROUND = 0.5;

/**
 * The candidates that contain a term of the question, best first (BM25, times the covered share of the question).
 * Stable: ties keep their order, so that the same question gets the same answer.
 */
export function rank<T>(candidates: readonly SearchCandidate<T>[], question: readonly string[]): Ranked<T>[] {
  const asked = [...new Set(question)];
  const counted = candidates.map((candidate) => ({ candidate, counts: countsOf(candidate, asked) }));
  const weights = weightsOf(
    candidates.length,
    asked.map((_, index) => counted.filter(({ counts }) => counts[index]! > 0).length),
  );
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const average = candidates.reduce((sum, { terms }) => sum + terms.length, 0) / Math.max(1, candidates.length);
  return counted
    .flatMap(({ candidate, counts }): Ranked<T>[] => {
      const long = 1 - LENGTH + (LENGTH * candidate.terms.length) / Math.max(1, average);
      let [score, covered] = [0, 0];
      for (const [index, count] of counts.entries()) {
        if (count === 0) continue;
        covered += weights[index]!;
        score += weights[index]! * saturated(count, long);
      }
      return covered === 0 ? [] : [{ item: candidate.item, score: (score * covered) / whole, covers: covered / whole }];
    })
    .toSorted((a, b) => b.score - a.score);
}

function countsOf<T>({ terms, around }: SearchCandidate<T>, asked: readonly string[]): number[] {
  return asked.map((term) => {
    const own = terms.reduce((count, one) => count + (one === term ? 1 : 0), 0);
    return own > 0 ? own : around.includes(term) ? AROUND : 0;
  });
}

/** Weight of a term found in `found` of `all` texts; never zero, because a common word still carries information. */
const rarity = (all: number, found: number): number => Math.log(1 + (all - found + 0.5) / (found + 0.5));

/** A term found nowhere gets the average weight of the others: its rarity is unknown. */
export function weightsOf(all: number, found: readonly number[]): number[] {
  const known = found.filter((count) => count > 0).map((count) => rarity(all, count));
  const average = known.reduce((sum, weight) => sum + weight, 0) / Math.max(1, known.length);
  return found.map((count) => (count > 0 ? rarity(all, count) : average));
}

/** BM25 saturation: repetitions count less and less, and long texts need more of them. */
export const saturated = (count: number, long: number): number =>
  (count * (SATURATION + 1)) / (count + SATURATION * long);
