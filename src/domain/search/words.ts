import { stemEn } from "./stem-en.ts";
import { stemUk } from "./stem-uk.ts";
import { isStopWord } from "./stop-words.ts";

/**
 * From text to what is compared in a search: the same for whoever looks for words and whoever is looked through. Letter case,
 * kinds of apostrophes, decomposed letters, stress marks and soft hyphens make no difference.
 */
export interface Word {
  /** As it is written in the text, in composed form. */
  readonly written: string;
  /** What its forms have in common. */
  readonly stem: string;
}

const WORD = /[\p{L}\p{N}]+(?:['’ʼ`′][\p{L}]+)*/gu;
/** Stress marks, soft hyphens, characters without width. */
const UNSEEN = /[\u0300\u0301\u00ad\u200b-\u200d\u2060\ufeff]/g;
const APOSTROPHES = /['’ʼ`′]/g;
const MAX_WORD = 64;

/** Every word, those that tell nothing included. */
export function* wordsIn(text: string): Generator<Word> {
  const composed = text.normalize("NFC");
  const plain = UNSEEN.test(composed) ? composed.replaceAll(UNSEEN, "") : composed;
  UNSEEN.lastIndex = 0;
  for (const [written] of plain.matchAll(WORD))
    if (written.length <= MAX_WORD) yield { written, stem: stemOf(written) };
}

/** Stems of the words that tell what a text is about, in their order. */
export const termsIn = (text: string): string[] =>
  [...wordsIn(text)].filter(({ written }) => !isIdle(written)).map(({ stem }) => stem);

/** Whether a word tells nothing about the text that it stands in. */
export const isIdle = (written: string): boolean => isStopWord(plainWord(written));

const plainWord = (written: string): string =>
  written
    .toLowerCase()
    .replace(/(?<=[a-z])['’ʼ`′]s$/, "")
    .replaceAll(APOSTROPHES, "");

/** Words repeat: most stems are known already. Forgotten all at once when there are too many, which costs no more than it saves. */
const known = new Map<string, string>();
const MOST_KNOWN = 100_000;

export function stemOf(written: string): string {
  const stored = known.get(written);
  if (stored !== undefined) return stored;
  const word = plainWord(written);
  const stem = /[а-щьюяєіїґ]/.test(word) ? stemUk(word) : /^[a-z]+$/.test(word) ? stemEn(word) : word;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(written, stem);
  return stem;
}
