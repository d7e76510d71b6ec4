/** How well an entry fits what was typed. Higher is better; undefined if a word is missing. */
export function matchScore(typed: string, title: string, more = ""): number | undefined {
  const words = wordsOf(typed);
  if (words.length === 0) return 0;
  const [name, rest] = [fold(title), fold(more)];
  let score = name.startsWith(fold(typed).trim()) ? 8 : 0;
  for (const word of words) {
    const at = name.indexOf(word);
    if (at === -1 && !rest.includes(word)) return undefined;
    score += at === -1 ? 1 : isWordStart(name, at) ? 4 : 2;
  }
  // Among equals the shorter name is the more exact one.
  return score + 1 / (1 + name.length);
}

/** The title in parts; those that were typed are marked. */
export function matchParts(
  typed: string,
  title: string,
): readonly { readonly text: string; readonly isHit: boolean }[] {
  const name = fold(title);
  // Folding kept the length, so positions in the folded name are positions in the title.
  const isHit = Array.from({ length: title.length }, () => false);
  if (name.length === title.length)
    for (const word of wordsOf(typed)) {
      const at = name.indexOf(word);
      if (at !== -1) isHit.fill(true, at, at + word.length);
    }
  const parts: { text: string; isHit: boolean }[] = [];
  for (const [index, letter] of [...title].entries()) {
    const last = parts.at(-1);
    if (last && last.isHit === isHit[index]) last.text += letter;
    else parts.push({ text: letter, isHit: isHit[index] ?? false });
  }
  return parts;
}

const wordsOf = (typed: string): string[] => fold(typed).split(/\s+/).filter(Boolean);

/** Case and the three apostrophes of Ukrainian do not count. */
const fold = (text: string): string => text.toLowerCase().replaceAll(/[’ʼ`]/g, "'");

const isWordStart = (name: string, at: number): boolean => at === 0 || /[^\p{L}\p{N}]/u.test(name[at - 1]!);
