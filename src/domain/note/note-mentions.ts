import { WIKI_LINK } from "./link-syntax.ts";
import { shownText } from "./shown-text.ts";

/** Words of a text that are the name of a note and not yet a link to it. */
export interface NoteMention {
  /** From 1. */
  readonly line: number;
  /** Offset in the line, in UTF-16 units. */
  readonly column: number;
  /** As written in the text. */
  readonly words: string;
}

const LINKS = new RegExp(
  `!?${WIKI_LINK.source}|!?\\[(?:[^[\\]\\n]){0,500}\\]\\((?:[^()\\n]|\\([^()\\n]*\\)){0,1000}\\)|https?:\\/\\/\\S+`,
  "gu",
);

/** Mentions of any of these names, in order, at most `most`. A name is found as whole words, ignoring case. */
export function mentionsIn(text: string, names: readonly string[], most: number): NoteMention[] {
  const wanted = names.map((name) => name.trim()).filter((name) => name.length >= 3);
  if (wanted.length === 0) return [];
  const low = text.toLowerCase();
  if (!wanted.some((name) => low.includes(name.toLowerCase()))) return [];
  const shown = shownText(text).replaceAll(LINKS, (link) => link.replaceAll(/[^\r\n]/g, " "));
  const longestFirst = wanted.toSorted((a, b) => b.length - a.length).map(asPattern);
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${longestFirst.join("|")})(?![\\p{L}\\p{N}_])`, "giu");
  const found: NoteMention[] = [];
  for (const [number, line] of shown.split("\n").entries()) {
    for (const match of line.matchAll(pattern)) {
      if (found.length >= most) return found;
      found.push({ line: number + 1, column: match.index, words: match[0] });
    }
  }
  return found;
}

const asPattern = (name: string): string => name.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(/\s+/g, "\\s+");

/** The text with a mention turned into a link. Undefined if the words are not there any more. */
export function linkMention(text: string, { line, column, words }: NoteMention, name: string): string | undefined {
  const lines = text.split("\n");
  const there = lines[line - 1];
  if (there === undefined || there.slice(column, column + words.length) !== words) return undefined;
  const link = words.toLowerCase() === name.toLowerCase() ? `[[${words}]]` : `[[${name}|${words}]]`;
  lines[line - 1] = there.slice(0, column) + link + there.slice(column + words.length);
  return lines.join("\n");
}
