import { Failure } from "../../base/failure.ts";

export const noSession = (name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no session ${JSON.stringify(name)}`,
    uk: `сесії ${JSON.stringify(name)} немає`,
    hint: { en: "`bloom session list` shows them.", uk: "Їх показує `bloom session list`." },
    details: { session: name },
  });

export const noCommitAt = (what: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `there is no commit ${JSON.stringify(what)} to start a session at`,
    uk: `немає коміту ${JSON.stringify(what)}, від якого почати сесію`,
    details: { commit: what },
  });

export const refsContended = (refs: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${refs.join(", ")} kept changing; nothing was written`,
    uk: `${refs.join(", ")} весь час змінювали інші; нічого не записано`,
    details: { refs },
  });

export const mergeIntoItself = (name: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the session ${name} cannot be merged into itself`,
    uk: `сесію ${name} не можна злити із самою собою`,
  });

export const kindRefused = (why: { readonly en: string; readonly uk: string }): Failure =>
  new Failure("VALIDATION_FAILED", why);

export const runNamesTaken = (names: readonly string[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `the session of this run has no free name: ${names.join(", ")} belong to others`,
    uk: `для сесії цього запуску немає вільної назви: ${names.join(", ")} належать іншим`,
    hint: {
      en: "Delete or archive one of these branches if it is no longer needed; the run then goes on.",
      uk: "Видаліть або заархівуйте одну з цих гілок, якщо вона вже не потрібна; тоді запуск піде далі.",
    },
    details: { names },
  });
