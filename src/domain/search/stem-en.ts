/** English stemmer: removes inflections and the most common derivations. Expects lower case. */
export function stemEn(word: string): string {
  if (word.length <= 3) return word;
  const known = STRANGE.get(word);
  if (known !== undefined) return known;
  return withoutDerivation(withoutTense(withoutPlural(word)));
}

const VOWEL = /[aeiouy]/;

function withoutPlural(word: string): string {
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (word.endsWith("ies")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  if (/(?:sses|xes|ches|shes|zzes|oes)$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}

function withoutTense(word: string): string {
  if (word.endsWith("ied")) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
  const ending = /(?:eed|ingly|edly|ing|ed)$/.exec(word)?.[0];
  if (ending === undefined || ending === "eed") return word;
  const stem = word.slice(0, -ending.length);
  if (stem.length < 3 || !VOWEL.test(stem)) return word;
  if (stem.length === 3) return /[aeiouy][bcdfgkmnprstvz]$/.test(stem) ? `${stem}e` : stem;
  return /([bdfgkmnprt])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

const DERIVED: readonly (readonly [suffix: string, instead: string])[] = [
  ["ational", "at"],
  ["ization", "iz"],
  ["isation", "iz"],
  ["fulness", "ful"],
  ["ousness", "ous"],
  ["iveness", "iv"],
  ["ation", "at"],
  ["ition", "it"],
  ["ically", "ic"],
  ["ment", ""],
  ["ness", ""],
  ["ical", "ic"],
  ["ise", "iz"],
  ["ize", "iz"],
  ["ate", "at"],
  ["ive", "iv"],
  ["ion", ""],
  ["ally", "al"],
  ["ly", ""],
];

function withoutDerivation(word: string): string {
  for (const [suffix, instead] of DERIVED) {
    if (!word.endsWith(suffix)) continue;
    const left = word.slice(0, -suffix.length) + instead;
    if (left.length >= 4) return left.replace(/e$/, "").replace(/y$/, "i");
  }
  return word.replace(/(.{4,})e$/, "$1").replace(/(.{2,})y$/, "$1i");
}

const STRANGE = new Map(
  Object.entries({
    children: "child",
    men: "man",
    women: "woman",
    people: "person",
    feet: "foot",
    mice: "mouse",
    news: "news",
    made: "make",
    wrote: "writ",
    written: "writ",
    grew: "grow",
    grown: "grow",
    found: "find",
    programming: "programming",
  }),
);
