import { openBrackets } from "./brackets.ts";
import { CONTINUATION, DEPTH_MARK, isFence, readQuoted } from "./escape.ts";
import { looseStatementWord, statementWord } from "./keyword-match.ts";

/**
 * A line of pseudocode with its continuation lines: following lines that begin with `|`, or, if it leaves a bracket open, the
 * lines up to the closing bracket. They form one text with line breaks.
 */
export interface LogicalLine {
  readonly text: string;
  /** First and last line, from 1. */
  readonly line: number;
  readonly lastLine: number;
  readonly indent: number;
  /** Column of the first character of each line, from 1. */
  readonly columns: readonly number[];
  /** The next line is indented more deeply. */
  readonly opensBlock: boolean;
  /** A bracket in it is not closed. */
  readonly unclosed: boolean;
}

interface PhysicalLine {
  readonly text: string;
  readonly indent: number;
  readonly column: number;
}

/** A longer text is not recognised by its brackets; it is written with `|`. */
const MOST_BRACKETED_LINES = 100;
/** Deeper lines state their depth as a number: with spaces, the text would grow with the square of the depth. */
export const DEEPEST_INDENTED = 50;
export const INDENT = 2;

const NUMBER = /^[ \t]*\d+[|.:)│][ \t]?/;
const DEPTH = new RegExp(`^[ \\t]*${DEPTH_MARK}(\\d{1,9})⟩ ?`);
const TAB = 4;

/** Reads the lines of the first procedure in a text. */
export class LogicalLines {
  /** The first line of the procedure; undefined if there is none. */
  readonly begin: LogicalLine | undefined;
  readonly #lines: readonly string[];
  readonly #known: PhysicalLine[] = [];
  #numbered = false;
  /** Indentation of the first line. */
  #base = 0;
  #at: number;

  constructor(text: string, fromLine: number) {
    this.#lines = text.split("\n");
    this.#at = this.#findBegin(fromLine - 1);
    this.begin = this.#at < this.#lines.length ? this.#read() : undefined;
    this.#base = this.begin?.indent ?? 0;
    this.#known.length = 0;
  }

  /** The next non-blank line; undefined at the end of the text or of the fence around the procedure. */
  next(): LogicalLine | undefined {
    return this.#skipBlank() && !isFence(this.#physical(this.#at).text) ? this.#read() : undefined;
  }

  #findBegin(from: number): number {
    for (let index = from; index < this.#lines.length; index++) {
      const line = this.#lines[index]!;
      if (!/ПОЧАТОК|BEGIN/i.test(line)) continue;
      this.#numbered = NUMBER.test(line);
      if (nameInBegin(this.#physical(index).text) !== undefined) return index;
    }
    return this.#lines.length;
  }

  /** Cached, because the lines after an open bracket are read repeatedly. */
  #physical(index: number): PhysicalLine {
    return (this.#known[index] ??= this.#look(index));
  }

  #look(index: number): PhysicalLine {
    const whole = this.#lines[index]!;
    const from = (this.#numbered && NUMBER.exec(whole)?.[0].length) || 0;
    const depth = whole.includes(DEPTH_MARK) ? DEPTH.exec(whole.slice(from)) : null;
    let column = from + (depth?.[0].length ?? 0);
    let width = 0;
    if (!depth) {
      for (; whole[column] === " " || whole[column] === "\t"; column++)
        width = whole[column] === "\t" ? (Math.floor(width / TAB) + 1) * TAB : width + 1;
    }
    let end = whole.length;
    while (end > column && " \t\r".includes(whole[end - 1]!)) end--;
    return {
      text: whole.slice(column, end),
      indent: depth ? this.#base + INDENT * Number(depth[1]) : width,
      column: column + 1,
    };
  }

  /** The rest of a line after this much indentation. */
  #behind(index: number, indent: number): PhysicalLine {
    const line = this.#physical(index);
    if (line.text === "" || line.indent === indent) return line;
    const own = line.indent - indent;
    // Only spaces are restored: the width of a tab is not defined.
    const column = Math.max(1, line.column - own);
    return { text: this.#lines[index]!.slice(column - 1, line.column - 1 + line.text.length), indent, column };
  }

  #skipBlank(): boolean {
    while (this.#at < this.#lines.length && this.#physical(this.#at).text === "") this.#at++;
    return this.#at < this.#lines.length;
  }

  #read(): LogicalLine {
    const first = this.#physical(this.#at);
    const line = this.#at + 1;
    const pieces = [first];
    this.#at++;
    let unclosed = false;
    if (this.#at < this.#lines.length && isContinuation(this.#physical(this.#at).text)) {
      for (; this.#at < this.#lines.length && isContinuation(this.#physical(this.#at).text); this.#at++) {
        const { text: whole, indent, column } = this.#physical(this.#at);
        pieces.push({ text: whole.slice(2), indent, column: column + 2 });
      }
    } else if (openBrackets(first.text) > 0) {
      const end = this.#closingLine(first);
      unclosed = end === undefined;
      for (; this.#at <= (end ?? -1); this.#at++) pieces.push(this.#behind(this.#at, first.indent));
    }
    const lastLine = this.#at;
    return {
      text: pieces.length === 1 ? first.text : pieces.map((piece) => piece.text).join("\n"),
      line,
      lastLine,
      indent: first.indent,
      columns: pieces.map(({ column }) => column),
      opensBlock: this.#skipBlank() && this.#physical(this.#at).indent > first.indent,
      unclosed,
    };
  }

  /** The line that closes all brackets. Lines inside are deeper; only a closing bracket may have the indentation of the first line. */
  #closingLine(first: PhysicalLine): number | undefined {
    let open = openBrackets(first.text);
    for (let index = this.#at; index < Math.min(this.#lines.length, this.#at + MOST_BRACKETED_LINES); index++) {
      const { text: piece, indent } = this.#physical(index);
      if (piece === "") continue;
      if (indent < first.indent || (indent === first.indent && !/^[ )\]}]/.test(piece)) || isFence(piece))
        return undefined;
      open = openBrackets(piece, open);
      if (open === 0) return index;
    }
    return undefined;
  }
}

const isContinuation = (text: string): boolean => text === CONTINUATION || text.startsWith(`${CONTINUATION} `);

/**
 * The name in the first line of a procedure; undefined for any other line. Prose may begin with the same word, so the name must be
 * in quotation marks, and without a name the keyword must be in capitals.
 */
export function nameInBegin(text: string): string | undefined {
  const found = looseStatementWord(text);
  if (found?.word !== "begin") return undefined;
  const rest = text.slice(found.rest);
  if (rest === "") return statementWord(text) ? "" : undefined;
  const name = readQuoted(rest, 0, '"');
  if (name) return name.end === rest.length ? name.text : undefined;
  return /^[«“„]([^»“”"]*)[»“”"]$/.exec(rest)?.[1];
}

/** The brackets of a text of several lines mark its end, so that it can be written unchanged. */
export function isBracketed(text: string): boolean {
  const lines = text.split("\n", MOST_BRACKETED_LINES + 1);
  if (lines.length > MOST_BRACKETED_LINES || /^[ \t]*[|]/.test(lines[1]!)) return false;
  let open = 0;
  for (const [index, line] of lines.entries()) {
    open = openBrackets(line, open);
    if (open > 0 !== index < lines.length - 1) return false;
    if (/^[ \t]*(?:```|~~~|⟨|\t)/.test(line)) return false;
    if (index > 0 && !/^(?:[ )\]}]|$)/.test(line)) return false;
  }
  return true;
}
