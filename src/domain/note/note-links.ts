import { joinLines, markdownLines } from "./markdown-lines.ts";

/**
 * Links from one note to another: `[words](../path.md#part)` and `[[name|words]]`. URLs, anchors in the same note,
 * and code are ignored.
 */
export interface NoteLink {
  /** From 1. */
  readonly line: number;
  /** The link text. */
  readonly text: string;
  /** As written, without the part after `#` or `?`. */
  readonly target: string;
  readonly kind: "path" | "name";
}

interface Found extends NoteLink {
  /** Position of the target in its line. */
  readonly from: number;
  readonly to: number;
}

const PATH =
  /\[((?:[^[\]\\]|\\.){0,500})\]\(\s*(<[^<>\n]{1,1000}>|[^\s()<>]{1,1000}(?:\([^\s()]{0,200}\)[^\s()<>]{0,200})?)(?:\s+"[^"\n]{0,500}")?\s*\)/gu;
const NAME = /\[\[([^[\]|#\n]{1,500})(?:#[^[\]|\n]{0,500})?(?:\|([^[\]\n]{0,500}))?\]\]/gu;
const ELSEWHERE = /^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\?)/i;

export const linksIn = (text: string): readonly NoteLink[] =>
  foundIn(text).map(({ line, text: shown, target, kind }) => ({ line, text: shown, target, kind }));

function foundIn(text: string): Found[] {
  return markdownLines(text).flatMap(({ text: line, code }, index) =>
    code ? [] : [...linksOfLine(withoutCode(line), index + 1)].toSorted((a, b) => a.from - b.from),
  );
}

function* linksOfLine(line: string, number: number): Generator<Found> {
  for (const match of line.matchAll(PATH)) {
    const written = match[2]!;
    const bare = written.startsWith("<") ? written.slice(1, -1) : written;
    const target = bare.replace(/[#?].*$/, "");
    if (target === "" || ELSEWHERE.test(bare)) continue;
    const from = match.index + match[0].indexOf(written, match[1]!.length + 2) + (bare === written ? 0 : 1);
    yield { line: number, text: match[1]!, target, kind: "path", from, to: from + target.length };
  }
  for (const match of line.matchAll(NAME)) {
    const target = match[1]!;
    const from = match.index + 2;
    yield { line: number, text: match[2] ?? target.trim(), target, kind: "name", from, to: from + target.length };
  }
}

/** Blanks code between backticks, keeping the length so that positions stay. */
const withoutCode = (line: string): string => line.replaceAll(/(`+)(?:(?!\1).)+\1/g, (code) => " ".repeat(code.length));

/** The file that a relative link points to, from the top of the repository; undefined if it leads outside. */
export function leadsTo(note: string, target: string): string | undefined {
  const plain = decoded(target);
  const from = plain.startsWith("/") ? [] : foldersOf(note);
  const parts: string[] = [];
  for (const part of [...from, ...plain.split("/")]) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/").normalize("NFC");
}

const foldersOf = (note: string): string[] => note.split("/").slice(0, -1);

function decoded(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** The relative path from one note to another. */
export function linkFrom(note: string, to: string): string {
  const [from, there] = [foldersOf(note), to.split("/")];
  let shared = 0;
  while (shared < Math.min(from.length, there.length - 1) && from[shared] === there[shared]) shared++;
  const path = [...from.slice(shared).map(() => ".."), ...there.slice(shared)].join("/");
  return path.replaceAll(/[\s()<>%"#?]/g, (sign) => encodeURIComponent(sign).replace("(", "%28").replace(")", "%29"));
}

/** Replaces link targets; undefined keeps a target. All other bytes stay. */
export function withLinks(text: string, change: (link: NoteLink) => string | undefined): string {
  const lines = markdownLines(text).map(({ text: line, end }) => ({ text: line, end }));
  for (const found of foundIn(text).toReversed()) {
    const to = change(found);
    const line = lines[found.line - 1]!;
    if (to !== undefined) line.text = line.text.slice(0, found.from) + to + line.text.slice(found.to);
  }
  return joinLines(lines);
}
