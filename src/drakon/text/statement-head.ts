import { looseStatementWord, statementWord } from "./keyword-match.ts";
import { ARROWS, type StatementWord } from "./keywords.ts";
import type { LogicalLine } from "./logical-lines.ts";

/** The kind of a line. `rest` is the offset after the keyword or arrow. */
export type StatementHead =
  | { readonly is: "action"; readonly rest: 0 }
  | { readonly is: "exit"; readonly rest: number }
  | { readonly is: StatementWord; readonly rest: number };

/** Keywords that may be in any case if a block is under them: a plain step cannot have one. */
const HEADS: ReadonlySet<StatementWord> = new Set<StatementWord>([
  "if",
  "elseIf",
  "else",
  "select",
  "case",
  "otherwise",
  "forEach",
  "repeat",
  "parallel",
  "process",
  "branch",
]);

export function statementHead({ text, opensBlock }: LogicalLine): StatementHead {
  const arrow = ARROWS.find((one) => text.startsWith(one));
  if (arrow !== undefined) return { is: "exit", rest: arrow.length };
  const found = statementWord(text);
  if (found) return { is: found.word, rest: found.rest };
  const loose = opensBlock ? looseStatementWord(text) : undefined;
  return loose && HEADS.has(loose.word) ? { is: loose.word, rest: loose.rest } : { is: "action", rest: 0 };
}
