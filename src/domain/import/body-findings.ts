import type { Text } from "../../base/text.ts";
import { REDACTED, redact } from "../text/redact.ts";
import type { ImportEntry } from "./import-report.ts";

/** Expressions, conditions and secrets in the lines of one file's body. */
export function bodyFindings(file: string, body: string, firstLine: number): ImportEntry[] {
  const found: ImportEntry[] = [];
  for (const [index, text] of body.split("\n").entries()) {
    const line = firstLine + index;
    const tell = (key: string, fate: ImportEntry["fate"], why: Text): number =>
      found.push({ file, line, key, fate, why });
    const clean = redact(text);
    for (const one of new Set(clean.match(/\$\{\{[^}]{0,200}\}\}/g))) tell(one, "kept", EXPRESSION);
    for (const one of new Set(clean.match(/\{\{[#/](?:if|else|unless)\b[^}]{0,200}\}\}/g)))
      tell(one, "kept", CONDITION);
    if (clean !== text) tell(REDACTED, "lost", SECRET);
  }
  // A key of several lines shows only as a whole.
  if (found.every(({ key }) => key !== REDACTED) && redact(body) !== body)
    found.push({ file, line: firstLine, key: REDACTED, fate: "lost", why: SECRET });
  return found;
}

const EXPRESSION: Text = {
  en: "an expression of GitHub: kept as text, not evaluated",
  uk: "вираз GitHub: збережено як текст, не обчислюється",
};
const CONDITION: Text = {
  en: "a condition of a template: kept as text, both ways are read",
  uk: "умова шаблону: збережено як текст, читаються обидва шляхи",
};
const SECRET: Text = {
  en: "this line looks like it has a secret, which was not copied: revoke it where it was issued",
  uk: "рядок схожий на такий, що містить секрет; секрет не скопійовано: відкличте його там, де його видано",
};
