import { Failure, isFailure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";

export const readerUnavailable = (text: Text, details: Record<string, unknown> = {}, cause?: unknown): Failure =>
  new Failure("NLM_UNAVAILABLE", {
    ...text,
    hint: {
      en: "Check that the NotebookLM proxy is running, or set `reader: { kind: local }` in garden.yaml.",
      uk: "Перевірте, чи працює проксі NotebookLM, або вкажіть `reader: { kind: local }` у garden.yaml.",
    },
    details: { reader: "notebooklm", ...details },
    ...(cause !== undefined && { cause }),
  });

export const NO_NOTEBOOK: Text = {
  en: "the contract names no notebook (context.notebook_id), and NotebookLM answers from notebooks only",
  uk: "контракт не називає блокнота (context.notebook_id), а NotebookLM відповідає лише з блокнотів",
};
export const NOT_AN_ANSWER: Text = {
  en: "NotebookLM sent an unreadable answer",
  uk: "NotebookLM відповів чимось, що не є відповіддю",
};
export const ANSWER_TOO_LARGE: Text = {
  en: "the answer of NotebookLM is too large",
  uk: "NotebookLM надіслав більше, ніж може мати відповідь",
};
export const answerTooSlow = (ms: number): Text => ({
  en: `NotebookLM gave no answer within ${ms / 1000} s`,
  uk: `NotebookLM не відповів за ${ms / 1000} с`,
});
export const proxyUnreachable = (error: unknown): Text => {
  if (isFailure(error)) return { en: `NotebookLM: ${error.text.en}`, uk: `NotebookLM: ${error.text.uk}` };
  return { en: "NotebookLM cannot be reached", uk: "NotebookLM недосяжний" };
};
export const proxyRefused = (status: number, code: string | undefined, message: string): Text => {
  const what = [String(status), code, message].filter((part) => part !== undefined && part !== "").join(", ");
  return { en: `NotebookLM refused: ${what}`, uk: `NotebookLM відмовив: ${what}` };
};
