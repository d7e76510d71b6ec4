import { operatorOf } from "./keywords.ts";
import { leadingName, oneSpelling } from "./lexer.ts";

/**
 * The parameter names in the box beside the header: one per line or separated by commas, each with an optional remark after `:`,
 * `=` or a dash. Other lines are remarks.
 */
export const parametersOf = (text: string): string[] => declarationsOf(text).map(({ name }) => name);

export interface ParameterDeclaration {
  readonly name: string;
  /** The remark: a type such as `number`, or words about the input. */
  readonly remark?: string;
}

/** The parameters with their remarks. The first declaration of a name counts. */
export function declarationsOf(text: string): ParameterDeclaration[] {
  const found = new Map<string, ParameterDeclaration>();
  for (const part of text.split(/[\n,;]/)) {
    const trimmed = part.trim();
    const written = leadingName(trimmed);
    if (written === undefined || operatorOf(written) !== undefined) continue;
    const rest = /^\s*(?:$|[:=]|[-–—]\s)\s*(.*)$/su.exec(trimmed.slice(written.length));
    const name = oneSpelling(written);
    if (!rest || found.has(name)) continue;
    const remark = rest[1]?.trim() ?? "";
    found.set(name, { name, ...(remark !== "" && { remark }) });
  }
  return [...found.values()];
}
