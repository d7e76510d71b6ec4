import type { Text } from "../../base/text.ts";

/** The fate of one key or line of an imported file (I-1). */
export const fates = ["mapped", "kept", "lost", "refused"] as const;
export type Fate = (typeof fates)[number];

/** One key or line of a source file and what became of it. */
export interface ImportEntry {
  /** The file, relative to the imported folder. */
  readonly file: string;
  readonly line: number;
  /** `tools.github.toolsets`; for a line of the body, the construct that was found. */
  readonly key: string;
  readonly fate: Fate;
  readonly why: Text;
  /** The field of the contract that represents it now. */
  readonly to?: string;
}

/** One line of the table of permissions: before, in the source, and after, in the contract. */
export interface GrantRow {
  readonly what: Text;
  readonly before: Text;
  readonly after: Text;
}

export type FateCounts = Readonly<Record<Fate, number>>;

export const countFates = (entries: readonly ImportEntry[]): FateCounts => {
  const count = (fate: Fate): number => entries.filter((entry) => entry.fate === fate).length;
  return { mapped: count("mapped"), kept: count("kept"), lost: count("lost"), refused: count("refused") };
};

/** Entries in reading order: the main file first, then by line. */
export const inReadingOrder = (entries: readonly ImportEntry[], main: string): ImportEntry[] =>
  entries.toSorted(
    (a, b) =>
      Number(b.file === main) - Number(a.file === main) ||
      (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line),
  );
