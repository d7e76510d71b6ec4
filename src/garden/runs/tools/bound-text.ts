import type { Language } from "../../../base/text.ts";

/** Maximum size of one text in a tool result. It stays in the prompt for the rest of the run. */
export const MAX_RESULT_TEXT = 60_000;

/** The text, or its beginning with a mark that says how much is shown. Never cuts a surrogate pair. */
export function boundText(text: string, language: Language, most = MAX_RESULT_TEXT): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed();
  if (whole.length <= most) return whole;
  const cut = whole.slice(0, most).replace(/[\ud800-\udbff]$/, "");
  const mark =
    language === "uk"
      ? `показано ${cut.length} з ${whole.length} знаків`
      : `${cut.length} of ${whole.length} characters shown`;
  return `${cut}\n[… ${mark}]`;
}
