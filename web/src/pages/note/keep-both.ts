import { type Hunk, hunksBetween, linesOf } from "../../../../src/domain/note/line-hunks.ts";
import { mergeTexts } from "../../../../src/domain/note/text-merge.ts";

/**
 * A text to go on from where two changed the same lines: the note as it is now, with all of the writer's changes that fit, and where
 * they do not, the writer's lines under those that stand there. Nothing of either side is left out.
 */
export function keepBoth(base: string, now: string, mine: string): string {
  const lines = linesOf(base);
  const fitting = hunksBetween(lines, linesOf(mine)).filter(
    (hunk) => mergeTexts(base, now, withHunks(lines, [hunk])).kind === "merged",
  );
  const calm = mergeTexts(base, now, withHunks(lines, fitting));
  const start = calm.kind === "merged" ? calm.text : now;
  const rest = mergeTexts(base, start, mine);
  if (rest.kind === "merged") return rest.text;
  const made = linesOf(start);
  for (const { line, ours, theirs } of rest.pieces.toReversed())
    made.splice(line - 1 + linesOf(ours).length, 0, ...linesOf(theirs));
  return made.map((line, index) => (index < made.length - 1 && !line.endsWith("\n") ? `${line}\n` : line)).join("");
}

function withHunks(lines: readonly string[], hunks: readonly Hunk[]): string {
  const made = [...lines];
  for (const { at, removed, added } of hunks.toReversed()) made.splice(at, removed.length, ...added);
  return made.join("");
}
