import { Failure, isFailure } from "../../../../base/failure.ts";
import type { Text } from "../../../../base/text.ts";
import type { Oid } from "../../../../domain/git/git-names.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import type { Busy } from "../../../../ports/repo.ts";

/** A reason why main of this clone cannot follow the remote, or the remote cannot take it. A person must act. */
export type RemoteProblem =
  | { readonly kind: "rewritten"; readonly was: Oid; readonly now: Oid }
  | { readonly kind: "gone"; readonly was: Oid }
  | { readonly kind: "unrelated"; readonly ours: Oid; readonly theirs: Oid }
  | { readonly kind: "conflict"; readonly paths: readonly string[] }
  | { readonly kind: "edited"; readonly paths: readonly string[] }
  | { readonly kind: "refused"; readonly why: Text };

/** The cause, and the way out. */
export function remoteProblemText(problem: RemoteProblem, address: string): Text {
  switch (problem.kind) {
    case "rewritten":
      return {
        en: `the history of main at ${address} was rewritten: it was at ${problem.was} and is now at ${problem.now}, which does not contain it. Nothing here was changed. To put the old history back: “git push --force ${address} ${problem.was}:${MAIN_REF}”. To accept the new one, on every machine: “git fetch ${address} main”, then “git reset --hard FETCH_HEAD”`,
        uk: `історію main у ${address} переписано: вона була на ${problem.was}, тепер на ${problem.now}, де її немає. Тут нічого не змінено. Щоб повернути стару історію: «git push --force ${address} ${problem.was}:${MAIN_REF}». Щоб прийняти нову, на кожній машині: «git fetch ${address} main», тоді «git reset --hard FETCH_HEAD»`,
      };
    case "gone":
      return {
        en: `main is gone at ${address}; it was at ${problem.was}. Nothing here was changed. To put it back: “git push ${address} ${problem.was}:${MAIN_REF}”`,
        uk: `у ${address} зникла гілка main; вона була на ${problem.was}. Тут нічого не змінено. Щоб повернути її: «git push ${address} ${problem.was}:${MAIN_REF}»`,
      };
    case "unrelated":
      return {
        en: `main here (${problem.ours}) and main at ${address} (${problem.theirs}) have no common history. Check \`repo.remote\` in garden.yaml; to join an existing garden, clone it`,
        uk: `main тут (${problem.ours}) і main у ${address} (${problem.theirs}) не мають спільної історії. Перевірте \`repo.remote\` у garden.yaml; щоб долучитися до наявного саду, клонуйте його`,
      };
    case "conflict":
      return {
        en: `commits on main here and at ${address} change the same lines: ${problem.paths.join(", ")}. Merge them by hand: “git pull --no-rebase ${address} main”`,
        uk: `коміти на main тут і в ${address} змінюють ті самі рядки: ${problem.paths.join(", ")}. Злийте вручну: «git pull --no-rebase ${address} main»`,
      };
    case "edited":
      return {
        en: `${address} has changed files that have uncommitted edits here: ${problem.paths.join(", ")}. Commit or undo these edits`,
        uk: `у ${address} змінено файли, які тут мають незакомічені зміни: ${problem.paths.join(", ")}. Закомітьте або скасуйте їх`,
      };
    case "refused":
      return {
        en: `commits on main here are not at ${address} yet: ${problem.why.en}`,
        uk: `комітів на main звідси ще немає у ${address}: ${problem.why.uk}`,
      };
  }
}

export const blockedBy = (problem: RemoteProblem, address: string): Busy => ({
  kind: "busy",
  why: remoteProblemText(problem, address),
});

/** The move of another ref cannot be answered: main as it is at the remote is not known here. */
export const mainNotFollowed = (why: Text): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `main here does not follow the remote: ${why.en}`,
    uk: `main тут не йде за віддаленим репозиторієм: ${why.uk}`,
    details: { part: "remote" },
    outcome: "unknown",
  });

/** The remote has taken the move, and this machine could not follow: the caller reads main again. */
export function takenThere(cause: unknown): Failure {
  const text = isFailure(cause) ? cause.text : { en: String(cause), uk: String(cause) };
  return new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the remote has the change, but this machine could not follow it yet: ${text.en}`,
    uk: `віддалений репозиторій уже має зміну, але ця машина ще не змогла піти слідом: ${text.uk}`,
    hint: { en: "It is followed at the next contact.", uk: "Вона піде слідом за наступного зв'язку." },
    details: { part: "git" },
    outcome: "unknown",
    cause,
  });
}

/** The remote may have the object; nothing may be concluded from its absence here. */
export const objectNotHere = (oid: Oid, address: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the object ${oid} is not on this machine, and ${address} does not answer`,
    uk: `об'єкта ${oid} немає на цій машині, а ${address} не відповідає`,
    hint: {
      en: "It is fetched when the remote is back. “bloom status” tells its state.",
      uk: "Його буде отримано, щойно віддалений репозиторій відповість. Його стан показує «bloom status».",
    },
    details: { part: "remote", object: oid },
  });

/** The same while the fetch goes on. */
export const objectNotHereYet = (oid: Oid, address: string, seconds: number): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `the object ${oid} is not on this machine, and ${address} did not answer within ${seconds} s`,
    uk: `об'єкта ${oid} немає на цій машині, а ${address} не відповів за ${seconds} с`,
    hint: { en: "The fetch goes on. Try again in a moment.", uk: "Отримання триває. Повторіть за мить." },
    details: { part: "remote", object: oid },
  });

/** Nothing tells whether the remote took the push. */
export const pushUnanswered = (failure: Failure): Failure =>
  new Failure(failure.code, {
    ...failure.text,
    ...(failure.hint && { hint: failure.hint }),
    details: failure.details,
    outcome: "unknown",
    cause: failure,
  });

export const remoteCrowded = (address: string, said: string): Failure =>
  new Failure("UPSTREAM_UNAVAILABLE", {
    en: `${address} refused the push again and again, although its refs were as expected: ${said}`,
    uk: `${address} раз у раз не приймав надісланого, хоча посилання там були ті самі: ${said}`,
    hint: { en: "Try again in a moment.", uk: "Повторіть за мить." },
    details: { part: "remote" },
  });
