import { z } from "zod";
import type { Language, Text } from "../../base/text.ts";
import type { Operation } from "./operation.ts";

/** One line that shows a change in a list. `more`: changed lines that it does not show. */
export const changePreview = z.strictObject({ text: z.string(), more: z.int().min(0) });
export type ChangePreview = z.infer<typeof changePreview>;

interface ChangedFile {
  readonly change: "added" | "changed" | "removed";
  /** Unified diff; empty if the file is not text. */
  readonly patch: string;
}

/** The preview of a change, made from the change itself; undefined for changes of logic and merges, which one line cannot show. */
export function previewOfChange(
  operation: Operation,
  files: readonly ChangedFile[],
  sentences: readonly Text[],
  language: Language,
): ChangePreview | undefined {
  switch (operation.action) {
    case "logic-update":
    case "logic-rollback":
    case "propose-merge":
      return undefined;
    case "propose-tag": {
      const { add, remove } = operation.payload;
      return {
        text: clipped([...add.map((tag) => `+#${tag}`), ...remove.map((tag) => `−#${tag}`)].join(" ")),
        more: 0,
      };
    }
    case "propose-note":
    case "propose-comment":
    case "propose-summary":
      return operation.payload.text === "" ? ofPatches(files) : ofText(operation.payload.text);
    case "memory-update": {
      const [first, ...others] = sentences;
      return first ? { text: clipped(first[language]), more: others.length } : ofPatches(files);
    }
    case "propose-edit":
    case "propose-artifact":
      return ofPatches(files);
  }
}

/** The first line of a text that has words; its properties and blank lines are left out. */
function ofText(text: string): ChangePreview | undefined {
  const lines = filled(text.replace(/^---\n.*?\n---(?:\n|$)/s, "").split("\n"));
  const [first, ...others] = lines;
  return first === undefined ? undefined : { text: clipped(first), more: others.length + cutOff(first) };
}

function ofPatches(files: readonly ChangedFile[]): ChangePreview | undefined {
  const changes = files.flatMap(({ patch }) => patch.split("\n").filter((line) => /^[-+](?!--|\+\+)/.test(line)));
  const removed = filled(changes.filter((line) => line.startsWith("-")).map((line) => line.slice(1)));
  const added = filled(changes.filter((line) => line.startsWith("+")).map((line) => line.slice(1)));
  const [before, after] = [removed[0], added[0]];
  const all = removed.length + added.length;
  if (before === undefined && after === undefined) return undefined;
  if (before === undefined || after === undefined) {
    const line = before ?? after!;
    return { text: clipped(`${before === undefined ? "+" : "−"} ${line}`), more: all - 1 + cutOff(line) };
  }
  const [from, to] = differingWords(before, after);
  return {
    text: `${clipped(from, HALF)} → ${clipped(to, HALF)}`,
    more: all - 2 + cutOff(from, HALF) + cutOff(to, HALF),
  };
}

/** The words of two lines that differ, without the words that they begin and end with alike. */
function differingWords(before: string, after: string): [string, string] {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const most = Math.min(one.length, other.length) - start;
  while (end < most && one.at(-1 - end) === other.at(-1 - end)) end++;
  // A number or a short word says little alone: the word before it and the space between are shown too.
  const isShort = [one, other].some((words) => joinedWords(words, start, end).length < SHORT);
  if (isShort) start = Math.max(0, start - 2);
  return [joinedWords(one, start, end), joinedWords(other, start, end)];
}

/** A link is one word. */
const wordsOf = (line: string): string[] =>
  line.trim().match(/!?\[\[[^\]]*\]\]|!?\[[^\]]*\]\([^)]*\)|\s+|[^\s[]+|\[/g) ?? [];
const joinedWords = (words: readonly string[], start: number, end: number): string =>
  words
    .slice(start, words.length - end)
    .join("")
    .trim() || "∅";

const filled = (lines: readonly string[]): string[] => lines.map((line) => line.trim()).filter((line) => line !== "");

const SHORT = 5;
const MAX_PREVIEW = 160;
const HALF = 76;

const cutOff = (text: string, limit = MAX_PREVIEW): number => (text.length > limit ? 1 : 0);

/** Without control and direction characters: it is a stranger's text on one line. */
function clipped(text: string, limit = MAX_PREVIEW): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\s\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, " ")
    .trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1).toWellFormed()}…`;
}
