import { hunksBetween, type LineHunk, linesOf } from "./line-hunks.ts";

export type TextMerge =
  | {
      readonly kind: "merged";
      readonly text: string;
      /** Their hunks that ours did not have yet, unchanged; empty if ours has all of them. */
      readonly hunks: readonly LineHunk[];
    }
  /** Each piece has its first line in our text, counted from 1. */
  | { readonly kind: "conflict"; readonly pieces: readonly ConflictPiece[] };

export interface ConflictPiece {
  readonly line: number;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * Three-way merge of one text by lines. Adjacent changes conflict, as in git; the same change on both sides is applied once.
 * Their hunks are applied unchanged or not at all, so that the written text is what a person approved (P-7).
 */
export function mergeTexts(base: string, ours: string, theirs: string): TextMerge {
  const lines = linesOf(base);
  const our = hunksBetween(lines, linesOf(ours));
  const their = hunksBetween(lines, linesOf(theirs));
  const pieces: ConflictPiece[] = [];
  const left: LineHunk[] = [];
  for (const hunk of their) {
    const touching = our.filter((other) => touch(hunk, other));
    if (touching.length === 0) left.push(hunk);
    else if (touching.length > 1 || !same(hunk, touching[0]!)) pieces.push(pieceOf(lines, our, hunk, touching));
  }
  if (pieces.length > 0) return { kind: "conflict", pieces };
  const all = [...our, ...left].toSorted((a, b) => a.at - b.at);
  return { kind: "merged", text: withHunks(lines, all), hunks: left };
}

/** Applies hunks, which are ordered and neither touch nor overlap. */
function withHunks(lines: readonly string[], hunks: readonly LineHunk[]): string {
  let result = "";
  let at = 0;
  for (const hunk of hunks) {
    result += lines.slice(at, hunk.at).join("") + hunk.added.join("");
    at = hunk.at + hunk.removed.length;
  }
  return result + lines.slice(at).join("");
}

const endOf = (hunk: LineHunk): number => hunk.at + hunk.removed.length;
const touch = (a: LineHunk, b: LineHunk): boolean => a.at <= endOf(b) && b.at <= endOf(a);
const same = (a: LineHunk, b: LineHunk): boolean =>
  a.at === b.at && a.removed.length === b.removed.length && a.added.join("") === b.added.join("");

/** The part of the base that both sides changed, in both versions. */
function pieceOf(
  lines: readonly string[],
  our: readonly LineHunk[],
  hunk: LineHunk,
  touching: readonly LineHunk[],
): ConflictPiece {
  const from = Math.min(hunk.at, ...touching.map(({ at }) => at));
  const to = Math.max(endOf(hunk), ...touching.map(endOf));
  const side = (hunks: readonly LineHunk[]): string =>
    withHunks(
      lines.slice(from, to),
      hunks.map((each) => ({ ...each, at: each.at - from })),
    );
  const shift = our
    .filter((each) => endOf(each) < from)
    .reduce((sum, each) => sum + each.added.length - each.removed.length, 0);
  return { line: from + shift + 1, ours: side(touching), theirs: side([hunk]) };
}
