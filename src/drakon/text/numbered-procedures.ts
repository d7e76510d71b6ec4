import { parsePseudocode } from "./parse.ts";

/** A procedure in a text, as whoever reads the numbered text calls its lines. */
interface NumberedProcedure {
  readonly name: string;
  /** Where it stands in the text, both lines included, from 1. */
  readonly first: number;
  readonly last: number;
  /** What the number of its first line is. Its other lines follow. */
  readonly number: number;
}

interface NumberedText {
  readonly text: string;
  readonly procedures: readonly NumberedProcedure[];
}

/**
 * A text with the lines of its procedures numbered, for whoever must say which lines it passed. Numbers go on from one procedure
 * to the next, so that each is said once; prose stays as it is. A procedure that does not parse is left alone.
 */
export function numberedProcedures(text: string): NumberedText {
  const lines = text.split("\n");
  const procedures: NumberedProcedure[] = [];
  let number = 1;
  for (const { name, first, last } of proceduresIn(text)) {
    procedures.push({ name, first, last, number });
    number += last - first + 1;
  }
  const width = String(number - 1).length;
  for (const { first, last, number: from } of procedures)
    for (let line = first; line <= last; line++) {
      const bare = lines[line - 1]!.trimEnd();
      lines[line - 1] = `${String(from + line - first).padStart(width)}|${bare === "" ? "" : " "}${bare}`;
    }
  return { text: lines.join("\n"), procedures };
}

export type FoundProcedure = Omit<NumberedProcedure, "number"> &
  Pick<ReturnType<typeof parsePseudocode>, "findings" | "language" | "tree">;

/** Every procedure of a text that begins and ends in it, in order; also those that cannot be carried out. */
export function proceduresIn(text: string): FoundProcedure[] {
  const found: FoundProcedure[] = [];
  for (let fromLine = 1; found.length < MOST_PROCEDURES; ) {
    const { tree, findings, language, lines } = parsePseudocode(text, { fromLine });
    if (!lines) break;
    found.push({ name: tree?.name ?? "", first: lines.first, last: lines.last, tree, findings, language });
    fromLine = lines.last + 1;
  }
  return found;
}

const MOST_PROCEDURES = 100;
