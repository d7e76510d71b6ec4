import type { Json } from "../../base/canonical.ts";

/** The required form of an answer to a single icon. */
export type AnswerForm =
  | { readonly kind: "text" }
  | { readonly kind: "yes-no" }
  | { readonly kind: "choice"; readonly options: readonly string[]; readonly otherwise: boolean }
  | { readonly kind: "list" }
  | { readonly kind: "value" };

export type FormedAnswer = { readonly kind: "value"; readonly value: Json } | { readonly kind: "malformed" };

/** Parses an answer strictly: an ambiguous answer is invalid and is asked for once more. Recorded runs are read the same way. */
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
/** The answer if no case fits. */
export const NO_CASE = "none";
const value = (of: Json): FormedAnswer => ({ kind: "value", value: of });

const YES = ["yes", "true", "так"];
const NO = ["no", "false", "ні"];

function yesOrNo(text: string): FormedAnswer {
  const word = bare(text);
  if (YES.includes(word)) return value(true);
  return NO.includes(word) ? value(false) : MALFORMED;
}

/** Exact match first; then without case, quotes and full stop, if exactly one option matches. */
function choiceIn(text: string, { options, otherwise }: Extract<AnswerForm, { kind: "choice" }>): FormedAnswer {
  const exact = options.find((option) => option === text.trim());
  if (exact !== undefined) return value(exact);
  const word = bare(text);
  const alike = options.filter((option) => bare(option) === word);
  if (alike.length === 1) return value(alike[0]!);
  return otherwise && word === NO_CASE ? value(null) : MALFORMED;
}

/** Without case, surrounding punctuation and Markdown marks. */
const bare = (text: string): string =>
  text
    .trim()
    .replace(/^[-*\s"'«“`_]+|[\s"'»”`*_.!]+$/gu, "")
    .normalize("NFC")
    .toLowerCase();

/** One JSON value, alone or as the only content of a fence. */
function jsonIn(text: string): FormedAnswer {
  const fenced = /^```(?:json)?[ \t]*\n([\s\S]*?)\n?```$/.exec(text.trim());
  try {
    return value(JSON.parse(fenced?.[1] ?? text) as Json);
  } catch {
    return MALFORMED;
  }
}
