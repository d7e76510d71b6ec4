import { Failure } from "../../../base/failure.ts";

export const noSuchCommit = (commit: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no commit ${commit.slice(0, 80)}`,
    uk: `коміту ${commit.slice(0, 80)} немає`,
    hint: { en: "Name the whole id of a commit.", uk: "Назвіть повний ідентифікатор коміту." },
  });

export const namesNoProposal = (commit: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `commit ${commit.slice(0, 10)} names no proposal whose record is here: nothing was approved to compare it with`,
    uk: `коміт ${commit.slice(0, 10)} не називає пропозиції, запис якої тут є: немає схваленого, з чим порівняти`,
    details: { commit },
  });

export const nothingDiffers = (commit: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `commit ${commit.slice(0, 10)} matches its proposal: there is no warning to end`,
    uk: `коміт ${commit.slice(0, 10)} збігається зі своєю пропозицією: попередження немає`,
    details: { commit },
  });

export const wordsNotKnown = (commit: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the approved words cannot be proposed for commit ${commit.slice(0, 10)}: it holds them already, or they are not the text of one note`,
    uk: `схвалених слів для коміту ${commit.slice(0, 10)} не можна запропонувати: він уже їх містить, або це не текст однієї нотатки`,
    hint: {
      en: "Keep it with a reason, or undo the change with git.",
      uk: "Лишіть його з причиною або скасуйте зміну засобами git.",
    },
    details: { commit },
  });

export const mayNotKeep = (name: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${name} may not keep words that were not approved: only the owner may`,
    uk: `${name} не може лишити слова, яких не схвалено: може лише власник`,
  });

export const unusableReason = (max: number): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `reason: expected 1 to ${max} characters`,
    uk: `reason: потрібно від 1 до ${max} символів`,
  });
