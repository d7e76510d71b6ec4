import { hunksBetween, type LineHunk, linesOf } from "../../../../src/domain/note/line-hunks.ts";
import { mergeTexts } from "../../../../src/domain/note/text-merge.ts";

/**
 * Merges two edits of the same base without losing either: the current note with all of the writer's changes that merge, and where they
 * conflict, the writer's lines below the current ones.
 */
export function keepBoth(base: string, now: string, mine: string): string {
  const lines = linesOf(base);
  const fitting = hunksBetween(lines, linesOf(mine)).filter(
    (hunk) => mergeTexts(base, now, withHunks(lines, [hunk])).kind === "merged",
  );
  const withFitting = mergeTexts(base, now, withHunks(lines, fitting));
  const start = withFitting.kind === "merged" ? withFitting.text : now;
  const rest = mergeTexts(base, start, mine);
  if (rest.kind === "merged") return rest.text;
  const made = linesOf(start);
  for (const { line, ours, theirs } of rest.pieces.toReversed())
    made.splice(line - 1 + linesOf(ours).length, 0, ...linesOf(theirs));
  return made.map((line, index) => (index < made.length - 1 && !line.endsWith("\n") ? `${line}\n` : line)).join("");
}

function withHunks(lines: readonly string[], hunks: readonly LineHunk[]): string {
  const made = [...lines];
  for (const { at, removed, added } of hunks.toReversed()) made.splice(at, removed.length, ...added);
  return made.join("");
}
