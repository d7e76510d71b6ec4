import { markdownParts } from "../../../../src/domain/note/markdown-parts.ts";

/** The part in the field, and its lines in the whole text. */
export interface BufferPosition {
  readonly index: number;
  readonly count: number;
  readonly firstLine: number;
  readonly lastLine: number;
  readonly lines: number;
}

type Range = readonly [start: number, end: number];

const PART = 24_000;
/** A part that has grown to this many times the size of a part is split again. */
const MOST_GROWTH = 4;

/**
 * A text being edited. Only one part of it is in a textarea, and the others are not touched while typing: a key costs the same in a note
 * of five megabytes as in one of a page.
 */
export class TextBuffer {
  readonly #size: number;
  #parts: string[];
  #index = 0;
  #field: HTMLTextAreaElement | undefined;
  #version = 0;
  #selection: Range | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(text: string, size = PART) {
    this.#size = size;
    this.#parts = splitText(text, size);
  }

  /** The whole text as it is now. */
  text(): string {
    this.#readField();
    return this.#parts.join("");
  }

  /** The part in the field as it is now. */
  readonly part = (): string => {
    this.#readField();
    return this.#parts[this.#index]!;
  };

  /** Increases whenever another text is put into the field. */
  readonly version = (): number => this.#version;

  readonly subscribe = (onChange: () => void): (() => void) => {
    this.#listeners.add(onChange);
    return () => this.#listeners.delete(onChange);
  };

  /** The range to select when the part is shown; undefined leaves the caret alone. */
  selection(): Range | undefined {
    return this.#selection;
  }

  position(): BufferPosition {
    const counts = this.#parts.map(newLines);
    const index = this.#index;
    const firstLine = 1 + counts.slice(0, index).reduce((sum, count) => sum + count, 0);
    const lines = 1 + counts.reduce((sum, count) => sum + count, 0);
    const ends = this.#parts[index]!.endsWith("\n") ? 1 : 0;
    return { index, count: this.#parts.length, firstLine, lastLine: firstLine + counts[index]! - ends, lines };
  }

  /** Sets the field that shows the part. Returns a function that releases it. */
  attach(field: HTMLTextAreaElement): () => void {
    this.#field = field;
    return () => {
      if (this.#field !== field) return;
      this.#readField();
      this.#field = undefined;
    };
  }

  /** Shows another part, counted from 0. */
  goToPart(index: number): void {
    this.#readField();
    this.#show(index, [0, 0]);
  }

  goToLine(line: number): void {
    const whole = this.text();
    let start = 0;
    for (let number = 1; number < line; number++) {
      const end = whole.indexOf("\n", start);
      if (end === -1) break;
      start = end + 1;
    }
    const end = whole.indexOf("\n", start);
    this.#showRange(start, end === -1 ? whole.length : end);
  }

  /** Shows the next match, ignoring case, and continues at the start. Returns false if there is none. */
  find(words: string): boolean {
    if (words === "") return false;
    const from = this.#caret();
    const whole = this.text();
    const wanted = new RegExp(words.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&"), "giu");
    wanted.lastIndex = from;
    const found = wanted.exec(whole) ?? wanted.exec(whole); // a failed search resets `lastIndex`
    if (!found) return false;
    this.#showRange(found.index, found.index + found[0].length);
    return true;
  }

  /** Replaces the whole text. */
  replace(text: string): void {
    this.#parts = splitText(text, this.#size);
    this.#show(0);
  }

  /** Splits a part that has become too long, for example by pasting. */
  resplit(): void {
    this.#readField();
    const part = this.#parts[this.#index]!;
    if (part.length <= MOST_GROWTH * this.#size) return;
    const caret = this.#caret();
    this.#parts.splice(this.#index, 1, ...splitText(part, this.#size));
    this.#showRange(caret, caret);
  }

  #readField(): void {
    if (this.#field) this.#parts[this.#index] = this.#field.value;
  }

  #show(index: number, selection?: Range): void {
    this.#field = undefined; // the part is shown in a new field, which calls `attach`
    this.#index = Math.max(0, Math.min(index, this.#parts.length - 1));
    this.#selection = selection;
    this.#version++;
    for (const listener of this.#listeners) listener();
  }

  /** Shows the part with a range of the whole text, and selects it. */
  #showRange(start: number, end: number): void {
    let within = start;
    let index = 0;
    while (index < this.#parts.length - 1 && within >= this.#parts[index]!.length) {
      within -= this.#parts[index]!.length;
      index++;
    }
    this.#show(index, [within, Math.min(within + end - start, this.#parts[index]!.length)]);
  }

  /** The caret's offset in the whole text. */
  #caret(): number {
    const before = this.#parts.slice(0, this.#index).reduce((sum, part) => sum + part.length, 0);
    return before + (this.#field?.selectionEnd ?? 0);
  }
}

const splitText = (text: string, size: number): string[] =>
  text.length <= 2 * size ? [text] : markdownParts(text, size).map((part) => part.text);

function newLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
  return count;
}
