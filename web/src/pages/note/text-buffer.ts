import { markdownParts } from "../../../../src/domain/note/markdown-parts.ts";

/**
 * A text that is being written. Only one part of it is in a field of the page, and nobody reads the rest while somebody types: a key
 * costs the same in a note of five megabytes as in one of a page.
 */
export interface TextBuffer {
  /** All of it, as it is at this moment. */
  readonly text: () => string;
  /** The part in the field, as it is at this moment. */
  readonly part: () => string;
  readonly place: () => BufferPosition;
  /** Where the field should be marked when it comes up; undefined: wherever it was. */
  readonly marked: () => readonly [start: number, end: number] | undefined;
  /** The field that shows the part from now on; what it returns lets go of it. */
  readonly hold: (field: HTMLTextAreaElement) => () => void;
  /** To another part, counted from 0. */
  readonly go: (index: number) => void;
  readonly goToLine: (line: number) => void;
  /** To the next place that has these words, in any case; whether there is one. */
  readonly find: (words: string) => boolean;
  /** Another text, from its beginning. */
  readonly put: (text: string) => void;
  /** What was pasted may be too long for a field; it is shared out when the writer rests. */
  readonly settle: () => void;
  readonly watch: (onChange: () => void) => () => void;
  /** Grows with everything that puts another text into the field. */
  readonly version: () => number;
}

export interface BufferPosition {
  readonly index: number;
  readonly count: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly lines: number;
}

const PART = 24_000;

export function textBuffer(first: string, size = PART): TextBuffer {
  let parts = splitText(first, size);
  let index = 0;
  let field: HTMLTextAreaElement | undefined;
  let version = 0;
  let marked: readonly [number, number] | undefined;
  const watchers = new Set<() => void>();

  const take = (): void => {
    if (field) parts[index] = field.value;
  };
  const show = (to: number, mark?: readonly [number, number]): void => {
    field = undefined; // whoever shows the part hands in another one
    index = Math.max(0, Math.min(to, parts.length - 1));
    marked = mark;
    version++;
    for (const tell of watchers) tell();
  };
  const before = (upTo: number): number => parts.slice(0, upTo).reduce((sum, part) => sum + part.length, 0);
  /** The part that holds a place of the whole text, and where in it. */
  const at = (place: number): readonly [part: number, within: number] => {
    let rest = place;
    for (const [each, { length }] of parts.entries()) {
      if (rest < length || each === parts.length - 1) return [each, rest];
      rest -= length;
    }
    return [0, 0];
  };
  const text = (): string => {
    take();
    return parts.join("");
  };
  const showPlace = (start: number, end: number): void => {
    const [part, within] = at(start);
    show(part, [within, Math.min(within + end - start, parts[part]!.length)]);
  };

  return {
    text,
    part: () => {
      take();
      return parts[index]!;
    },
    place: () => {
      const counts = parts.map(newLines);
      const firstLine = 1 + counts.slice(0, index).reduce((sum, count) => sum + count, 0);
      const lines = 1 + counts.reduce((sum, count) => sum + count, 0);
      const ends = parts[index]!.endsWith("\n") ? 1 : 0;
      return { index, count: parts.length, firstLine, lastLine: firstLine + counts[index]! - ends, lines };
    },
    marked: () => marked,
    hold: (shown) => {
      field = shown;
      return () => {
        if (field !== shown) return;
        take();
        field = undefined;
      };
    },
    go: (to) => {
      take();
      show(to, [0, 0]);
    },
    goToLine: (line) => {
      const whole = text();
      let start = 0;
      for (let number = 1; number < line; number++) {
        const end = whole.indexOf("\n", start);
        if (end === -1) break;
        start = end + 1;
      }
      const end = whole.indexOf("\n", start);
      showPlace(start, end === -1 ? whole.length : end);
    },
    find: (words) => {
      if (words === "") return false;
      const from = before(index) + (field?.selectionEnd ?? 0);
      const whole = text();
      const wanted = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "giu");
      wanted.lastIndex = from;
      const found = wanted.exec(whole) ?? wanted.exec(whole); // the second time from the beginning
      if (!found) return false;
      showPlace(found.index, found.index + found[0].length);
      return true;
    },
    put: (now) => {
      parts = splitText(now, size);
      show(0);
    },
    settle: () => {
      take();
      if (parts[index]!.length <= MOST * size) return;
      const caret = before(index) + (field?.selectionEnd ?? 0);
      parts.splice(index, 1, ...splitText(parts[index]!, size));
      showPlace(caret, caret);
    },
    watch: (onChange) => {
      watchers.add(onChange);
      return () => watchers.delete(onChange);
    },
    version: () => version,
  };
}

/** A part grows while it is written; it is shared out when it is so many times as long as it was to be. */
const MOST = 4;

const splitText = (text: string, size: number): string[] =>
  text.length <= 2 * size ? [text] : markdownParts(text, size).map((part) => part.text);

function newLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
