import { type DiffRow, type PatchHunk, readPatch, type WordPart, wordParts } from "./patch.ts";

/** One line of the Words view. A changed line holds both sides; lines that share too little are two lines. */
export interface WordLine {
  readonly kind: "same" | "changed" | "added" | "removed";
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly parts: readonly WordPart[];
}

/** Lines that are shown, or lines between them that are not. */
export type WordBlock =
  | { readonly kind: "lines"; readonly lines: readonly WordLine[] }
  | {
      readonly kind: "hidden";
      /** The first hidden line of each side. */
      readonly before: number;
      readonly after: number;
      /** Undefined if the length of the file is not known yet. */
      readonly count: number | undefined;
    };

/** The least share of words that a changed line keeps; below it the two lines are shown one after the other. */
const LEAST_KEPT = 0.3;

/** The blocks of a patch. `total`: the number of lines of the changed file, if it was read. */
export function wordBlocks(patch: string, total: number | undefined): readonly WordBlock[] {
  const hunks = readPatch(patch);
  const blocks: WordBlock[] = [];
  let [before, after] = [1, 1];
  for (const hunk of hunks) {
    const count = hunk.from.after - after;
    if (count > 0) blocks.push({ kind: "hidden", before, after, count });
    blocks.push({ kind: "lines", lines: linesOfHunk(hunk) });
    [before, after] = endOf(hunk);
  }
  const left = total === undefined ? undefined : total - after + 1;
  const isWhole = hunks.length === 0 || (hunks[0]!.from.before <= 1 && before === 1);
  if (!isWhole && (left === undefined || left > 0)) blocks.push({ kind: "hidden", before, after, count: left });
  return blocks;
}

/** The lines of the two sides after a hunk. */
function endOf({ from, rows }: PatchHunk): [number, number] {
  const count = (side: "before" | "after"): number => rows.filter((row) => row[side]).length;
  return [from.before + count("before"), from.after + count("after")];
}

const linesOfHunk = ({ rows }: PatchHunk): readonly WordLine[] => rows.flatMap(linesOfRow);

function linesOfRow({ before, after, same }: DiffRow): WordLine[] {
  const text = (side: NonNullable<DiffRow["before"]>): string => side.pieces.map((piece) => piece.text).join("");
  if (same) return [sameLine(text(after!), before!.line, after!.line)];
  if (before && after) {
    const parts = wordParts(text(before), text(after));
    const alike = Math.max(keptShare(parts), sharedEnds(text(before), text(after)));
    if (alike >= LEAST_KEPT) return [{ kind: "changed", before: before.line, after: after.line, parts }];
  }
  return [
    ...(before ? [oneSided("removed", before.line, text(before))] : []),
    ...(after ? [oneSided("added", after.line, text(after))] : []),
  ];
}

export const sameLine = (text: string, before: number, after: number): WordLine => ({
  kind: "same",
  before,
  after,
  parts: [{ text, mark: "same" }],
});

const oneSided = (kind: "added" | "removed", line: number, text: string): WordLine => ({
  kind,
  before: kind === "removed" ? line : undefined,
  after: kind === "added" ? line : undefined,
  parts: [{ text, mark: kind }],
});

function keptShare(parts: readonly WordPart[]): number {
  const length = (marks: readonly WordPart["mark"][]): number =>
    parts.filter(({ mark }) => marks.includes(mark)).reduce((sum, { text }) => sum + text.trim().length, 0);
  const longer = length(["same"]) + Math.max(length(["added"]), length(["removed"]));
  return longer === 0 ? 1 : length(["same"]) / longer;
}

/** The share of characters with which both texts begin and end: a changed link is one word, but little of it may differ. */
function sharedEnds(old: string, now: string): number {
  const shorter = Math.min(old.length, now.length);
  let start = 0;
  while (start < shorter && old[start] === now[start]) start++;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === now.at(-1 - end)) end++;
  return (start + end) / Math.max(old.length, now.length, 1);
}

/** The text of a line on the side that it is on; of a changed line, as it will be. */
export const lineText = ({ kind, parts }: WordLine): string =>
  parts.flatMap(({ text, mark }) => (mark === "removed" && kind !== "removed" ? [] : [text])).join("");

/** The place of a line that remarks name: its number in the changed file, or in the present one if it is removed. */
export const linePlace = ({ before, after }: WordLine): { readonly line: number; readonly side: "before" | "after" } =>
  after === undefined ? { line: before!, side: "before" } : { line: after, side: "after" };
