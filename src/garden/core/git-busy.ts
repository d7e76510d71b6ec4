import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";

export const GIT_BUSY: Text = { en: "a git command is at work in this garden", uk: "у цьому саду працює команда git" };

/** G-5: a branch does not move while a git command of a person is running. Nothing was changed. */
export const gitBusy = (why: Text): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    ...why,
    hint: {
      en: "Nothing was changed. Try again when it has ended.",
      uk: "Нічого не змінено. Повторіть, коли вона завершиться.",
    },
    details: { part: "git" },
  });
