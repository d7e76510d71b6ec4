import { joined, type Language, type Text, verbatim } from "../../base/text.ts";
import { printExpression } from "../expression/printer.ts";
import type { Circumstance, LogicFinding, Smell } from "./finding.ts";

const MOST_OF_A_TEXT = 80;

/** The text of an icon in quotes, shortened. */
export function quotedText(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MOST_OF_A_TEXT ? `«${line.slice(0, MOST_OF_A_TEXT)}…»` : `«${line}»`;
}

export const percent = (share: number): string => `${Math.round(share * 100)} %`;

export const circumstanceText = (when: Circumstance): Text => ({ uk: inWords(when, "uk"), en: inWords(when, "en") });

function inWords(when: Circumstance, language: Language): string {
  const term = printExpression(when.term, language);
  const uk = language === "uk";
  switch (when.is) {
    case "empty":
      return uk ? `${term} є порожнім` : `${term} is empty`;
    case "absent":
      return uk ? `${term} не має значення` : `${term} has no value`;
    case "true":
    case "false":
      return `${term} = ${when.is}`;
    case "at-most":
      return `${term} ≤ ${short(when.bound)}`;
    case "at-least":
      return `${term} > ${short(when.bound)}`;
    case "holds":
      return `${term} ${uk ? "містить" : "contains"} "${when.text}"`;
    case "equal":
      return `${term} = "${when.text}"`;
  }
}

const short = (value: number): string => String(Number(value.toPrecision(6)));

const SMELLS: Readonly<Record<Smell, Text>> = {
  unused: { uk: "його результату ніхто не читає", en: "its result is never read" },
  repeated: { uk: "те саме вже питали раніше", en: "the same request was made before" },
  early: {
    uk: "його результат потрібен лише на одному боці наступного питання",
    en: "only one side of the next question needs its result",
  },
  late: {
    uk: "він змінює значення після того, як його востаннє прочитано",
    en: "it sets a value after the last icon that reads it",
  },
  invariant: {
    uk: "у кожному проході циклу він питає те саме",
    en: "it asks the same in every round of its loop",
  },
};

export function findingText(found: Omit<LogicFinding, "words">, iconText: string): Text {
  const { kind, visits, bad, rate, restRate, effect, smell, when, answer } = found;
  const where = quotedText(iconText);
  const under: Text[] = [
    ...(answer === undefined ? [] : [answerText(answer)]),
    ...(when ? [circumstanceText(when)] : []),
  ];
  const place: Text =
    under.length === 0 ? verbatim("") : joined([verbatim(" ("), joined(under, ", "), verbatim(")")], "");
  const because: Text = smell ? joined([verbatim("; "), SMELLS[smell]], "") : verbatim("");
  if (kind === "cost")
    return {
      uk: `Крок ${where}: ${percent(effect)} усіх токенів, у ${bad} із ${visits} запусків дарма${because.uk}.`,
      en: `Step ${where}: ${percent(effect)} of all tokens, wasted in ${bad} of ${visits} runs${because.en}.`,
    };
  const what: Text =
    kind === "failure" ? { uk: "збій", en: "failed" } : { uk: "відхилено людьми", en: "were rejected" };
  return {
    uk: `Ікона ${where}${place.uk}: ${what.uk} у ${bad} із ${visits} запусків (${percent(rate)}), в інших ${percent(restRate)}${because.uk}.`,
    en: `Icon ${where}${place.en}: ${bad} of ${visits} runs ${what.en} (${percent(rate)}), ${percent(restRate)} of the others${because.en}.`,
  };
}

export function answerText(answer: boolean | number | null): Text {
  if (answer === null) return { uk: "жоден варіант", en: "no case" };
  if (typeof answer === "number") return { uk: `варіант ${answer + 1}`, en: `case ${answer + 1}` };
  return answer ? { uk: "так", en: "yes" } : { uk: "ні", en: "no" };
}
