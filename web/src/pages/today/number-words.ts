import type { Language } from "../../i18n/use-t.ts";

const WORDS: Readonly<Record<Language, readonly string[]>> = {
  en: "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(
    " ",
  ),
  // Feminine, as "зміна" is.
  uk: "нуль одна дві три чотири п’ять шість сім вісім дев’ять десять одинадцять дванадцять тринадцять чотирнадцять п’ятнадцять шістнадцять сімнадцять вісімнадцять дев’ятнадцять двадцять".split(
    " ",
  ),
};

/** A small number as a word with a capital letter, for the first sentence of a page; larger ones as digits. */
export function numberWord(count: number, language: Language): string {
  const word = WORDS[language][count];
  return word === undefined ? String(count) : word.slice(0, 1).toLocaleUpperCase() + word.slice(1);
}
