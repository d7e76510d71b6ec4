import { blobId } from "../../base/canonical.ts";
import { joinLines, type MarkdownLine, markdownLines } from "../note/markdown-lines.ts";

/** An item of a list at the left edge, with all that belongs to it: a fact, a loop, a decision, a line of the changelog. */
export interface Entry {
  /** Lines of the file, from … to (without): the item and what is indented under it. */
  readonly line: number;
  readonly end: number;
  /** Its words on one line, without marker, box and name: its own line, and with all that is under it. */
  readonly title: string;
  readonly text: string;
  /** `x` for what is ticked off, a space for what is not; undefined for an item without a box. */
  readonly box: string | undefined;
  /** Where the line carries a name (`^loop-1a2b3c` at its end, which Obsidian can link to). */
  readonly name: string | undefined;
  /** The nearest heading above it. */
  readonly section: string | undefined;
}

const ITEM = /^(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[([ xX~-])\][ \t]+)?(.*?)(?:[ \t]+\^([a-z0-9-]{1,60}))?[ \t]*$/;
const RULE = /^[ \t]*(?:[-*_][ \t]*){3,}$/;

/** Every item in the order of the file. Text between the lists is nobody's item. */
export function entriesIn(file: string): Entry[] {
  const lines = markdownLines(file);
  const entries: Entry[] = [];
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

/** An item goes on with what is indented under it, also after blank lines, and with lines that follow it directly. */
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

/** Facts and decisions are counted by these. */
export const listItems = (file: string): number => entriesIn(file).length;

/** By what it says: the same words in another place, with another marker or other line ends, are the same fact. */
export const factId = ({ text }: Pick<Entry, "text">): string =>
  `fact-${blobId(Buffer.from(text.normalize("NFC"))).slice(0, 12)}`;

export const textOfEntry = (file: string, { line, end }: Pick<Entry, "line" | "end">): string =>
  joinLines(markdownLines(file).slice(line, end));

/** The file without these items; what stood between them stays. */
export function withoutEntries(file: string, gone: readonly Pick<Entry, "line" | "end">[]): string {
  const lines = markdownLines(file);
  const left = new Set(gone.flatMap(({ line, end }) => Array.from({ length: end - line }, (_, index) => line + index)));
  return joinLines(lines.filter((_, index) => !left.has(index)));
}

/** The end of a list: its last items with all that belongs to them. */
export function lastEntries(file: string, count: number): string {
  const entries = entriesIn(file);
  const from = entries.at(-count)?.line ?? 0;
  return entries.length <= count ? file : joinLines(markdownLines(file).slice(from));
}
