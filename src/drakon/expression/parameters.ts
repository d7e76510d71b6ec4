import { operatorOf } from "./keywords.ts";
import { leadingName, oneSpelling } from "./lexer.ts";

/**
 * The parameter names in the box beside the header: one per line or separated by commas, each with an optional remark after `:`,
 * `=` or a dash. Other lines are remarks.
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
