import type { Text } from "../../base/text.ts";

/** Messages about the execution of a procedure, by any runtime. */
const MOST_SHOWN = 120;

/** A line of a procedure for people: its number and text. */
export function atLine(line: number | undefined, text: string): Text {
  const bare = text.replace(/\s+/g, " ").trim();
  const shown = bare.length > MOST_SHOWN ? `${bare.slice(0, MOST_SHOWN - 1).toWellFormed()}…` : bare;
  if (line === undefined) return { en: `"${shown}"`, uk: `«${shown}»` };
  return { en: `line ${line} "${shown}"`, uk: `рядок ${line} «${shown}»` };
}

/** Messages for an icon that needs something unavailable. */
export const lacking = {
  llm: { en: "this needs a language model", uk: "тут потрібна мовна модель" },
  judge: { en: "this question needs a language model", uk: "на це питання має відповісти мовна модель" },
  sleep: { en: "waiting requires `execution: flow`", uk: "тут треба чекати, а це вміє `execution: flow`" },
  receive: { en: "signals are not available here", uk: "тут нікому отримати сигнал" },
  call: { en: "this agent has no such diagram", uk: "в агента немає такої діаграми" },
  clock: { en: "the time of the run is unknown", uk: "ніхто не сказав, котра година" },
  calls: { en: "no more calls are allowed", uk: "більше викликів не дозволено" },
  procedure: {
    en: "the instructions contain no procedure (ПОЧАТОК … КІНЕЦЬ, BEGIN … END): they need a language model",
    uk: "в інструкціях немає процедури (ПОЧАТОК … КІНЕЦЬ, BEGIN … END): потрібна мовна модель",
  },
} as const satisfies Record<string, Text>;

export const notGranted = (tool: string): Text => ({
  en: `${tool} is not among the tools of this agent`,
  uk: `${tool} немає серед інструментів цього агента`,
});

export const cameToEnd = (name: string, calls: number): Text => ({
  en: `Done: "${name}", ${calls} calls.`,
  uk: `Готово: «${name}», викликів: ${calls}.`,
});

/** There was nothing to propose, or every proposal was refused. */
export const nothingToPropose = (name: string, refusal?: string): Text =>
  refusal === undefined
    ? {
        en: `"${name}" finished with nothing to propose`,
        uk: `процедура «${name}» дійшла кінця, пропонувати було нічого`,
      }
    : {
        en: `"${name}" finished, but its proposals were refused: ${refusal}`,
        uk: `процедура «${name}» дійшла кінця, але нічого із запропонованого не прийнято: ${refusal}`,
      };
