import { parsePseudocode } from "./parse.ts";

/** A procedure in a text with numbered lines. */
interface NumberedProcedure {
  readonly name: string;
  /** First and last line in the text, both inclusive, from 1. */
  readonly first: number;
  readonly last: number;
  /** The printed number of its first line; the others follow. */
  readonly number: number;
}

interface NumberedText {
  readonly text: string;
  readonly procedures: readonly NumberedProcedure[];
}

/**
 * Numbers the lines of all procedures in a text, for a model that must state which lines it passed. Numbers continue from one
 * procedure to the next, so that each is unique; prose is unchanged.
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
  Pick<ReturnType<typeof parsePseudocode>, "findings" | "language" | "tree" | "turned">;

/** The procedures of a text, in order, including those with errors. */
export function proceduresIn(text: string): FoundProcedure[] {
  const found: FoundProcedure[] = [];
  for (let fromLine = 1; found.length < MOST_PROCEDURES; ) {
    const { tree, turned, findings, language, lines } = parsePseudocode(text, { fromLine });
    if (!lines) break;
    found.push({ name: tree?.name ?? "", first: lines.first, last: lines.last, tree, turned, findings, language });
    fromLine = lines.last + 1;
  }
  return found;
}

const MOST_PROCEDURES = 100;
