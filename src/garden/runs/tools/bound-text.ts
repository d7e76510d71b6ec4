import type { Language } from "../../../base/text.ts";

/** Of one text that a tool gives back. A model reads all of it at every turn from then on. */
export const MAX_RESULT_TEXT = 60_000;

/** The text, or its beginning with a mark that says how much of it there is. Never half of a character. */
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
