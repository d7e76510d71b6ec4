import { type Language, languages, type Text } from "../../base/text.ts";
import { exitVariants, exitWords, statementVariants, statementWords } from "./keywords.ts";

interface WordMatch<Word> {
  readonly word: Word;
  readonly language: Language;
  /** Offset after the word, its colon and spaces. */
  readonly rest: number;
}

interface Phrase<Word> extends Omit<WordMatch<Word>, "rest"> {
  readonly phrase: string;
}

/** Phrases by first word, the longest first. */
type Phrases<Word> = ReadonlyMap<string, readonly Phrase<Word>[]>;

const LONGEST_FIRST_WORD = 24;

const statements = phrasesOf(statementWords, statementVariants);
const exits = phrasesOf(exitWords, exitVariants);

/** The keyword at the start of a line, in capitals. */
export const statementWord = (text: string): WordMatch<keyof typeof statementWords> | undefined =>
  text < "A" ? undefined : match(statements, text, firstWord(text), false);

/** The keyword in any case. Only for a line with an indented block under it, which a plain step cannot have. */
export const looseStatementWord = (text: string): WordMatch<keyof typeof statementWords> | undefined =>
  match(statements, text, firstWord(text).toUpperCase(), true);

/** The keyword after an arrow, in any case: after an arrow it is unambiguous. */
export const exitWord = (text: string): WordMatch<keyof typeof exitWords> | undefined =>
  match(exits, text, firstWord(text).toUpperCase(), true);

function phrasesOf<Word extends string>(
  words: Readonly<Record<Word, Text>>,
  variants: Readonly<Partial<Record<Word, readonly string[]>>>,
): Phrases<Word> {
  const map = new Map<string, Phrase<Word>[]>();
  for (const word of Object.keys(words) as Word[]) {
    const main = languages.map((language) => ({ word, language, phrase: words[word][language].replace(":", "") }));
    const others = (variants[word] ?? []).map((phrase) => ({ word, language: scriptOf(phrase), phrase }));
    for (const one of [...main, ...others]) {
      const first = firstWord(one.phrase);
      map.set(
        first,
        [...(map.get(first) ?? []), one].toSorted((a, b) => b.phrase.length - a.phrase.length),
      );
    }
  }
  return map;
}

function scriptOf(phrase: string): Language {
  return /[A-Z]/.test(phrase) ? "en" : "uk";
}

function firstWord(text: string): string {
  const end = text.slice(0, LONGEST_FIRST_WORD).search(/[ \t\n:,"(]/);
  return end < 0 ? text.slice(0, LONGEST_FIRST_WORD) : text.slice(0, end);
}

function match<Word>(
  phrases: Phrases<Word>,
  text: string,
  first: string,
  anyLetters: boolean,
): WordMatch<Word> | undefined {
  for (const { phrase, word, language } of phrases.get(first) ?? []) {
    const written = text.slice(0, phrase.length);
    if (written !== phrase && !(anyLetters && written.toUpperCase() === phrase)) continue;
    const behind = text[phrase.length];
    if (behind !== undefined && !/[ \t\n:"]/.test(behind) && !(behind === "(" && /(?:IF|ЯКЩО)$/.test(phrase))) continue;
    return { word, language, rest: skipSpaces(text, behind === ":" ? phrase.length + 1 : phrase.length) };
  }
  return undefined;
}

/** Skips spaces, tabs and line breaks only: a text may begin with a no-break space. */
export function skipSpaces(text: string, from: number): number {
  let at = from;
  while (isSpace(text[at])) at++;
  return at;
}

export const isSpace = (character: string | undefined): boolean =>
  character === " " || character === "\t" || character === "\n";

export function trimmed(text: string): string {
  const from = skipSpaces(text, 0);
  let end = text.length;
  while (end > from && isSpace(text[end - 1])) end--;
  return text.slice(from, end);
}
