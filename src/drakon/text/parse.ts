import type { Language } from "../../base/text.ts";
import type { IconId } from "../icon-id.ts";
import type { Tree } from "../tree.ts";
import { nestGuards, turnedQuestions } from "./guards.ts";
import { looseStatementWord } from "./keyword-match.ts";
import { type LogicalLine, LogicalLines, nameInBegin } from "./logical-lines.ts";
import { ProcedureReader } from "./procedure-reader.ts";
import { statementHead } from "./statement-head.ts";
import { type TextFinding, textFinding } from "./text-finding.ts";

interface ParsedPseudocode {
  /** Undefined exactly if there is a finding of severity `error`. Icons are named after their lines: `line 7`. */
  readonly tree: Tree | undefined;
  /** Questions whose line asks the opposite of the tree: guards are nested in the tree (D-4a). */
  readonly turned: ReadonlySet<IconId>;
  /** In order of lines. */
  readonly findings: readonly TextFinding[];
  /** The language of the first keyword. Keywords of both languages are accepted in any text. */
  readonly language: Language | undefined;
  /** The lines of the procedure in the text, both inclusive, from 1. */
  readonly lines: { readonly first: number; readonly last: number } | undefined;
}

interface ParseOptions {
  /** First line to search, from 1: a text may hold several procedures. */
  readonly fromLine?: number;
}

/** Pseudocode of 10,000 icons takes about 1 MB. */
const MAX_PSEUDOCODE_CHARACTERS = 32 * 1024 * 1024;

/**
 * Parses the first procedure in a text (D-4). Text before its `ПОЧАТОК` and after its `КІНЕЦЬ` is ignored, so the body of a
 * contract can be passed unchanged. Never throws.
 */
export function parsePseudocode(text: string, { fromLine = 1 }: ParseOptions = {}): ParsedPseudocode {
  if (text.length > MAX_PSEUDOCODE_CHARACTERS) return nothing("E-TEXT-TOO-LARGE", String(text.length));
  const lines = new LogicalLines(text, fromLine);
  const { begin } = lines;
  if (!begin) return nothing("E-TEXT-NO-BEGIN");
  const reader = new ProcedureReader(begin);
  const last = readBody(begin, () => lines.next(), reader);
  reader.builder.finish();
  const { branches } = reader.builder;
  const findings = [...reader.findings, ...reader.exits.resolve(branches[0]!.icon)];
  if (!last.isEnd) findings.push(textFinding("E-TEXT-NO-END", { line: last.line, column: 1 }, String(begin.line)));
  findings.sort((a, b) => a.line - b.line || a.column - b.column);
  const { description, params } = reader;
  const name = nameInBegin(begin.text) ?? "";
  const isBroken = findings.some(({ severity }) => severity === "error");
  const written: Tree = { name, params, description, branches, silhouette: branches.length > 1 };
  const tree = isBroken ? undefined : nestGuards(written);
  return {
    tree,
    turned: tree ? turnedQuestions(tree, written) : new Set(),
    findings,
    language: looseStatementWord(begin.text)?.language,
    lines: { first: begin.line, last: last.line },
  };
}

/** Reads lines to the end of the procedure. Returns its last line, or the last line read if the end is missing. */
function readBody(
  begin: LogicalLine,
  next: () => LogicalLine | undefined,
  reader: ProcedureReader,
): { readonly line: number; readonly isEnd: boolean } {
  let last = begin.lastLine;
  for (let line = next(); line; line = next()) {
    const statement = statementHead(line);
    const outermost = reader.builder.bodyIndent;
    if (statement.is === "end" && line.indent <= Math.max(begin.indent, outermost ?? line.indent))
      return { line: line.lastLine, isEnd: true };
    // Prose after a procedure without an end is not part of it.
    const isOutside = line.indent <= begin.indent && outermost !== undefined && outermost > begin.indent;
    if (isOutside && statement.is !== "branch") break;
    reader.read(line, statement);
    last = line.lastLine;
  }
  return { line: last, isEnd: false };
}

function nothing(code: "E-TEXT-TOO-LARGE" | "E-TEXT-NO-BEGIN", detail?: string): ParsedPseudocode {
  const findings = [textFinding(code, { line: 1, column: 1 }, detail)];
  return { tree: undefined, turned: new Set(), findings, language: undefined, lines: undefined };
}
