import { splitFrontMatter } from "./front-matter.ts";
import { type MarkdownLine, markdownLines } from "./markdown-lines.ts";

/** Lines of a note, from 1, both included. */
export interface NotePartLines {
  readonly first: number;
  readonly last: number;
}

/**
 * The lines that the part of a link means: `Heading` and `Outer#Inner` a section up to the next heading of its level, `^id` a block.
 * Undefined if the note has no such part; a link to it leads to the note all the same.
 */
export function linesOfPart(text: string, part: string): NotePartLines | undefined {
  const front = splitFrontMatter(text);
  const before = front ? text.slice(0, text.length - front.body.length).split("\n").length - 1 : 0;
  const lines = markdownLines(front?.body ?? text);
  const steps = part
    .split("#")
    .map((step) => step.trim())
    .filter((step) => step !== "");
  const block = /^\^([\w-]+)$/.exec(steps.at(-1) ?? "")?.[1];
  const found = block === undefined ? section(lines, steps.map(headingKey)) : blockLines(lines, block.toLowerCase());
  return found && { first: before + found[0] + 1, last: before + found[1] + 1 };
}

/** Headings compare without case, punctuation and markup. */
const headingKey = (title: string): string =>
  title
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}\s_-]+/gu, " ")
    .replaceAll(/\s+/g, " ")
    .trim()
    .toLowerCase();

function section(lines: readonly MarkdownLine[], steps: readonly string[]): [number, number] | undefined {
  if (steps.length === 0) return undefined;
  for (let at = 0; at < lines.length; at++) {
    if (!isHeading(lines[at]!, steps.at(-1)!)) continue;
    if (isBelow(lines, at, steps.slice(0, -1))) return [at, sectionEnd(lines, at)];
  }
  return undefined;
}

const isHeading = ({ heading }: MarkdownLine, key: string): boolean =>
  heading !== undefined && headingKey(heading.title) === key;

/** True if the headings above this one contain the steps, in order. */
function isBelow(lines: readonly MarkdownLine[], at: number, steps: readonly string[]): boolean {
  let level = lines[at]!.heading!.level;
  let open = steps.length;
  for (let up = at - 1; up >= 0 && open > 0; up--) {
    const { heading } = lines[up]!;
    if (heading === undefined || heading.level >= level) continue;
    level = heading.level;
    if (headingKey(heading.title) === steps[open - 1]) open--;
  }
  return open === 0;
}

function sectionEnd(lines: readonly MarkdownLine[], at: number): number {
  const { level } = lines[at]!.heading!;
  let end = at;
  while (end + 1 < lines.length && !((lines[end + 1]!.heading?.level ?? 7) <= level)) end++;
  while (end > at && lines[end]!.text.trim() === "") end--;
  return end;
}

/** The block that ends in ` ^id`, or the one above a line that holds the id alone. */
function blockLines(lines: readonly MarkdownLine[], id: string): [number, number] | undefined {
  const at = lines.findIndex(
    ({ text, code }) => !code && /(?:^|\s)\^([\w-]+)\s*$/.exec(text)?.[1]?.toLowerCase() === id,
  );
  if (at < 0) return undefined;
  let last = at;
  if (/^\s*\^[\w-]+\s*$/.test(lines[at]!.text)) {
    last--;
    while (last >= 0 && lines[last]!.text.trim() === "") last--;
    if (last < 0) return [at, at];
  }
  if (last === at && ITEM.test(lines[last]!.text)) return [last, last];
  let first = last;
  while (first > 0 && isSameBlock(lines[first - 1]!)) first--;
  return [first, last];
}

const ITEM = /^\s*(?:[-*+]|\d{1,9}[.)])\s/;
const isSameBlock = ({ text, heading }: MarkdownLine): boolean => heading === undefined && text.trim() !== "";
