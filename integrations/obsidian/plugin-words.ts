import type { GatewayProblem, LineAnswer } from "./gateway-client.ts";

export type PluginLanguage = "en" | "uk";

/** Every text of the plugin, in both languages. */
export const pluginWords = {
  waiting: { en: "Waiting in the garden", uk: "Чекає в саду" },
  nothing: { en: "Nothing waits for you.", uk: "Нічого не чекає на вас." },
  review: { en: "Review in the browser", uk: "Переглянути в браузері" },
  more: { en: "More of them are in the browser.", uk: "Решта — у браузері." },
  openPane: { en: "Show what waits", uk: "Показати, що чекає" },
  whoChanged: { en: "Who changed this line", uk: "Хто змінив цей рядок" },
  why: { en: "The whole story in the browser", uk: "Уся історія в браузері" },
  uncommitted: {
    en: "This line is not in the garden's history yet.",
    uk: "Цього рядка ще немає в історії саду.",
  },
  unknown: { en: "The garden does not know this line.", uk: "Сад не знає цього рядка." },
  noNote: { en: "Open a note in the editor first.", uk: "Спершу відкрийте нотатку в редакторі." },
  byProposal: { en: "by an approved proposal", uk: "схваленою пропозицією" },
  byHand: { en: "by hand", uk: "вручну" },
  address: { en: "Address of the gateway", uk: "Адреса шлюзу" },
  addressHint: { en: "As bloom up prints it", uk: "Як її друкує bloom up" },
  token: { en: "Token", uk: "Токен" },
  tokenHint: {
    en: "From bloom token new obsidian. Kept on this device, outside of the vault's files.",
    uk: "Його дає bloom token new obsidian. Зберігається на цьому пристрої, поза файлами сховища.",
  },
  folder: { en: "Folder of this vault in the garden", uk: "Тека цього сховища в саду" },
  folderHint: {
    en: "Empty if the vault is the garden; notes if only its folder notes is the vault",
    uk: "Порожньо, якщо сховище і є садом; notes, якщо сховище — лише його тека notes",
  },
} as const satisfies Record<string, Readonly<Record<PluginLanguage, string>>>;

const problems: Readonly<Record<GatewayProblem["kind"], Readonly<Record<PluginLanguage, string>>>> = {
  address: {
    en: "The address of the gateway is not one. Set it as bloom up prints it.",
    uk: "Це не адреса шлюзу. Вкажіть її так, як друкує bloom up.",
  },
  "plain-http": {
    en: "The token is not sent over plain HTTP to another machine. Use HTTPS, or an address of this machine.",
    uk: "Токен не надсилається іншій машині відкритим HTTP. Вкажіть HTTPS або адресу цієї машини.",
  },
  token: {
    en: "The gateway refuses the token. Make one with bloom token new obsidian and set it in the settings.",
    uk: "Шлюз відхиляє токен. Створіть його через bloom token new obsidian і вкажіть у налаштуваннях.",
  },
  away: { en: "The gateway does not answer. Start it with bloom up.", uk: "Шлюз не відповідає. Запустіть bloom up." },
  answer: {
    en: "The gateway gave an answer that this plugin cannot read. Compare their versions.",
    uk: "Відповідь шлюзу незрозуміла плагіну. Порівняйте їхні версії.",
  },
};

export const problemWords = ({ kind }: GatewayProblem, language: PluginLanguage): string => problems[kind][language];

/** The status bar: a number, or a dash while the gateway is away. */
export const statusText = (count: number | undefined, isMore: boolean): string =>
  count === undefined ? "🌸 –" : `🌸 ${count}${isMore ? "+" : ""}`;

/** One sentence on a line: who, when, how. */
export function lineWords(answer: LineAnswer, language: PluginLanguage): string {
  if (answer.kind !== "origin") return pluginWords[answer.kind][language];
  const { author, at, subject, proposal } = answer.origin;
  const how = pluginWords[proposal === undefined ? "byHand" : "byProposal"][language];
  return `${author}, ${at.slice(0, 16).replace("T", " ")} UTC, ${how}: ${subject}`;
}
