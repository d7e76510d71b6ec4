import { asFailure, Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";

export const programRuns = (session: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `another program works in the session ${session}`,
    uk: `у сесії ${session} працює інша програма`,
    hint: {
      en: "Wait for its end, or spawn a session of your own.",
      uk: "Дочекайтеся її кінця або почніть окрему сесію.",
    },
    details: { session },
  });

const takeOrDiscard = (session: string): Text => ({
  en: `\`bloom session exec ${session} --take\` commits it, \`--discard\` deletes it.`,
  uk: `\`bloom session exec ${session} --take\` комітить її, \`--discard\` видаляє.`,
});

export const workIsKept = (session: string, folder: string): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the work of an earlier program in the session ${session} is still in ${folder}`,
    uk: `робота попередньої програми в сесії ${session} досі в ${folder}`,
    hint: takeOrDiscard(session),
    details: { session, folder },
  });

export const noKeptWork = (session: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `no program left work in the session ${session}`,
    uk: `жодна програма не лишила роботи в сесії ${session}`,
    details: { session },
  });

export const pathsRefused = (session: string, folder: string, refused: readonly RefusedPath[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `a session may not change these paths, and nothing was committed: ${refused.map(({ path, why }) => `${path} (${why.en})`).join(", ")}`,
    uk: `сесія не може змінювати ці шляхи, нічого не закомічено: ${refused.map(({ path, why }) => `${path} (${why.uk})`).join(", ")}`,
    hint: {
      en: `The work is kept in ${folder}. Put these paths right there; ${takeOrDiscard(session).en}`,
      uk: `Роботу збережено в ${folder}. Виправте там ці шляхи; ${takeOrDiscard(session).uk}`,
    },
    details: { session, folder, paths: refused.map(({ path }) => path) },
  });

export interface RefusedPath {
  readonly path: string;
  readonly why: Text;
}

export const workConflicts = (session: string, folder: string, head: string, paths: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the session ${session} got other commits meanwhile, and both changed ${paths.join(", ")}; nothing was committed`,
    uk: `сесія ${session} тим часом отримала інші коміти, і обидві сторони змінили ${paths.join(", ")}; нічого не закомічено`,
    hint: {
      en: `The work is kept in ${folder}. Commit there, run \`git merge ${head}\` there and resolve the conflicts; ${takeOrDiscard(session).en}`,
      uk: `Роботу збережено в ${folder}. Закомітьте там, виконайте там \`git merge ${head}\` і розв'яжіть розбіжності; ${takeOrDiscard(session).uk}`,
    },
    details: { session, folder, head, paths },
  });

/** A failure of landing the work, which says where the work is. */
export function withKeptWork(error: unknown, session: string, folder: string): Failure {
  const failure = asFailure(error);
  if (failure.details["folder"] !== undefined) return failure;
  const { code, text, details, outcome } = failure;
  return new Failure(code, {
    ...text,
    hint: {
      en: `The work is kept in ${folder}. ${takeOrDiscard(session).en}`,
      uk: `Роботу збережено в ${folder}. ${takeOrDiscard(session).uk}`,
    },
    details: { ...details, session, folder },
    outcome,
    cause: error,
  });
}
