import type { Language } from "../../base/text.ts";
import { bareOrQuoted, isBare, readQuoted } from "./escape.ts";
import { looseStatementWord, statementWord, trimmed } from "./keyword-match.ts";
import { inlineWords, spellings, statementWords } from "./keywords.ts";

/**
 * The text of a for-each icon as a line: `x; xs` is `ДЛЯ КОЖНОГО x З xs`, other texts with semicolons are `ДЛЯ i = 0; i < n; i++`,
 * a text that begins with "for each" itself is the line, and the rest is `ЦИКЛ: …`. Takes the first form that reads back as the
 * same text.
 */
export function forEachLine(text: string, language: Language): string {
  if (isBare(text, "head")) {
    const pair = text.includes("\n") ? null : /^([^;]+); ([^;]+)$/.exec(text);
    const words = looseStatementWord(text);
    const candidates = [
      pair && `${statementWords.forEach[language]} ${pair[1]} ${inlineWords.of[language]} ${pair[2]}`,
      words?.word === "forEach" && words.rest < text.length ? text : null,
      text.includes(";") ? `${statementWords.for[language]} ${text}` : null,
    ];
    for (const line of candidates) if (line !== null && readForEachLine(line) === text) return line;
  }
  const head = bareOrQuoted(text, "head");
  return `${statementWords.cycle[language]} ${head}`;
}

const OF = new RegExp(`[ \\t](?:${spellings("of").join("|")})[ \\t]`);

/** The icon's text for a line without its label: the inverse of `forEachLine`. */
export function readForEachLine(line: string): string {
  const found = statementWord(line) ?? looseStatementWord(line);
  const rest = found ? line.slice(found.rest) : "";
  // In lower case it is not a keyword but the author's text: keep it.
  const ours = found !== undefined && statementWord(line) !== undefined;
  if (found?.word === "cycle") return wholeQuoted(rest) ?? rest;
  if (found?.word === "for") return rest;
  const separator = ours ? OF.exec(rest) : null;
  if (!separator) return line;
  const each = trimmed(rest.slice(0, separator.index));
  const over = trimmed(rest.slice(separator.index + separator[0].length));
  return each === "" || over === "" ? line : `${each}; ${over}`;
}

function wholeQuoted(text: string): string | undefined {
  const found = readQuoted(text, 0);
  return found?.end === text.length ? found.text : undefined;
}
