import { type ContractFile, replaced, type Span } from "../../domain/contract/contract-file.ts";

/** The procedure in the body: from `ПОЧАТОК` or `BEGIN` to `КІНЕЦЬ` or `END`, both at the start of a line. */
export function procedureIn(text: string, from = 0): Span | undefined {
  const opening = /^(?:ПОЧАТОК|BEGIN)[ \t]*(?=["\r\n]|$)/gmu;
  const closing = /^(?:КІНЕЦЬ|END)[ \t]*$/gmu;
  closing.lastIndex = from;
  for (let end = closing.exec(text); end; end = closing.exec(text)) {
    // The last opening before the end: an earlier one is prose or an unfinished procedure.
    opening.lastIndex = from;
    let start = -1;
    for (let begin = opening.exec(text); begin && begin.index < end.index; begin = opening.exec(text))
      start = begin.index;
    if (start >= 0) return { start, end: end.index + end[0].length };
  }
  return undefined;
}

/** The file with its procedure replaced, or appended under the heading if it has none. */
export function withProcedure(file: ContractFile, procedure: string, heading: string): ContractFile {
  const span = procedureIn(file.text, file.bodyStart);
  if (span) return replaced(file, span, procedure.trimEnd())!;
  const before = file.text.trimEnd();
  return replaced(file, { start: before.length, end: file.text.length }, `\n\n${heading}\n\n${procedure.trimEnd()}\n`)!;
}
