import { Failure, isFailure, type WriteOutcome } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";

/** Turns a file system error into a failure; returns anything else unchanged. */
export function diskFailure(error: unknown, outcome: WriteOutcome = "none"): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (isFailure(error) || typeof code !== "string") return error;
  const what = diskTrouble(code);
  return new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the repository could not be written: ${what.en}`,
    uk: `не вдалося записати в репозиторій: ${what.uk}`,
    details: { part: "git", code },
    cause: error,
    outcome,
  });
}

export function diskTrouble(code: string): Text {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return { en: "the disk is full", uk: "диск заповнено" };
    case "EROFS":
      return { en: "the disk is read-only", uk: "диск доступний лише для читання" };
    case "EACCES":
    case "EPERM":
      return { en: "no permission to write there", uk: "немає дозволу на запис" };
    default:
      return { en: `the file system reported ${code}`, uk: `файлова система повідомила ${code}` };
  }
}
