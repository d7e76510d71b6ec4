import { didYouMean } from "../../base/did-you-mean.ts";
import { Failure } from "../../base/failure.ts";
import { joined, type Text } from "../../base/text.ts";
import { contractKey, logicFolder } from "../../domain/layout.ts";
import { MAIN_DIAGRAM } from "../records/agents/agent-diagrams.ts";
import { agentTemplates } from "./templates/templates.ts";

export const agentExists = (slug: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `the agent ${slug} already exists`,
    uk: `агент ${slug} вже є`,
    hint: { en: `\`bloom agent show ${slug}\` shows it.`, uk: `Його покаже \`bloom agent show ${slug}\`.` },
    details: { agent: slug },
  });

export const invalidSlug = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${JSON.stringify(slug)} cannot name an agent`,
    uk: `${JSON.stringify(slug)} не може бути назвою агента`,
    hint: {
      en: "Lower-case Latin letters, digits and inner hyphens, up to 63 characters: archivist-violin.",
      uk: "Малі латинські літери, цифри й дефіси всередині, до 63 символів: archivist-violin.",
    },
    details: { agent: slug },
  });

export const grantIsContract = (slug: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${slug} is an agent of this garden already, and its contract says what it may do`,
    uk: `${slug} вже є агентом цього саду, і що йому можна, каже його контракт`,
    hint: {
      en: `Leave the actions and the folder out to make one more token of it, or change its contract: \`bloom agent edit ${slug}\`.`,
      uk: `Не називайте дій і теки, щоб дати йому ще один токен, або змініть контракт: \`bloom agent edit ${slug}\`.`,
    },
    details: { agent: slug },
  });

export const reservedSlug = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${slug} cannot name an agent: records and addresses use it for something else`,
    uk: `${slug} не може бути назвою агента: у записах і адресах це позначає когось або щось інше`,
    hint: { en: "Choose another name.", uk: "Оберіть іншу назву." },
    details: { agent: slug },
  });

export const formerAgentHadDiagram = (slug: string, version: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${logicFolder(slug)}/ has versions of a former agent of that name, which had a diagram`,
    uk: `у ${logicFolder(slug)}/ лежать версії колишнього агента з цією назвою, який мав діаграму`,
    hint: {
      en: "Choose another name, or create it with a diagram: its logic will be the next version.",
      uk: "Оберіть іншу назву або створіть його з діаграмою: його логіка стане наступною версією.",
    },
    details: { agent: slug, version },
  });

export const fileExists = (key: string): Failure =>
  new Failure("DUPLICATE_ENTRY", {
    en: `${key} already exists with other content`,
    uk: `${key} вже є і містить інше`,
    hint: {
      en: "Check the file in the store: remove it, or choose another name for the agent.",
      uk: "Погляньте на файл у сховищі; приберіть його або оберіть іншу назву агента.",
    },
    details: { key },
  });

export const deletionNotConfirmed = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `deleting ${slug} removes its whole folder and cannot be undone: confirm it with the name`,
    uk: `видалення ${slug} забирає всю його теку, і вороття немає: це треба підтвердити назвою`,
    hint: {
      en: `\`bloom agent delete ${slug} --confirm ${slug}\``,
      uk: `\`bloom agent delete ${slug} --confirm ${slug}\``,
    },
    details: { agent: slug },
  });

export const changedDuringDeletion = (slug: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${contractKey(slug)} was changed during the deletion; nothing was deleted`,
    uk: `${contractKey(slug)} тим часом змінили, і нічого не видалено`,
    details: { agent: slug },
  });

/** The swap of the contract lost every attempt. */
export const contractContended = (slug: string): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${contractKey(slug)} is changed by another process too often; try again`,
    uk: `${contractKey(slug)} весь час змінює хтось інший`,
  });

export const statusNotEditable = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `the status line of ${contractKey(slug)} cannot be changed without changing something else`,
    uk: `рядок status у ${contractKey(slug)} не можна змінити, не змінивши чогось іще`,
    hint: {
      en: "Write `status` and `updated_at` on lines of their own, without anchors.",
      uk: "Запишіть `status` і `updated_at` окремими рядками, без якорів.",
    },
    details: { agent: slug },
  });

export const outputsNotEditable = (slug: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `safe_outputs of ${contractKey(slug)} cannot be changed without changing something else`,
    uk: `safe_outputs у ${contractKey(slug)} не можна змінити, не змінивши чогось іще`,
    hint: {
      en: "Write `safe_outputs` as a list of its own, without anchors, and `updated_at` on a line of its own.",
      uk: "Запишіть `safe_outputs` окремим списком, без якорів, а `updated_at` — окремим рядком.",
    },
    details: { agent: slug },
  });

export const diagramFileName = (file: string, problem: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `${JSON.stringify(file)} is not a valid name for a diagram file (${problem})`,
    uk: `файл діаграми не може зватися ${JSON.stringify(file)} (${problem})`,
    hint: { en: `Rename it, for instance to ${MAIN_DIAGRAM}.`, uk: `Перейменуйте його, наприклад на ${MAIN_DIAGRAM}.` },
  });

export const noContractIn = (dir: string): Failure =>
  new Failure("NOT_FOUND", { en: `there is no _agent.md in ${dir}`, uk: `у ${dir} немає _agent.md` });

export const noArtifact = (slug: string, name: string): Failure =>
  new Failure("NOT_FOUND", {
    en: `${slug} has no artifact ${name}`,
    uk: `${slug} не має артефакта ${name}`,
    details: { agent: slug, name },
  });

export const firstLogicNotApplied = (
  { id, status }: { readonly id: string; readonly status: string },
  slug: string,
  error: Text | undefined,
): Failure =>
  new Failure("INVALID_TRANSITION", {
    en: `the first version of the logic is ${status} (${id})${error ? `: ${error.en}` : ""}`,
    uk: `перша версія логіки має стан ${status} (${id})${error ? `: ${error.uk}` : ""}`,
    hint: {
      en: `\`bloom proposals show ${id}\` says more; activating the agent tries again.`,
      uk: `Докладніше: \`bloom proposals show ${id}\`; активація агента спробує ще раз.`,
    },
    details: { agent: slug, proposal: id, status },
  });

export const contractChanged = (slug: string, current: string | undefined): Failure =>
  new Failure("CONCURRENT_MODIFICATION", {
    en: `${contractKey(slug)} was changed since it was read`,
    uk: `${contractKey(slug)} змінено, відколи його прочитано`,
    hint: {
      en: "Read it again and repeat the edit on the present text.",
      uk: "Прочитайте його знову й повторіть правку в теперішньому тексті.",
    },
    details: { agent: slug, ...(current !== undefined && { current }) },
  });

export const statusNotByEdit = (slug: string, from: string, to: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `status: ${from} cannot become ${to} by an edit of the contract`,
    uk: `status: правкою контракту ${from} не стане ${to}`,
    hint: {
      en: `Keep \`status: ${from}\`; \`bloom agent activate ${slug}\`, \`pause\` and \`archive\` change it.`,
      uk: `Лишіть \`status: ${from}\`; його змінюють \`bloom agent activate ${slug}\`, \`pause\` і \`archive\`.`,
    },
    details: { agent: slug, from, to },
  });

export const noTemplate = (id: string): Failure => {
  const near = didYouMean(
    id,
    agentTemplates.map((template) => template.id),
  );
  return new Failure("NOT_FOUND", {
    en: `there is no template ${id}${near === undefined ? "" : `; did you mean ${near}?`}`,
    uk: `немає шаблону ${id}${near === undefined ? "" : `; можливо, ${near}?`}`,
    hint: { en: "`bloom agent templates` lists them.", uk: "Їх перелічить `bloom agent templates`." },
    details: { template: id, ...(near !== undefined && { near }) },
  });
};

export const procedureRefused = (findings: readonly { readonly line: number; readonly message: Text }[]): Failure =>
  new Failure("VALIDATION_FAILED", {
    ...joined(
      findings.length === 0
        ? [{ en: "the text has no procedure", uk: "у тексті немає процедури" }]
        : findings.map(({ line, message }) => ({
            en: `line ${line}: ${message.en}`,
            uk: `рядок ${line}: ${message.uk}`,
          })),
      "\n",
    ),
    hint: {
      en: 'A procedure begins with BEGIN "name" and ends with END (docs/pseudocode.md).',
      uk: 'Процедура починається з ПОЧАТОК "назва" і закінчується КІНЕЦЬ (docs/pseudocode.md).',
    },
    details: { findings },
  });

export const notAgentPackage = (place?: string): Failure =>
  new Failure("VALIDATION_FAILED", {
    en: `this file is not an exported agent${place ? ` (${place})` : ""}`,
    uk: `цей файл — не експортований агент${place ? ` (${place})` : ""}`,
    hint: {
      en: "Export one with `bloom agent export SLUG`, or download it on the agent's page.",
      uk: "Експортувати: `bloom agent export SLUG` або завантажити на сторінці агента.",
    },
    details: place ? { place } : {},
  });
