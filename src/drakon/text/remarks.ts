import type { Language } from "../../base/text.ts";
import { isBare, quoted, readQuoted } from "./escape.ts";
import { skipSpaces, trimmed } from "./keyword-match.ts";
import { inlineWords, spellings } from "./keywords.ts";

/** Remarks in brackets after a text: `[ТРИВАЛІСТЬ: 5 хв]` after any, `[ЦИКЛ 1]` after the head of a loop. */

export const durationRemark = (text: string, language: Language): string => {
  const inside = isBare(text, "part") && !/[[\]]/.test(text) ? text : quoted(text);
  return ` [${inlineWords.duration[language]}: ${inside}]`;
};

const DURATION = new RegExp(`\\[(?:${spellings("duration").join("|")}):[ \\t]*`, "y");

const BARE = /[^[\]]*\]/y;

export function readDuration(source: string, at: number): { readonly text: string; readonly end: number } | undefined {
  if (source[at] !== "[") return undefined;
  DURATION.lastIndex = at;
  const opening = DURATION.exec(source);
  if (!opening) return undefined;
  const from = at + opening[0].length;
  const marked = readQuoted(source, from);
  if (marked) {
    const end = skipSpaces(source, marked.end);
    if (source[end] === "]") return { text: marked.text, end: end + 1 };
  }
  BARE.lastIndex = from;
  const bare = BARE.exec(source)?.[0];
  return bare === undefined ? undefined : { text: trimmed(bare.slice(0, -1)), end: from + bare.length };
}

export const loopRemark = (label: number | undefined, language: Language): string =>
  label === undefined ? "" : ` [${inlineWords.loop[language]} ${label}]`;

const LOOP = new RegExp(`\\[(?:${spellings("loop").join("|")}) (\\d{1,9})\\]$`);

/** The head of a loop without its label. */
export function withoutLabel(head: string): { readonly head: string; readonly label?: number } {
  const found = head.endsWith("]") ? LOOP.exec(head) : null;
  return found ? { head: trimmed(head.slice(0, found.index)), label: Number(found[1]) } : { head };
}

/** `"Name" [2]`: a name in quotation marks or to the end of the line, and a number if the name is not unique. */
export function readBranchName(
  source: string,
  at: number,
): { readonly name: string; readonly number: number | undefined; readonly end: number } | undefined {
  const marked = readQuoted(source, at, '"');
  if (!marked) {
    const name = trimmed(source.slice(at).replace(/:$/, ""));
    return name === "" ? undefined : { name, number: undefined, end: source.length };
  }
  const end = skipSpaces(source, marked.end);
  const number = /\[(\d{1,9})\]:?$/y;
  number.lastIndex = end;
  const found = number.exec(source)?.[1];
  return { name: marked.text, number: found === undefined ? undefined : Number(found), end };
}

/** The number that makes up the rest of the line. */
export function readNumber(source: string, at: number): number | undefined {
  const rest = source.slice(at, at + 10);
  return /^\d{1,9}:?$/.test(rest) && at + rest.length === source.length ? Number.parseInt(rest, 10) : undefined;
}
