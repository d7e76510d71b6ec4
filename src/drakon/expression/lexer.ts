import { MAX_EXPRESSION_CHARACTERS } from "./expression.ts";
import { raise } from "./problem.ts";

export interface Token {
  readonly kind: "number" | "text" | "word" | "mark" | "line" | "end";
  /** A word is in its `oneSpelling`, a mark in its canonical spelling. */
  readonly value: string;
  readonly at: number;
  /** No white space before it: `f (x)` is not a call. */
  readonly tight: boolean;
}

/** Longest first. The right column is the canonical spelling. */
const MARKS: readonly (readonly [string, string])[] = [
  ["<-", "←"],
  [":=", "←"],
  ["←", "←"],
  ["<=", "≤"],
  ["≤", "≤"],
  [">=", "≥"],
  ["≥", "≥"],
  ["==", "="],
  ["!=", "≠"],
  ["<>", "≠"],
  ["≠", "≠"],
  ["++", "++"],
  ["--", "--"],
  ["+=", "+="],
  ["-=", "-="],
  ["−", "-"],
  ["×", "*"],
  ["÷", "/"],
  ...[..."=<>+-*/%()[],.:;?"].map((mark) => [mark, mark] as const),
];

/**
 * A word begins with a letter or `_` and continues with letters, digits and `_`, with apostrophes before letters (`пам'ять`) and
 * with hyphens before letters (`read-notes`, `propose-v2`). So `n-1` and `n - m` are subtractions and `n-m` is one name.
 */
const WORD = /[\p{L}_][\p{L}\p{M}\p{N}_]*(?:(?:['’ʼ`](?=\p{L})|[-‐‑](?=\p{L}))[\p{L}\p{M}\p{N}_]+)*/uy;
/** Digits are required on both sides of the point. A comma is always a separator. */
const NUMBER = /\d+(?:\.\d+)?(?![\p{L}_])/uy;
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "«": "»", "“": "”", "„": "“”" };
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t" };

/** Splits a text into tokens. Throws `Raised` at the first character that no token can begin with. */
export function tokens(text: string): Token[] {
  if (text.length > MAX_EXPRESSION_CHARACTERS) raise("too-long", 0, String(MAX_EXPRESSION_CHARACTERS));
  const found: Token[] = [];
  let at = 0;
  let tight = false;
  const put = (kind: Token["kind"], value: string, length: number): void => {
    found.push({ kind, value, at, tight });
    at += length;
    tight = true;
  };
  while (at < text.length) {
    const one = text[at]!;
    if (/[\r\n\u2028\u2029]/.test(one)) {
      put("line", "\n", 1);
      tight = false;
    } else if (/\s/.test(one)) {
      at++;
      tight = false;
    } else if (QUOTES[one] !== undefined) {
      const { value, length } = quoted(text, at);
      put("text", value, length);
    } else {
      const word = matched(WORD, text, at);
      const number = word === undefined ? matched(NUMBER, text, at) : undefined;
      const mark = MARKS.find(([spelling]) => text.startsWith(spelling, at));
      if (word !== undefined) put("word", oneSpelling(word), word.length);
      else if (number !== undefined) put("number", number, number.length);
      else if (mark) put("mark", mark[1], mark[0].length);
      else raise("character", at, String.fromCodePoint(text.codePointAt(at)!));
    }
  }
  put("end", "", 0);
  return found;
}

/** Normalizes Unicode composition, apostrophes and hyphens: `пам’ять` and `пам'ять` are one name. */
export const oneSpelling = (word: string): string => word.normalize("NFC").replace(/[’ʼ`]/g, "'").replace(/[‐‑]/g, "-");

/** The whole text is one name. */
export const isName = (text: string): boolean => matched(WORD, text, 0)?.length === text.length && text !== "";

/** The name that a text begins with. */
export const leadingName = (text: string): string | undefined => matched(WORD, text, 0);

/** Every name that occurs in a text, prose included, in its `oneSpelling`. */
export const namesIn = (text: string): Set<string> =>
  new Set([...text.matchAll(new RegExp(WORD.source, "gu"))].map(([name]) => oneSpelling(name)));

function matched(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** `"…"` with `\"`, `\\`, `\n`, `\t`; `«…»` may be nested. A backslash before any other character is literal. */
function quoted(text: string, start: number): { value: string; length: number } {
  const open = text[start]!;
  const closing = QUOTES[open]!;
  let value = "";
  let depth = 1;
  for (let i = start + 1; i < text.length; i++) {
    const one = text[i]!;
    const next = text[i + 1] ?? "";
    if (one === "\\" && (next === "\\" || closing.includes(next) || next === open || ESCAPES[next] !== undefined)) {
      value += ESCAPES[next] ?? next;
      i++;
      continue;
    }
    if (closing.includes(one)) depth--;
    else if (one === open) depth++;
    if (depth === 0) return { value, length: i + 1 - start };
    value += one;
  }
  return raise("open-text", start);
}
