import { closingQuote, isInBrackets, isSelfContained, openBrackets } from "./brackets.ts";
import { statementWord } from "./keyword-match.ts";
import { ARROWS, inlineWords, spellings } from "./keywords.ts";

/**
 * Pseudocode holds texts unchanged, unless they could be misread at their position; then they are in backticks, with the escapes
 * of JSON. Most texts of real diagrams need none. Quotation marks cannot serve: they belong to the text (`ВАРІАНТ "completed"`
 * compares with a string). Only names, which are no expressions, are always in quotation marks.
 */

type TextPlace =
  /** The whole line. */
  | "action"
  /** After a keyword, to the end of the line. */
  | "tail"
  /** After a keyword in the head of a block, where a colon at the end is not part of the text. */
  | "head"
  /** Followed by more on the same line. */
  | "part"
  /** One of the two texts of a two-storey icon, `upper / lower`. */
  | "storey"
  /** In a condition. */
  | "question";

export const bareOrQuoted = (text: string, place: TextPlace): string => (isBare(text, place) ? text : quoted(text));

/** Invisible characters, those that change the display of others, and those that break lines. */
const UNPRINTABLE = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/;
const UNPRINTABLES = new RegExp(UNPRINTABLE, "g");
/** Editors drop spaces at the ends of lines, and spaces at the beginning are indentation. */
const RAGGED = /^[ \t\n]|[ \t\n]$|[ \t]\n/;
/** The beginning of a remark after a text: `[ТРИВАЛІСТЬ: 5 хв]`, `[ЦИКЛ 1]`. */
export const REMARK = new RegExp(
  `\\[(?:(${Object.values(inlineWords.duration).join("|")}):|(?:${spellings("loop").join("|")}) \\d+\\])`,
);
const SLASH = /(?:^|[ \t\n])\/(?:[ \t\n]|$)/;
const FENCE = /^(?:```|~~~)/;

/** A Markdown fence: a procedure inside a fence ends with it. */
export const isFence = (line: string): boolean => FENCE.test(line);
const all = (...words: ("and" | "or" | "thus" | "not")[]): string => words.flatMap(spellings).join("|");
const CONNECTIVE = new RegExp(
  `(?:^|[ \\t\\n])(?:${all("and", "or", "thus")})(?:[ \\t\\n]|$)|^(?:${all("not")})(?:[ \\t\\n(]|$)`,
);
const MAYBE_CONNECTIVE = /[A-ZА-ЯІ]/;
export const DEPTH_MARK = "⟨";
export const CONTINUATION = "|";

export function isBare(text: string, place: TextPlace): boolean {
  const first = text[0];
  if (first === undefined || first === "`" || RAGGED.test(text) || UNPRINTABLE.test(text)) return false;
  if (!text.isWellFormed()) return false;
  if (text.includes("[") && REMARK.test(text)) return false;
  switch (place) {
    case "action":
      return !looksLikeStatement(text) && !opensBracket(text);
    case "tail":
      return !opensBracket(text);
    case "head":
      return !text.endsWith(":") && !opensBracket(text);
    case "part":
      return isSelfContained(text);
    case "storey":
      return isSelfContained(text) && !SLASH.test(text);
    case "question":
      return (
        !text.endsWith(":") &&
        isSelfContained(text) &&
        !isInBrackets(text) &&
        !(MAYBE_CONNECTIVE.test(text) && CONNECTIVE.test(text))
      );
  }
}

/** A single line with an open bracket would swallow the following lines. A text of several lines marks its own end. */
const opensBracket = (text: string): boolean => !text.includes("\n") && openBrackets(text) > 0;

const looksLikeStatement = (text: string): boolean =>
  ARROWS.some((arrow) => text.startsWith(arrow)) ||
  text.startsWith(CONTINUATION) ||
  text.startsWith(DEPTH_MARK) ||
  isFence(text) ||
  statementWord(text) !== undefined;

const SHORT: Readonly<Record<string, string>> = { "\\": "\\\\", "\n": "\\n", "\t": "\\t", "\r": "\\r" };

type Mark = '"' | "`";

export function quoted(text: string, mark: Mark = "`"): string {
  const escaped = text
    .replace(mark === "`" ? /[`\\\n\t\r]/g : /["\\\n\t\r]/g, (character) => SHORT[character] ?? `\\${character}`)
    .replace(UNPRINTABLES, unicodeEscape);
  return mark + (text.isWellFormed() ? escaped : escaped.replace(/\p{Surrogate}/gu, unicodeEscape)) + mark;
}

const unicodeEscape = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;

const LONG: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** Reads a text written by `quoted` at this offset; undefined if there is none or it is not closed. */
export function readQuoted(
  source: string,
  at: number,
  mark: Mark = "`",
): { readonly text: string; readonly end: number } | undefined {
  if (source[at] !== mark) return undefined;
  const end = closingQuote(source, at);
  if (end === undefined) return undefined;
  const inside = source.slice(at + 1, end);
  if (!inside.includes("\\")) return { text: inside, end: end + 1 };
  const text = inside.replace(/\\(?:u\{([0-9a-f]{1,6})\}|(.))/gi, (whole, code: string | undefined, letter: string) => {
    if (code === undefined) return LONG[letter] ?? letter;
    const point = Number.parseInt(code, 16);
    return point <= 0x10ffff ? String.fromCodePoint(point) : whole;
  });
  return { text, end: end + 1 };
}
