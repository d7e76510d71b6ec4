import { Failure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { RefName } from "../../../../domain/git/git-names.ts";
import type { RefMove } from "../../../../ports/repo.ts";
import { gitFailed } from "../process/git-process.ts";

export const checkedOutElsewhere = (ref: RefName): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${ref} is checked out in another work tree`,
    uk: `${ref} відкрито в іншій робочій теці`,
    hint: {
      en: "Go to another branch there, or remove it with “git worktree remove”, and try again.",
      uk: "Перейдіть там на іншу гілку або приберіть її («git worktree remove») і повторіть.",
    },
    details: { ref },
  });

export const rebaseUnderWay = (ref: RefName): Text => ({
  en: `a rebase of ${ref} is under way; finish it with “git rebase --continue” or drop it with “git rebase --abort”`,
  uk: `триває rebase гілки ${ref}; завершіть його («git rebase --continue») або скасуйте («git rebase --abort»)`,
});

export const moveRefused = (en: string, uk: string): Failure =>
  new Failure("VALIDATION_FAILED", { en: `refs cannot move so: ${en}`, uk: `посилання так не пересунути: ${uk}` });

export const nameTakenBy = (ref: RefName, other: RefName): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${ref} cannot be made because ${other} exists: one name may not lie inside another`,
    uk: `${ref} не можна створити, бо є ${other}: одна назва не може лежати всередині іншої`,
    details: { ref, other },
  });

/** A full disk: retrying does not help. "couldn't write" is a lock file that git created and could not fill. */
export const isDiskFull = (said: string): boolean => /No space left|quota exceeded|couldn't write/i.test(said);

/** The disk cannot be written, or a lock was held for too long. */
export const refsStuck = (moves: readonly RefMove[], said: string): Failure =>
  isDiskFull(said) || /Read-only file system|Permission denied|Input\/output error/i.test(said)
    ? gitFailed(["update-ref"], "refs", said)
    : refsBusy(moves, said);

const refsBusy = (moves: readonly RefMove[], said: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `git did not let us move ${moves.map(({ ref }) => ref).join(", ")}: ${said || "a lock is held"}`,
    uk: `git не дав пересунути ${moves.map(({ ref }) => ref).join(", ")}: ${said || "замок зайнято"}`,
    hint: {
      en: "Another git command is at work, or one was killed and left a .lock file under .git/refs. Try again when it is done.",
      uk: "Працює інша команда git, або її було вбито і в .git/refs лишився файл .lock. Спробуйте ще раз, коли вона завершиться.",
    },
    details: { refs: moves.map(({ ref }) => ref) },
  });

export const halfMoved = (said: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `git ended while it moved refs, and only some of them moved: ${said}`,
    uk: `git завершився під час пересування посилань, пересунулися лише деякі: ${said}`,
    details: { part: "git" },
    outcome: "unknown",
  });
