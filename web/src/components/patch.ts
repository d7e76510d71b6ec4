import { diffWordsWithSpace } from "diff";

/** A piece of a line: the same on both sides, or only on this one. */
export interface Piece {
  readonly text: string;
  readonly changed: boolean;
}

/** One row of a diff: a line before, a line after, or both. */
export interface DiffRow {
  readonly before?: { readonly line: number; readonly pieces: readonly Piece[] };
  readonly after?: { readonly line: number; readonly pieces: readonly Piece[] };
  /** Context: neither side changed. */
  readonly same: boolean;
}

export interface PatchHunk {
  readonly rows: readonly DiffRow[];
}

/** Longer blocks of changed lines are shown without a word diff. */
const MOST_PAIRED = 200;

/** Parses a unified patch of one file into rows with a word diff. */
export function readPatch(patch: string): readonly PatchHunk[] {
  const hunks: { rows: DiffRow[] }[] = [];
  let [before, after] = [0, 0];
  let removed: string[] = [];
  let added: string[] = [];
  const flush = (): void => {
    hunks.at(-1)?.rows.push(...paired(removed, added, before - removed.length, after - added.length));
    [removed, added] = [[], []];
  };
  for (const line of patch.split("\n")) {
    const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (head) {
      flush();
      // In a patch, a side without lines has the number of the line before it.
      before = Number(head[1]) + (head[2] === "0" ? 1 : 0);
      after = Number(head[3]) + (head[4] === "0" ? 1 : 0);
      hunks.push({ rows: [] });
    } else if (hunks.length === 0) {
      // the header with the file names
    } else if (line.startsWith("-")) {
      if (added.length > 0) flush();
      removed.push(line.slice(1));
      before++;
    } else if (line.startsWith("+")) {
      added.push(line.slice(1));
      after++;
    } else if (line.startsWith(" ")) {
      flush();
      const pieces = [{ text: line.slice(1), changed: false }];
      hunks.at(-1)!.rows.push({ before: { line: before++, pieces }, after: { line: after++, pieces }, same: true });
    }
  }
  flush();
  return hunks;
}

function paired(removed: readonly string[], added: readonly string[], from: number, to: number): DiffRow[] {
  const count = Math.max(removed.length, added.length);
  return Array.from({ length: count }, (_, index) => {
    const [old, now] = [removed[index], added[index]];
    const [left, right] =
      old !== undefined && now !== undefined && count <= MOST_PAIRED ? wordsOf(old, now) : [whole(old), whole(now)];
    return {
      ...(old !== undefined && { before: { line: from + index, pieces: left } }),
      ...(now !== undefined && { after: { line: to + index, pieces: right } }),
      same: false,
    };
  });
}

const whole = (text: string | undefined): readonly Piece[] => (text === undefined ? [] : [{ text, changed: false }]);

const LONGEST_LINE = 5000;

function wordsOf(old: string, now: string): [Piece[], Piece[]] {
  if (old.length + now.length > LONGEST_LINE) return [[...whole(old)], [...whole(now)]];
  const parts = diffWordsWithSpace(old, now);
  const side = (skip: "added" | "removed"): Piece[] =>
    parts
      .filter((part) => !part[skip])
      .map(({ value, added, removed }) => ({ text: value, changed: added || removed }));
  return [side("added"), side("removed")];
}
