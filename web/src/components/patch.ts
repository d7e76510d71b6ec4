import { diffArrays } from "diff";

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
  /** The first line of each side. */
  readonly from: { readonly before: number; readonly after: number };
  readonly rows: readonly DiffRow[];
}

/** Longer blocks of changed lines are shown without a word diff. */
const MOST_PAIRED = 200;

/** Parses a unified patch of one file into rows with a word diff. */
export function readPatch(patch: string): readonly PatchHunk[] {
  const hunks: { from: PatchHunk["from"]; rows: DiffRow[] }[] = [];
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
      hunks.push({ from: { before, after }, rows: [] });
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

/** A word of a text: a link is one word, so that a changed link is marked whole. */
const WORD = /!?\[\[[^\]]*\]\]|!?\[[^\]]*\]\([^)]*\)|\s+|[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu;

export interface WordPart {
  readonly text: string;
  readonly mark: "same" | "added" | "removed";
}

/** The words of two lines, in reading order: removed words come before the words in their place. */
export function wordParts(old: string, now: string): readonly WordPart[] {
  if (old.length + now.length > LONGEST_LINE)
    return [
      { text: old, mark: "removed" },
      { text: now, mark: "added" },
    ];
  const parts = diffArrays(old.match(WORD) ?? [], now.match(WORD) ?? []);
  return joinedParts(
    parts.map(({ value, added, removed }) => ({
      text: value.join(""),
      mark: added ? "added" : removed ? "removed" : "same",
    })),
  );
}

/** Joins changes that only a space separates: "two words" is one change, not two. */
function joinedParts(parts: readonly WordPart[]): readonly WordPart[] {
  const joined: { removed: string; added: string; same: string }[] = [];
  for (const { text, mark } of parts) {
    const last = joined.at(-1);
    const isGap = mark === "same" && text.trim() === "" && last !== undefined && joined.length > 0;
    if (mark === "same" && !isGap) joined.push({ removed: "", added: "", same: text });
    else if (mark === "same") last!.same += text;
    else if (last && last.same.trim() === "" && last.removed + last.added !== "") {
      // the space between two changes belongs to both
      last.removed += last.same + (mark === "removed" ? text : "");
      last.added += last.same + (mark === "added" ? text : "");
      last.same = "";
    } else joined.push({ removed: mark === "removed" ? text : "", added: mark === "added" ? text : "", same: "" });
  }
  return joined.flatMap(({ removed, added, same }): WordPart[] => [
    ...(removed === "" ? [] : [{ text: removed, mark: "removed" as const }]),
    ...(added === "" ? [] : [{ text: added, mark: "added" as const }]),
    ...(same === "" ? [] : [{ text: same, mark: "same" as const }]),
  ]);
}

function wordsOf(old: string, now: string): [Piece[], Piece[]] {
  const parts = wordParts(old, now);
  const side = (other: WordPart["mark"]): Piece[] =>
    parts.filter(({ mark }) => mark !== other).map(({ text, mark }) => ({ text, changed: mark !== "same" }));
  return [side("added"), side("removed")];
}
