import { advanceOf } from "./glyph-widths.ts";

/** Text broken into lines, with its size. */
export interface TextBlock {
  readonly lines: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly size: number;
  readonly bold: boolean;
  /** Text with line breaks of its own (a list, code) is aligned left. */
  readonly leftAligned: boolean;
}

export const FONT_SIZE = 14;
const LINE_HEIGHT = 1.3;
/** Width factor of bold letters; the table holds regular ones. */
const BOLD = 1.1;

/** Width of one line from a fixed table, so that it is the same on every machine. */
export function widthOf(line: string, size = FONT_SIZE, bold = false): number {
  let hundredths = 0;
  for (const char of line) hundredths += advanceOf(char.codePointAt(0)!);
  return (hundredths * size * (bold ? BOLD : 1)) / 100;
}

export interface Wrapping {
  readonly maxWidth: number;
  readonly size?: number;
  readonly bold?: boolean;
}

/** How much wider than its maximum a text may become for the sake of a long word. */
const WIDEST = 2;

/**
 * Breaks at the author's line breaks, at spaces and after operators; inside a word only if the word alone is too long for a wider
 * icon too. The rest of a line keeps its indentation.
 */
export function wrap(text: string, { maxWidth: wanted, size = FONT_SIZE, bold = false }: Wrapping): TextBlock {
  const lines: string[] = [];
  const authored = xmlText(text)
    .replace(/^(?:[ ]*\n)+/, "")
    .trimEnd()
    .split("\n");
  let longest = wanted;
  for (const line of authored) {
    const indent = widthOf(/^ */.exec(line)![0], size, bold);
    for (const { part } of partsOf(line)) {
      const width = indent + widthOf(part, size, bold);
      if (width <= wanted * WIDEST) longest = Math.max(longest, width);
    }
  }
  const maxWidth = Math.ceil(longest);
  for (const line of authored) {
    for (const piece of wrapLine(line.trimEnd(), maxWidth, size, bold)) lines.push(piece);
  }
  let width = 0;
  for (const line of lines) width = Math.max(width, Math.ceil(widthOf(line, size, bold)));
  const shown = lines.length === 1 && lines[0] === "" ? 0 : lines.length;
  return {
    lines: shown === 0 ? [] : lines,
    width,
    height: Math.ceil(shown * size * LINE_HEIGHT),
    size,
    bold,
    leftAligned: authored.length > 1,
  };
}

export const lineHeight = (size: number): number => size * LINE_HEIGHT;

/** The parts of a line between which it may be broken: at spaces, and after an operator inside a word. */
function partsOf(line: string): { readonly part: string; readonly gap: string }[] {
  return line
    .trim()
    .split(/ +/)
    .flatMap((word) =>
      word
        .split(OPERATOR)
        .filter((part) => part !== "")
        .map((part, index) => ({ part, gap: index === 0 ? " " : "" })),
    );
}

/** After an opening bracket, a comma, an arrow or an arithmetic sign. Hyphens and dots belong to names. */
const OPERATOR = /(?<=[([{,;=+*/←→|&<>])(?=[\p{L}\p{N}_"«([{])/u;

function wrapLine(line: string, maxWidth: number, size: number, bold: boolean): string[] {
  if (widthOf(line, size, bold) <= maxWidth) return [line];
  const lines: string[] = [];
  const indent = /^ */.exec(line)![0];
  const room = Math.max(maxWidth - widthOf(indent, size, bold), maxWidth / 2);
  let current = "";
  for (const { part, gap } of partsOf(line)) {
    const longer = current === "" ? part : current + gap + part;
    if (widthOf(longer, size, bold) <= room) {
      current = longer;
      continue;
    }
    if (current !== "") lines.push(indent + current);
    const pieces = widthOf(part, size, bold) <= room ? [part] : cut(part, room, size, bold);
    for (const piece of pieces.slice(0, -1)) lines.push(indent + piece);
    current = pieces.at(-1)!;
  }
  if (current !== "") lines.push(indent + current);
  return lines.length === 0 ? [""] : lines;
}

/**
 * Breaks a word that is too long: after a hyphen, a slash or the like if one is in the second half of the line, anywhere
 * otherwise. A combining mark stays with its letter.
 */
function cut(word: string, maxWidth: number, size: number, bold: boolean): string[] {
  const pieces: string[] = [];
  let piece: string[] = [];
  let width = 0;
  for (const char of word) {
    const advance = widthOf(char, size, bold);
    if (piece.length > 0 && advance > 0 && width + advance > maxWidth) {
      const seam = piece.findLastIndex((part) => SEAMS.has(part)) + 1;
      const rest = seam > piece.length / 2 ? piece.splice(seam) : [];
      pieces.push(piece.join(""));
      piece = rest;
      width = widthOf(rest.join(""), size, bold);
    }
    piece.push(char);
    width += advance;
  }
  pieces.push(piece.join(""));
  return pieces;
}

const SEAMS: ReadonlySet<string> = new Set("-_/\\.,:;)]}=&?");

// Characters that XML does not allow.
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]/g;

/** Removes characters that XML cannot carry (control characters, lone surrogates) and turns a tab into two spaces. */
export const xmlText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll("\t", "  ")
    .replace(/\r\n?|\u0085|\u2028|\u2029/g, "\n")
    .replace(UNWRITABLE, "");
