import { NO_CASE } from "../../domain/run/answer-form.ts";
import type { AnswerForm } from "../../ports/runtime.ts";

/** The instruction about the form of an answer; undefined for free text. */
export function formInstruction(form: AnswerForm): string | undefined {
  switch (form.kind) {
    case "text":
      return undefined;
    case "yes-no":
      return "Answer with one word and nothing else: yes or no.";
    case "choice":
      return `Answer with one of these, to the letter, and nothing else:\n${form.options.map((option) => `- ${option}`).join("\n")}${
        form.otherwise ? `\nIf none of them fits, answer: ${NO_CASE}` : ""
      }`;
    case "list":
      return 'Answer with a JSON array and nothing else, for example ["one", "two"]. An empty list is [].';
    case "value":
      return 'Answer with one JSON value and nothing else: a number, true, false, null, "a text in quotes", an array or an object.';
  }
}

export const correction = (form: AnswerForm): string =>
  `Your last answer did not have the form that was asked for. ${formInstruction(form) ?? ""}`.trimEnd();
