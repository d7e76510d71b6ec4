import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import { LogUncertain } from "./log.ts";

/** The message for a disk error. */
export function diskSentence(error: unknown): Text {
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? "";
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { en: "the disk of the store is full", uk: "диск сховища заповнено" };
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return { en: "the folder of the store cannot be written", uk: "у папку сховища не можна писати" };
    case "EIO":
      return { en: "the disk of the store reports an error", uk: "диск сховища повідомляє про помилку" };
    default: {
      // Not the system's message: it contains paths, and this is sent over HTTP. The whole error is the cause.
      const why = code || (error instanceof Error ? error.message : String(error));
      return { en: `the store is not available: ${why}`, uk: `сховище недоступне: ${why}` };
    }
  }
}

const HINTS: Readonly<Record<string, Text>> = {
  ENOSPC: {
    en: "Free some space and try again; nothing that was answered is lost.",
    uk: "Звільніть місце і повторіть; нічого з підтвердженого не втрачено.",
  },
  EROFS: { en: "Check who may write there.", uk: "Перевірте права на запис." },
  EIO: {
    en: "Make a backup at once (`bloom backup`) and check the disk.",
    uk: "Негайно зробіть резервну копію (`bloom backup`) і перевірте диск.",
  },
};
const HINT_OF: Readonly<Record<string, string>> = { EDQUOT: "ENOSPC", EACCES: "EROFS", EPERM: "EROFS" };

/** The failure that the port promises: what happened, what to do, and whether the write may have happened (`outcome`). */
export function storeFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const uncertain = error instanceof LogUncertain;
  const reason = uncertain ? error.cause : error;
  const code = (reason as NodeJS.ErrnoException | undefined)?.code ?? "";
  const hint = HINTS[HINT_OF[code] ?? code];
  return new Failure("UPSTREAM_UNAVAILABLE", {
    ...diskSentence(reason),
    ...(hint && { hint }),
    details: { part: "store", ...(code && { reason: code }) },
    outcome: uncertain ? "unknown" : "none",
    cause: error,
  });
}

/** The owner process ended before it answered. */
export const ownerGone = (): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: "the process that holds the garden ended before it answered; the write may have happened",
    uk: "процес, що тримає сад, завершився, не відповівши; запис міг відбутися",
    details: { part: "store" },
    outcome: "unknown",
  });
