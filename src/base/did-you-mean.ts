/**
 * The candidate nearest to a misspelt word, or undefined if none is near. Near: at most a third of its letters are wrong,
 * where swapping two neighbours counts as one mistake. Case, hyphens and underscores do not count.
 */
export function didYouMean(word: string, candidates: Iterable<string>): string | undefined {
  const meant = plain(word).slice(0, MAX_LENGTH);
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const target = plain(candidate);
    const longer = Math.max(meant.length, target.length);
    const most = Math.max(1, Math.floor(longer / 3));
    // Letters are missing at least by the difference in length: most of 100,000 names need no comparison.
    if (Math.abs(meant.length - target.length) > Math.min(most, best?.distance ?? most)) continue;
    const distance = mistakes(meant, target);
    if (distance > most || distance >= longer) continue; // too far, or nothing in common
    if (!best || distance < best.distance) best = { candidate, distance };
  }
  return best?.candidate;
}

const MAX_LENGTH = 100;
const plain = (text: string): string => text.toLowerCase().replaceAll(/[-_\s]/g, "");

/** Letters to add, drop, change or swap with their neighbour to get from `a` to `b` (optimal string alignment). */
function mistakes(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, beforeLast[j - 2]! + 1);
      row.push(cost);
    }
    beforeLast = last;
    last = row;
  }
  return last[b.length]!;
}
