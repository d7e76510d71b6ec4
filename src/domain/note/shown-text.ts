import { splitFrontMatter } from "./front-matter.ts";
import { WIKI_LINK } from "./link-syntax.ts";

/**
 * The text of a note with the parts blanked that hold no links and no tags: properties, code, `%% comments %%`, math,
 * HTML blocks and tags. Every blanked character is a space and line breaks stay, so positions are those of the note.
 */
export function shownText(text: string): string {
  const blanks: [number, number][] = [];
  const front = splitFrontMatter(text);
  const start = front ? text.length - front.body.length : 0;
  if (start > 0) blanks.push([0, start]);
  new Scan(text, start, blanks).run();
  let shown = "";
  let at = 0;
  for (const [from, to] of blanks) {
    shown += text.slice(at, from) + text.slice(from, to).replaceAll(/[^\r\n]/g, " ");
    at = to;
  }
  return shown + text.slice(at);
}

const QUOTE_MARKS = /^(?: {0,3}>[ \t]?)*/;
const FENCE_MARK = /^([ \t]*)(`{3,}|~{3,})(.*)$/;
const LIST_ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
/** CommonMark's HTML blocks, each with what ends it; "" is an empty line. */
const HTML_BLOCKS: readonly (readonly [RegExp, RegExp | ""])[] = [
  [/^ {0,3}<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [
    /^ {0,3}<\/?(?:address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul)(?:\s|\/?>|$)/i,
    "",
  ],
];
const LONGEST_FORMULA = 2000;
const WHOLE_TAG = /^ {0,3}<\/?[a-z][a-z0-9-]*(?:\s+[^<>]*)?\/?>[ \t]*$/i;

/** One pass over the text. Limits of a search (the end of a paragraph, of the text) keep it close to linear. */
class Scan {
  readonly #text: string;
  readonly #blanks: [number, number][];
  #at: number;
  #isAfterEmpty = true;
  #isInList = false;
  /** Marks without a partner before this position: they are not searched again. */
  readonly #unpaired = new Map<string, number>();
  #paragraph = -1;

  constructor(text: string, from: number, blanks: [number, number][]) {
    this.#text = text;
    this.#at = from;
    this.#blanks = blanks;
  }

  run(): void {
    while (this.#at < this.#text.length) this.#block();
  }

  #block(): void {
    const end = this.#lineEnd(this.#at);
    const line = this.#text.slice(this.#at, end);
    const inner = line.slice(QUOTE_MARKS.exec(line)![0].length);
    if (inner.trim() === "") {
      this.#isAfterEmpty = true;
      this.#at = end + 1;
      return;
    }
    const isIndented = /^(?: {4}|\t)/.test(inner);
    if (LIST_ITEM.test(inner)) this.#isInList = true;
    else if (this.#isAfterEmpty && !/^[ \t]/.test(inner)) this.#isInList = false;
    const isFirst = this.#isAfterEmpty;
    this.#isAfterEmpty = false;
    if (this.#skipFence(inner, isIndented && !this.#isInList) || this.#skipHtml(inner, isFirst)) return;
    if (isIndented && isFirst && !this.#isInList) this.#skipIndented();
    else this.#line(end);
  }

  #skipFence(inner: string, isCode: boolean): boolean {
    const mark = isCode ? undefined : (FENCE_MARK.exec(inner) ?? undefined);
    const item = mark ? undefined : /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(`{3,}|~{3,})([^`]*)$/.exec(inner);
    const fence = mark?.[2] ?? item?.[1];
    if (fence === undefined || (fence.startsWith("`") && (mark?.[3] ?? "").includes("`"))) return false;
    this.#skipUntil((line) => {
      const closing = FENCE_MARK.exec(line);
      return closing !== null && closing[2]!.startsWith(fence) && closing[3]!.trim() === "" ? "after" : "no";
    });
    return true;
  }

  #skipHtml(inner: string, isFirst: boolean): boolean {
    const block = HTML_BLOCKS.find(([begin]) => begin.test(inner));
    const ends = block?.[1] ?? (isFirst && WHOLE_TAG.test(inner) ? "" : undefined);
    if (ends === undefined) return false;
    if (ends !== "" && ends.test(inner)) this.#skipLine();
    else
      this.#skipUntil((line) =>
        ends === "" ? (line.trim() === "" ? "before" : "no") : ends.test(line) ? "after" : "no",
      );
    return true;
  }

  #skipIndented(): void {
    this.#skipUntil((line) => (line.trim() === "" || /^(?: {4}|\t)/.test(line) ? "no" : "before"));
    this.#isAfterEmpty = true;
  }

  #skipLine(): void {
    const end = this.#lineEnd(this.#at);
    this.#blank(this.#at, end);
    this.#at = end + 1;
  }

  /** Blanks this line and the following ones, up to a line that ends the block; without one, to the end of the text. */
  #skipUntil(ends: (line: string) => "no" | "before" | "after"): void {
    const from = this.#at;
    let at = this.#lineEnd(from) + 1;
    while (at < this.#text.length) {
      const end = this.#lineEnd(at);
      const line = this.#text.slice(at, end);
      const verdict = ends(line.slice(QUOTE_MARKS.exec(line)![0].length));
      if (verdict === "before") break;
      at = end + 1;
      if (verdict === "after") break;
    }
    this.#blank(from, Math.min(at, this.#text.length));
    this.#at = at;
  }

  /** Inline syntax from here to the end of the line; a code span, comment or formula may end on a later line. */
  #line(end: number): void {
    let limit = end;
    while (this.#at < limit) {
      const to = this.#inline();
      if (to === undefined) this.#at++;
      else {
        this.#at = to;
        if (to > limit) limit = this.#lineEnd(to);
      }
    }
    this.#at = Math.max(this.#at, limit) + 1;
  }

  /** The end of the construct that begins here, blanked if it is no text; undefined if none begins here. */
  #inline(): number | undefined {
    const at = this.#at;
    switch (this.#text[at]) {
      case "\\":
        return at + 2;
      case "`":
        return this.#code();
      case "%":
        return this.#text.startsWith("%%", at) ? this.#pair("%%") : undefined;
      case "$":
        return this.#text.startsWith("$$", at) ? this.#pair("$$") : this.#formula();
      case "<":
        return this.#text.startsWith("<!--", at) ? this.#pair("<!--", "-->") : this.#tag();
      case "[":
        WIKI_LINK.lastIndex = at;
        return WIKI_LINK.exec(this.#text) ? WIKI_LINK.lastIndex : undefined;
      default:
        return undefined;
    }
  }

  #code(): number {
    const at = this.#at;
    let from = at;
    while (this.#text[from] === "`") from++;
    const run = this.#text.slice(at, from);
    const close = this.#closingRun(run, from);
    if (close === -1) return from;
    this.#blank(at, close + run.length);
    return close + run.length;
  }

  #closingRun(run: string, from: number): number {
    const end = this.#paragraphEnd(from);
    if (this.#unpaired.get(run) === end) return -1;
    for (let at = this.#text.indexOf(run, from); at !== -1 && at < end; ) {
      let to = at;
      while (this.#text[to] === "`") to++;
      if (to - at === run.length) return at;
      at = this.#text.indexOf(run, to);
    }
    this.#unpaired.set(run, end);
    return -1;
  }

  #pair(open: string, close = open): number {
    const from = this.#at + open.length;
    const at = this.#unpaired.has(open) ? -1 : this.#text.indexOf(close, from);
    if (at === -1) {
      this.#unpaired.set(open, this.#text.length);
      return from;
    }
    this.#blank(this.#at, at + close.length);
    return at + close.length;
  }

  /** `$x$`: no space inside the dollar signs, and no digit behind them (`$5 and $6` are prices). */
  #formula(): number | undefined {
    const from = this.#at + 1;
    if (/\s/.test(this.#text[from] ?? " ")) return undefined;
    const end = Math.min(this.#lineEnd(from), from + LONGEST_FORMULA);
    for (let at = this.#text.indexOf("$", from); at !== -1 && at < end; at = this.#text.indexOf("$", at + 1)) {
      if (/[\s\\]/.test(this.#text[at - 1]!) || /\d/.test(this.#text[at + 1] ?? "")) continue;
      this.#blank(this.#at, at + 1);
      return at + 1;
    }
    return undefined;
  }

  #tag(): number | undefined {
    // `[words](<path with spaces.md>)` and `[words]: <path with spaces.md>` hold no tag.
    if (/\](?:\(|:[ \t]*)$/.test(this.#text.slice(Math.max(this.#at - 10, 0), this.#at))) return undefined;
    const found = /^<\/?[a-z][^<>\n]{0,1000}>/i.exec(this.#text.slice(this.#at, this.#at + 1004));
    if (!found) return undefined;
    this.#blank(this.#at, this.#at + found[0].length);
    return this.#at + found[0].length;
  }

  #blank(from: number, to: number): void {
    this.#blanks.push([from, to]);
  }

  #lineEnd(at: number): number {
    const end = this.#text.indexOf("\n", at);
    return end === -1 ? this.#text.length : end;
  }

  #paragraphEnd(at: number): number {
    if (at <= this.#paragraph) return this.#paragraph;
    const found = /\n[ \t\r]*\n/g;
    found.lastIndex = at;
    this.#paragraph = found.exec(this.#text)?.index ?? this.#text.length;
    return this.#paragraph;
  }
}
