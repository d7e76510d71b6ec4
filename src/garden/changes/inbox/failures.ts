import { Failure } from "../../../base/failure.ts";
import type { Text } from "../../../base/text.ts";
import type { Action } from "../../../domain/proposal/action.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import type { Conflict } from "../../../ports/repo.ts";

export const forbidden = (text: Text): Failure => new Failure("FORBIDDEN", text);

export const notAuthenticated = (): Failure =>
  new Failure("AUTH_REQUIRED", { en: "authentication required", uk: "невідомо, хто просить" });

export const ownerOnly = (): Failure =>
  forbidden({
    en: "only the owner may edit or take back a proposal",
    uk: "редагувати й відкликати пропозицію може лише власник",
  });

export const actionNotAllowed = (who: string, action: string): Failure =>
  forbidden({ en: `${who} may not ${action}`, uk: `${who} не має права на ${action}` });

export const unknownAgent = (slug: string): Failure =>
  forbidden({ en: `there is no agent ${slug}`, uk: `немає агента ${slug}` });

export const agentNotActive = (slug: string, status: string): Failure =>
  forbidden({
    en: `the agent ${slug} is ${status}; only an active one may propose`,
    uk: `агент ${slug} має стан ${status}; пропонувати може лише active`,
  });

export const unknownRun = (run: string): Failure =>
  forbidden({
    en: `there is no run ${JSON.stringify(run.slice(0, 100))} of this agent`,
    uk: `немає запуску ${JSON.stringify(run.slice(0, 100))} цього агента`,
  });

export const notInSafeOutputs = (slug: string, action: string, allowed: readonly string[]): Failure =>
  forbidden({
    en: `${action} is not in safe_outputs of ${slug} (${allowed.join(", ") || "none"})`,
    uk: `${action} немає в safe_outputs агента ${slug} (${allowed.join(", ") || "порожньо"})`,
  });

/** I-1: `tags` of the contract limits `propose-tag`. */
export const tagsForbidden = (slug: string, add: readonly string[], remove: readonly string[]): Failure => {
  const list = [...add.map((tag) => `+${tag}`), ...remove.map((tag) => `-${tag}`)].slice(0, 20).join(", ");
  return new Failure("FORBIDDEN", {
    en: `${slug} may not change these tags: ${list} (tags in its contract)`,
    uk: `${slug} не може змінювати ці теги: ${list} (tags у його контракті)`,
    details: { add, remove },
  });
};

export const outsideZone = (zone: string): Failure =>
  forbidden({ en: `this is outside the zone ${zone}`, uk: `це поза зоною ${zone}` });

/** The same for notes that exist and notes that do not. */
export const outsideFolder = (slug: string, folder: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `${slug} proposes changes only in the folder ${folder} (context.folder of its contract)`,
    uk: `${slug} пропонує зміни лише в папці ${folder} (context.folder його контракту)`,
    hint: {
      en: "The owner can allow the others: `proposes: anywhere` in the contract.",
      uk: "Власник може дозволити інші: `proposes: anywhere` у контракті.",
    },
    details: { folder },
  });

/** For a note that the agent may not read: the reason would tell its content. */
export const hiddenNoteRefused = (): Failure =>
  forbidden({
    en: "this change of a note that the agent may not read cannot be made",
    uk: "цю зміну нотатки, якої агент не може читати, не можна зробити",
  });

/** Nothing of the request is stored: it would store the secret. */
export const secretInProposal = (): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: "the change contains a secret of this garden (a key of a model, the reader or a webhook)",
    uk: "зміна містить секрет цього саду (ключ моделі, читача або вебхука)",
    hint: {
      en: "Remove the value. If it was shown to others, replace the key.",
      uk: "Приберіть значення. Якщо його бачили інші, замініть ключ.",
    },
  });

export const folderOfAnother = (slug: string, other: string): Failure =>
  forbidden({
    en: `${slug} may not change what belongs to ${other}; the owner can grant it (grants in garden.yaml)`,
    uk: `${slug} не може чіпати те, що належить ${other}; власник може дозволити (grants у garden.yaml)`,
  });

export const ownLogic = (slug: string, action: Action): Failure =>
  forbidden({
    en: `${slug} may not change its own logic; the owner can grant it (grants in garden.yaml: { agent: ${slug}, actions: [${action}], on: [${slug}] })`,
    uk: `${slug} не може змінювати власну логіку; власник може дозволити (grants у garden.yaml: { agent: ${slug}, actions: [${action}], on: [${slug}] })`,
  });

export const baseMoved = (conflicts: readonly Conflict[]): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: "the note has changed in the same lines since the commit that this was made against",
    uk: "нотатка змінилася в тих самих рядках після коміту, від якого це зроблено",
    details: { conflicts },
  });

export const samePending = (other: Proposal | "being-received"): Failure =>
  other === "being-received"
    ? new Failure("DUPLICATE_ENTRY", {
        en: "the same is being received right now",
        uk: "те саме надходить просто зараз",
      })
    : new Failure("DUPLICATE_ENTRY", {
        en: `the same is pending already: ${other.id}`,
        uk: `те саме вже чекає на рішення: ${other.id}`,
        details: { proposal: other.id },
      });

/** P-10c. */
export const sameAsSentBack = (id: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `this is the change that was sent back (${id}), without what the comments ask for`,
    uk: `це та сама зміна, яку повернули (${id}), без того, про що просять коментарі`,
    hint: {
      en: "Change it as the comments ask, or say why that is not possible.",
      uk: "Змініть її так, як просять коментарі, або скажіть, чому це неможливо.",
    },
    details: { proposal: id },
  });

export const ODD_NAME: Text = { en: "a name that looks like another one", uk: "назва, яку не відрізнити від інших" };

/** S-7: the last line of defence: tools of an experiment file into the sandbox and never come here. */
export const experimentStays = (run: string): Failure =>
  new Failure("FORBIDDEN", {
    en: `the run ${run} is an experiment: what it proposes stays in the sandbox`,
    uk: `запуск ${run} — експеримент: його пропозиції лишаються в пісочниці`,
    hint: {
      en: "The owner may promote an entry: `bloom sandbox promote ID`.",
      uk: "Власник може підняти запис: `bloom sandbox promote ID`.",
    },
    details: { run },
  });
