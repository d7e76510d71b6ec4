import type { Text } from "../../base/text.ts";

/** The marker in a diff for a text without a final line break. */
export const NO_NEWLINE = "\\ No newline at end of file";

export const noSuchDiffLine = (line: number, count: number): Text => ({
  en: `line ${line} does not exist or is out of order (the text has ${count} lines)`,
  uk: `рядка ${line} немає або він не по порядку (у тексті їх ${count})`,
});
export const malformedDiffLine = (line: string): Text => ({
  en: `a line that begins neither with a space nor with + or -: ${short(line)}`,
  uk: `рядок, що не починається ні з пробілу, ні з + чи -: ${short(line)}`,
});
export function differentLine(line: number, expected: string, found: string | undefined, count: number): Text {
  if (found === undefined || line > count)
    return {
      en: `the text ends before line ${line}, where the diff has ${short(expected)}`,
      uk: `текст закінчується до рядка ${line}, де в diff стоїть ${short(expected)}`,
    };
  return { en: `line ${line} is not ${short(expected)}`, uk: `рядок ${line} — не ${short(expected)}` };
}
export const differentFileEnd = (unbroken: boolean): Text =>
  unbroken
    ? {
        en: `the text ends without a line break, which a diff marks with ${JSON.stringify(NO_NEWLINE)}`,
        uk: `текст закінчується без переведення рядка, що в diff позначає ${JSON.stringify(NO_NEWLINE)}`,
      }
    : {
        en: "the diff expects a text without a final line break, but the text has one",
        uk: "за diff текст закінчується без переведення рядка, а це не так",
      };
const short = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);

export const MALFORMED_TAGS: Text = {
  en: "`tags` is neither a list of words nor a line of words",
  uk: "`tags` — не список слів і не рядок зі слів",
};
export const TAGS_NOT_EDITABLE: Text = {
  en: "`tags` is written in a way that cannot be edited in place; edit the note as a whole",
  uk: "`tags` записано так, що змінити на місці не можна; змініть нотатку цілком",
};
