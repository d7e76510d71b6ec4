import { Failure } from "../../base/failure.ts";
import type { Text } from "../../base/text.ts";

export const untypedObject = (found: unknown): Failure =>
  refused({
    en: `a typed object needs a registered \`type\`, not ${JSON.stringify(found) ?? "none"}`,
    uk: `типізованому об'єкту потрібен зареєстрований \`type\`, а не ${JSON.stringify(found) ?? "нічого"}`,
  });

export const briefingWithoutGoal = (): Failure =>
  refused({
    en: "a briefing needs a `goal`: what the session is to achieve, in words",
    uk: "завданню сесії потрібна мета `goal`: чого треба досягти, словами",
  });

export const notACommitKind = (kind: string): Failure =>
  refused({
    en: `${JSON.stringify(kind)} is no kind of commit; \`bloom session kinds\` lists them`,
    uk: `${JSON.stringify(kind)} — не вид коміту; перелік дає \`bloom session kinds\``,
  });

export const subjectRefused = (): Failure =>
  refused({
    en: "the message of a session commit is one line that is not empty; further text goes into its body",
    uk: "повідомлення коміту сесії — один непорожній рядок; решта тексту йде в тіло",
  });

export const reservedField = (name: string): Failure =>
  refused({
    en: `a session commit cannot have the open field ${JSON.stringify(name)}: the name is reserved`,
    uk: `коміт сесії не може мати поле ${JSON.stringify(name)}: назву зайнято`,
  });

export const fieldsTooLarge = (bytes: number, limit: number): Failure =>
  refused({
    en: `the fields of a session commit take ${bytes} bytes; at most ${limit} fit into a commit message`,
    uk: `поля коміту сесії займають ${bytes} байтів; у повідомлення коміту вміщується щонайбільше ${limit}`,
    hint: { en: "Put large content into a file of the commit.", uk: "Великий вміст покладіть у файл коміту." },
  });

export const invalidSessionName = (name: string): Failure =>
  refused({
    en: `${JSON.stringify(name)} is no name of a session: lower case letters, digits and inner hyphens, at most 63, and not main`,
    uk: `${JSON.stringify(name)} — не назва сесії: малі латинські літери, цифри й дефіси всередині, щонайбільше 63, і не main`,
  });

export const invalidEdge = (what: string): Failure =>
  refused({
    en: `an edge needs a kind and the names of two sessions, not ${what}`,
    uk: `зв'язку потрібні вид і назви двох сесій, а не ${what}`,
  });

const refused = (init: Text & { readonly hint?: Text }): Failure => new Failure("VALIDATION_FAILED", init);
