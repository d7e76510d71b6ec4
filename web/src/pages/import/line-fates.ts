import type { Fate } from "../../../../src/domain/import/import-report.ts";
import type { AnswerOf } from "../../api/client.ts";

export type FileReport = AnswerOf<"POST /imports/check">["reports"][number];
type Entry = FileReport["entries"][number];

/** A line of the source with its fate; undefined for a blank line or a divider. */
export interface SourceLine {
  readonly number: number;
  readonly text: string;
  readonly fate: Fate | undefined;
  /** The entry that begins on this line. */
  readonly entry: Entry | undefined;
}

/** Worst first: a line with several keys shows the worst of their fates. */
const ORDER: readonly Fate[] = ["refused", "lost", "kept", "mapped"];

/** Lines of the source with the fates of the report. A line without a key of its own shares the fate of the line above. */
export function lineFates(text: string, { file, entries }: FileReport): SourceLine[] {
  const byLine = new Map<number, Entry>();
  for (const entry of entries) {
    const other = byLine.get(entry.line);
    if (entry.file === file && (!other || ORDER.indexOf(entry.fate) < ORDER.indexOf(other.fate)))
      byLine.set(entry.line, entry);
  }
  let fate: Fate | undefined;
  return text.split("\n").map((line, index): SourceLine => {
    const entry = byLine.get(index + 1);
    fate = entry?.fate ?? fate;
    const saysNothing = /^\s*(?:-{3,})?\s*$/.test(line);
    return { number: index + 1, text: line, fate: saysNothing ? undefined : fate, entry };
  });
}

/** Number of lines by fate, and of lines that say nothing. */
export function countLines(lines: readonly SourceLine[]): Readonly<Record<Fate | "blank", number>> {
  const counts = { mapped: 0, kept: 0, lost: 0, refused: 0, blank: 0 };
  for (const { fate } of lines) counts[fate ?? "blank"]++;
  return counts;
}
