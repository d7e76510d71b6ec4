const MAX_CHARACTERS = 400;

/** Dice coefficient over letter bigrams, 0 to 1. */
export function similarity(a: string, b: string): number {
  if (a === b) return 1;
  const [x, y] = [pairs(a), pairs(b)];
  let [common, total] = [0, 0];
  for (const [pair, count] of x) {
    common += Math.min(count, y.get(pair) ?? 0);
    total += count;
  }
  for (const count of y.values()) total += count;
  return total === 0 ? 0 : (2 * common) / total;
}

function pairs(text: string): Map<string, number> {
  const letters = text.slice(0, MAX_CHARACTERS).toLowerCase().replace(/\s+/g, " ");
  const found = new Map<string, number>();
  for (let i = 0; i + 1 < letters.length; i++) {
    const pair = letters.slice(i, i + 2);
    found.set(pair, (found.get(pair) ?? 0) + 1);
  }
  return found;
}
