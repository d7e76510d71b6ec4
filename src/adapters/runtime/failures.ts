import { Failure } from "../../base/failure.ts";
import type { AnswerForm } from "../../ports/runtime.ts";

// Reasons for an act to end without an answer.

export const tooManyTurns = (limit: number): Failure =>
  new Failure("FORBIDDEN", {
    en: `the model did not finish within ${limit} turns`,
    uk: `модель не дійшла кінця за ${limit} ходів`,
    hint: { en: "Set `max_steps` in the contract to allow more.", uk: "Скільки їх є, задає `max_steps` у контракті." },
    details: { limit: "max_steps", most: limit },
  });

export const overBudget = (of: "tokens" | "calls", most: number): Failure =>
  new Failure("FORBIDDEN", {
    en: `the run has used up its budget of ${most} ${of}`,
    uk: `запуск вичерпав свій бюджет: ${most} ${of === "tokens" ? "токенів" : "викликів"}`,
    hint: {
      en: `Raise \`budget.${of}\` in the contract, unless the run is looping.`,
      uk: `Його задає \`budget.${of}\` у контракті; запуск, що ходить по колу, вичерпає будь-який.`,
    },
    details: { limit: `budget.${of}`, most },
  });

/** The signal's own reason, if it is a failure. */
export const abortedBy = ({ reason }: AbortSignal): Failure =>
  reason instanceof Failure
    ? reason
    : new Failure("INVALID_TRANSITION", { en: "the run was stopped", uk: "запуск зупинено", cause: reason });

export const noAnswer = (model: string, finish: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the model ${model} gave no answer (${finish})`,
    uk: `модель ${model} нічого не відповіла (${finish})`,
    details: { model, finish },
  });

export const cutShort = (model: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the answer of the model ${model} was cut off at its maximum length`,
    uk: `відповідь моделі ${model} обірвано на найбільшій довжині, яку вона може дати`,
    details: { model, finish: "length" },
  });

export const malformed = (model: string, form: AnswerForm, text: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the model ${model} did not answer in the requested form (${form.kind})`,
    uk: `модель ${model} не відповіла у формі, про яку просили (${form.kind})`,
    details: { model, form: form.kind, answer: text.slice(0, 500).toWellFormed() },
  });
