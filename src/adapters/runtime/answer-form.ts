import type { Json } from "../../base/canonical.ts";
import type { AnswerForm } from "../../ports/runtime.ts";

/**
 * Questions whose answer is computed with: what the model is told about the form, and what its words mean. Read strictly: an
 * answer that could mean two things means none, and is asked for once more.
 */
export type FormedAnswer = { readonly kind: "value"; readonly value: Json } | { readonly kind: "malformed" };

export function formWords(form: AnswerForm): string | undefined {
  switch (form.kind) {
    case "text":
      return undefined;
    case "yes-no":
      return "Answer with one word and nothing else: yes or no.";
    case "choice":
      return `Answer with one of these, to the letter, and nothing else:\n${form.options.map((option) => `- ${option}`).join("\n")}${
        form.otherwise ? `\nIf none of them fits, answer: ${NONE}` : ""
      }`;
    case "list":
      return 'Answer with a JSON array and nothing else, for example ["one", "two"]. An empty list is [].';
    case "value":
      return 'Answer with one JSON value and nothing else: a number, true, false, null, "a text in quotes", an array or an object.';
  }
}

export const correction = (form: AnswerForm): string =>
  `Your last answer did not have the form that was asked for. ${formWords(form) ?? ""}`.trimEnd();

export function formedAnswer(form: AnswerForm, text: string): FormedAnswer {
  switch (form.kind) {
    case "text":
      return value(text);
    case "yes-no":
      return yesOrNo(text);
    case "choice":
      return choiceIn(text, form);
    case "list": {
      const read = jsonIn(text);
      return read.kind === "value" && Array.isArray(read.value) ? read : MALFORMED;
    }
    case "value":
      return jsonIn(text);
  }
}

const MALFORMED: FormedAnswer = { kind: "malformed" };
const NONE = "none";
const value = (of: Json): FormedAnswer => ({ kind: "value", value: of });

const YES = ["yes", "true", "так"];
const NO = ["no", "false", "ні"];

function yesOrNo(text: string): FormedAnswer {
  const word = bare(text);
  if (YES.includes(word)) return value(true);
  return NO.includes(word) ? value(false) : MALFORMED;
}

/** To the letter first; then by what remains without case, quotes and a full stop, if that is one option only. */
function choiceIn(text: string, { options, otherwise }: Extract<AnswerForm, { kind: "choice" }>): FormedAnswer {
  const exact = options.find((option) => option === text.trim());
  if (exact !== undefined) return value(exact);
  const word = bare(text);
  const alike = options.filter((option) => bare(option) === word);
  if (alike.length === 1) return value(alike[0]!);
  return otherwise && word === NONE ? value(null) : MALFORMED;
}

/** Without case, marks around it and what Markdown puts there. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^[-*\s"'«“`_]+|[\s"'»”`*_.!]+$/gu, "")
    .normalize("NFC")
    .toLowerCase();

/** One JSON value, alone or as the only thing in a fence. */
function jsonIn(text: string): FormedAnswer {
  const fenced = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/.exec(text.trim());
  try {
    return value(JSON.parse(fenced?.[1] ?? text) as Json);
  } catch {
    return MALFORMED;
  }
}
