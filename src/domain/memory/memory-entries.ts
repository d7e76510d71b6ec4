import { blobId } from "../../base/canonical.ts";
import { joinLines, type MarkdownLine, markdownLines } from "../note/markdown-lines.ts";

/** A top-level list item with its indented lines: a fact, a loop, a decision, a line of the changelog. */
export interface MemoryEntry {
  /** Line range, `end` exclusive: the item and its indented lines. */
  readonly line: number;
  readonly end: number;
  /** Text without marker, checkbox and name: the first line, and all lines joined into one. */
  readonly title: string;
  readonly text: string;
  /** `x` if ticked, a space if not; undefined without a checkbox. */
  readonly box: string | undefined;
  /** The block name at the end of the line (`^loop-1a2b3c`, which Obsidian can link to), if there is one. */
  readonly name: string | undefined;
  /** The nearest heading above it. */
  readonly section: string | undefined;
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX~-])\][ \t]+)?(.*?)(?:[ \t]+\^([a-z0-9-]{1,60}))?[ \t]*$/;
const RULE = /^[ \t]*(?:[-*_][ \t]*){3,}$/;

/** Every item in the order of the file. Text between lists is skipped. */
export function entriesIn(file: string): MemoryEntry[] {
  const lines = markdownLines(file);
  const entries: MemoryEntry[] = [];
  let section: string | undefined;
  for (let at = 0; at < lines.length; ) {
    const line = lines[at]!;
    if (line.heading) section = line.heading.title;
    const item = itemOf(line);
    if (!item) {
      at++;
      continue;
    }
    const end = endOf(lines, at);
    const rest = lines.slice(at + 1, end).map(({ text }) => text);
    entries.push({
      line: at,
      end,
      title: item[2]!,
      text: [item[2]!, ...rest].join(" ").replace(/\s+/g, " ").trim(),
      box: item[1]?.toLowerCase(),
      name: item[3],
      section,
    });
    at = end;
  }
  return entries;
}

function itemOf({ text, code, heading }: MarkdownLine): RegExpExecArray | undefined {
  if (code || heading || RULE.test(text)) return undefined;
  const item = ITEM.exec(text);
  return item && item[2] !== "" ? item : undefined;
}

/** An item includes lines indented under it, also after blank lines, and lines that directly follow it. */
function endOf(lines: readonly MarkdownLine[], from: number): number {
  let end = from + 1;
  for (let at = end; at < lines.length; at++) {
    const { text, code, heading } = lines[at]!;
    if (text.trim() === "" && !code) continue;
    const inFence = code && at === end && lines[at - 1]!.code && at - 1 > from;
    const indented = /^[ \t]/.test(text) && heading === undefined;
    const follows = at === end && !code && !heading && !itemOf(lines[at]!) && !RULE.test(text);
    if (!inFence && !indented && !follows) break;
    end = at + 1;
  }
  return end;
}

/** The number of facts or decisions in a file. */
export const listItems = (file: string): number => entriesIn(file).length;

/** Derived from the text: the same words with another place, marker or line end are the same fact. */
export const factId = ({ text }: Pick<MemoryEntry, "text">): string =>
  `fact-${blobId(Buffer.from(text.normalize("NFC"))).slice(0, 12)}`;

export const textOfEntry = (file: string, { line, end }: Pick<MemoryEntry, "line" | "end">): string =>
  joinLines(markdownLines(file).slice(line, end));

/** Removes these items; text between them stays. */
export function withoutEntries(file: string, gone: readonly Pick<MemoryEntry, "line" | "end">[]): string {
  const lines = markdownLines(file);
  const left = new Set(gone.flatMap(({ line, end }) => Array.from({ length: end - line }, (_, index) => line + index)));
  return joinLines(lines.filter((_, index) => !left.has(index)));
}

/** The last items of a list, with their indented lines. */
export function lastEntries(file: string, count: number): string {
  const entries = entriesIn(file);
  const from = entries.at(-count)?.line ?? 0;
  return entries.length <= count ? file : joinLines(markdownLines(file).slice(from));
}
