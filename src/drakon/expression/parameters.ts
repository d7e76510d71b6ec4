import { operatorOf } from "./keywords.ts";
import { leadingName, oneSpelling } from "./lexer.ts";

/**
 * Names of parameters in the box beside the header: one per line, or with commas between them, each perhaps with a remark
 * behind `:`, `=` or a dash. A line that does not begin like that is a remark.
 */
export function parametersOf(text: string): string[] {
  const names = text.split(/[\n,;]/).flatMap((part) => {
    const trimmed = part.trim();
    const name = leadingName(trimmed);
    if (name === undefined || operatorOf(name) !== undefined) return [];
    return /^\s*(?:$|[:=]|[-–—]\s)/u.test(trimmed.slice(name.length)) ? [oneSpelling(name)] : [];
  });
  return [...new Set(names)];
}
