import { type Hunk, hunksBetween, linesOf } from "./line-hunks.ts";

export type TextMerge =
  | {
      readonly kind: "merged";
      readonly text: string;
      /** What of their change was not in ours yet, as they wrote it: nothing, if we have it all. */
      readonly hunks: readonly Hunk[];
    }
  /** With the line in our text where each piece begins, counted from 1. */
  | { readonly kind: "conflict"; readonly pieces: readonly ConflictPiece[] };

export interface ConflictPiece {
  readonly line: number;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Three-way merge of one text by lines. Changes that touch are a conflict, as in git; the same change on both sides is
 * taken once. Their hunks come through unchanged or not at all, so that what a person approved is what is written (P-7).
 */
export function mergeTexts(base: string, ours: string, theirs: string): TextMerge {
  const lines = linesOf(base);
  const our = hunksBetween(lines, linesOf(ours));
  const their = hunksBetween(lines, linesOf(theirs));
  const pieces: ConflictPiece[] = [];
  const left: Hunk[] = [];
  for (const hunk of their) {
    const touching = our.filter((other) => touch(hunk, other));
    if (touching.length === 0) left.push(hunk);
    else if (touching.length > 1 || !same(hunk, touching[0]!)) pieces.push(pieceOf(lines, our, hunk, touching));
  }
  if (pieces.length > 0) return { kind: "conflict", pieces };
  const all = [...our, ...left].toSorted((a, b) => a.at - b.at);
  return { kind: "merged", text: withHunks(lines, all), hunks: left };
}

/** The text with these hunks in place; they neither touch nor overlap, and stand in order. */
function withHunks(lines: readonly string[], hunks: readonly Hunk[]): string {
  let result = "";
  let at = 0;
  for (const hunk of hunks) {
    result += lines.slice(at, hunk.at).join("") + hunk.added.join("");
    at = hunk.at + hunk.removed.length;
  }
  return result + lines.slice(at).join("");
}

const endOf = (hunk: Hunk): number => hunk.at + hunk.removed.length;
const touch = (a: Hunk, b: Hunk): boolean => a.at <= endOf(b) && b.at <= endOf(a);
const same = (a: Hunk, b: Hunk): boolean =>
  a.at === b.at && a.removed.length === b.removed.length && a.added.join("") === b.added.join("");

/** The stretch of the base that both changed, as each side has it. */
function pieceOf(lines: readonly string[], our: readonly Hunk[], hunk: Hunk, touching: readonly Hunk[]): ConflictPiece {
  const from = Math.min(hunk.at, ...touching.map(({ at }) => at));
  const to = Math.max(endOf(hunk), ...touching.map(endOf));
  const side = (hunks: readonly Hunk[]): string =>
    withHunks(
      lines.slice(from, to),
      hunks.map((each) => ({ ...each, at: each.at - from })),
    );
  const shift = our
    .filter((each) => endOf(each) < from)
    .reduce((sum, each) => sum + each.added.length - each.removed.length, 0);
  return { line: from + shift + 1, ours: side(touching), theirs: side([hunk]) };
}
