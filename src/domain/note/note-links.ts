import { splitFrontMatter } from "./front-matter.ts";
import { decodedPart, WIKI_LINK } from "./link-syntax.ts";
import { shownText } from "./shown-text.ts";

/**
 * A link as Obsidian reads it: `[[target#part|words]]`, `[words](target.md#part)`, the same with `!` (an embed),
 * `[words]: target.md` (the address of the links `[words]`), and `"[[target]]"` in a property. URLs are no links to
 * notes; code, comments, math and HTML hold none.
 */
export interface NoteLink {
  /** From 1. */
  readonly line: number;
  /** The link text. */
  readonly text: string;
  /** As written, without the part; "" is the note itself. */
  readonly target: string;
  /** After `#`: a heading, headings (`A#B`), or a block (`^id`); "" if the link names none. */
  readonly part: string;
  /** `path`: Markdown, percent-encoded; `name`: double brackets. */
  readonly kind: "path" | "name";
  readonly isEmbed: boolean;
}

interface Found extends NoteLink {
  /** Position of the target in the text. */
  readonly from: number;
  readonly to: number;
}

const PATH =
  /(?<!\\)(!?)\[((?:[^[\]\\\n]|\\.){0,500})\]\([ \t]*(<[^<>\n]{1,1000}>|[^\s()<>]{1,1000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,200})*)(?:[ \t]+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|\([^()\n]{0,500}\)))?[ \t]*\)/gu;
/** A line of its own, after quotation marks; `[^1]:` is a footnote. */
const DEFINITION =
  /^([ \t>]{0,100}\[)((?!\^)(?:[^[\]\\\n]|\\.){1,500})\]:[ \t]*(<[^<>\n]{1,1000}>|[^\s<>]\S{0,1000})(?:[ \t]+(?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|\([^()\n]{0,500}\)))?[ \t]*\r?$/gmu;
/** Lines before a definition: it cannot interrupt a paragraph. */
const NO_PARAGRAPH = /^[ \t>]*(?:#{1,6}[ \t].*|-{3,}|={3,}|\*{3,}|_{3,})?[ \t\r]*$/;
const NAME = new RegExp(`(?<!\\\\)(!?)${WIKI_LINK.source}`, "gu");
const PROPERTY = new RegExp(`(["'])${WIKI_LINK.source}\\1`, "gu");
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|\?)/i;
const WEB_NAME = /^[a-z][a-z0-9+.-]*:\/\/|^mailto:/i;

export const linksIn = (text: string): readonly NoteLink[] =>
  foundIn(text).map(({ line, text: words, target, part, kind, isEmbed }) => ({
    line,
    text: words,
    target,
    part,
    kind,
    isEmbed,
  }));

function foundIn(text: string): Found[] {
  if (!["[[", "](", "]:"].some((mark) => text.includes(mark))) return [];
  const shown = shownText(text);
  const lineAt = lineCounter(text);
  return [...inProperties(text), ...pathLinks(text, shown), ...definitions(text, shown), ...nameLinks(text, shown)]
    .toSorted((a, b) => a.from - b.from)
    .map((link) => ({ ...link, line: lineAt(link.from) }));
}

type Unplaced = Omit<Found, "line">;

function* pathLinks(text: string, shown: string): Generator<Unplaced> {
  for (const match of shown.matchAll(PATH)) {
    const start = match.index + match[1]!.length + match[2]!.length + 3;
    const words = text.slice(match.index + match[1]!.length + 1, start - 2);
    const link = pathLink(match[3]!, shown.indexOf(match[3]!, start));
    if (link) yield { ...link, text: words, isEmbed: match[1] === "!" };
  }
}

function* definitions(text: string, shown: string): Generator<Unplaced> {
  let end = 0;
  for (const match of shown.matchAll(DEFINITION)) {
    const before = shown.slice(shown.lastIndexOf("\n", match.index - 2) + 1, Math.max(match.index - 1, 0));
    if (match.index !== end && !NO_PARAGRAPH.test(before)) continue;
    end = match.index + match[0].length + 1;
    const start = match.index + match[1]!.length;
    const words = text.slice(start, start + match[2]!.length);
    const link = pathLink(match[3]!, shown.indexOf(match[3]!, start + words.length + 2));
    if (link) yield { ...link, text: words, isEmbed: false };
  }
}

/** `at` is the position of the address, with its angle brackets if it has them. */
function pathLink(written: string, at: number): Omit<Unplaced, "text" | "isEmbed"> | undefined {
  const bare = written.startsWith("<") ? written.slice(1, -1) : written;
  if (ELSEWHERE.test(bare)) return undefined;
  const [target = ""] = /^[^#?]*/.exec(bare) ?? [];
  const part = /#([^?]*)/.exec(bare)?.[1] ?? "";
  if (target === "" && part === "") return undefined;
  const from = at + (bare === written ? 0 : 1);
  return { target, part: decodedPart(part), kind: "path", from, to: from + target.length };
}

function* nameLinks(text: string, shown: string): Generator<Unplaced> {
  for (const match of shown.matchAll(NAME)) {
    const from = match.index + match[1]!.length + 2;
    const link = nameLink(text.slice(from, from + match[2]!.length), match[3], from);
    if (link) yield { ...link, isEmbed: match[1] === "!" };
  }
}

/** Only a quoted `[[…]]` that is a whole value is a link; without quotes it is a list in a list. */
function* inProperties(text: string): Generator<Unplaced> {
  const front = splitFrontMatter(text);
  for (const match of front?.yaml.matchAll(PROPERTY) ?? []) {
    const link = nameLink(match[2]!, match[3], front!.open.length + match.index + 3);
    if (link) yield { ...link, isEmbed: false };
  }
}

function nameLink(inside: string, words: string | undefined, from: number): Omit<Unplaced, "isEmbed"> | undefined {
  const [written = ""] = /^[^#]*/.exec(inside) ?? [];
  const part = inside.slice(written.length + 1).trim();
  if ((written.trim() === "" && part === "") || WEB_NAME.test(written)) return undefined;
  const lead = written.length - written.trimStart().length;
  const target = written.trim();
  return {
    text: words ?? inside.trim(),
    target,
    part,
    kind: "name",
    from: from + lead,
    to: from + lead + target.length,
  };
}

/** Returns line numbers for positions that only grow. */
function lineCounter(text: string): (at: number) => number {
  let [line, end] = [1, text.indexOf("\n")];
  return (at) => {
    while (end !== -1 && end < at) {
      line++;
      end = text.indexOf("\n", end + 1);
    }
    return line;
  };
}

/** Replaces link targets; undefined keeps a target. All other bytes stay. */
export function withLinks(text: string, change: (link: NoteLink) => string | undefined): string {
  let changed = text;
  for (const found of foundIn(text).toReversed()) {
    const to = change(found);
    if (to !== undefined) changed = changed.slice(0, found.from) + to + changed.slice(found.to);
  }
  return changed;
}
