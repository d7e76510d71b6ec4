import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";

export const callBudgetUsedUp = (most: number): Failure =>
  new Failure("FORBIDDEN", {
    en: `the run has used up its budget of ${most} calls`,
    uk: `запуск вичерпав свій бюджет: ${most} викликів`,
    details: { limit: "budget.calls", most },
  });

export const tooManyIcons = (most: number): Failure =>
  new Failure("FORBIDDEN", {
    en: `the model would have to answer more than ${most} icons`,
    uk: `моделі мало бути передано понад ${most} ікон`,
    hint: {
      en: "`max_steps` in the contract sets the limit.",
      uk: "Скільки дозволено, задає `max_steps` у контракті.",
    },
    details: { limit: "max_steps", most },
  });

export const notADuration = (written: string): Text => ({
  en: `"${written}" is not a duration; write 20 min, 2 h or a time`,
  uk: `«${written}» — не тривалість; пишіть 20 хв, 2 год або час`,
});

export const noProcedureInContract = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "`execution: flow` needs a procedure, and the contract has none",
    uk: "`execution: flow` виконує процедуру, а контракт її не містить",
  });

export const unreadableProcedure = (finding: { readonly message: Text; readonly line: number }): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the procedure cannot be executed: line ${finding.line}: ${finding.message.en}`,
    uk: `процедуру неможливо виконати: рядок ${finding.line}: ${finding.message.uk}`,
    details: { line: finding.line },
  });
