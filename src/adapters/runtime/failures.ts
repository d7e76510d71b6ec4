import { Failure } from "../../base/failure.ts";
import type { AnswerForm } from "../../ports/runtime.ts";

/** Why an act ended without an answer, in words. */
export const tooManyTurns = (limit: number): Failure =>
  new Failure(
    "FORBIDDEN",
    {
      en: `the model did not come to an end within ${limit} turns`,
      uk: `модель не дійшла кінця за ${limit} ходів`,
    },
    {
      hint: {
        en: "`max_steps` in the contract sets how many it has.",
        uk: "Скільки їх є, задає `max_steps` у контракті.",
      },
      details: { limit: "max_steps", most: limit },
    },
  );

export const overBudget = (of: "tokens" | "calls", most: number): Failure =>
  new Failure(
    "FORBIDDEN",
    {
      en: `the run has used up its budget of ${most} ${of}`,
      uk: `запуск вичерпав свій бюджет: ${most} ${of === "tokens" ? "токенів" : "викликів"}`,
    },
    {
      hint: {
        en: `\`budget.${of}\` in the contract sets it; a run that loops will use up any.`,
        uk: `Його задає \`budget.${of}\` у контракті; запуск, що ходить по колу, вичерпає будь-який.`,
      },
      details: { limit: `budget.${of}`, most },
    },
  );

/** Whoever gave the signal knows why; only where nothing was said do we say it ourselves. */
export const abortedBy = ({ reason }: AbortSignal): Failure =>
  reason instanceof Failure
    ? reason
    : new Failure("INVALID_TRANSITION", { en: "the run was stopped", uk: "запуск зупинено" }, { cause: reason });

export const noAnswer = (model: string, finish: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    { en: `the model ${model} answered nothing (${finish})`, uk: `модель ${model} нічого не відповіла (${finish})` },
    { details: { model, finish } },
  );

export const cutShort = (model: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the answer of the model ${model} was cut short at the longest that it may give`,
      uk: `відповідь моделі ${model} обірвано на найбільшій довжині, яку вона може дати`,
    },
    { details: { model, finish: "length" } },
  );

export const malformed = (model: string, form: AnswerForm, text: string): Failure =>
  new Failure(
    "VALIDATION_FAILED",
    {
      en: `the model ${model} did not answer in the form that was asked for (${form.kind})`,
      uk: `модель ${model} не відповіла у формі, про яку просили (${form.kind})`,
    },
    { details: { model, form: form.kind, answer: text.slice(0, 500).toWellFormed() } },
  );
