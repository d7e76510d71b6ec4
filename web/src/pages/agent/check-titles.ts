import type { Text } from "../../i18n/use-t.ts";
import type { ContractAnswer } from "./contract-answer.ts";

/** The activation checks as sentences for people. The gateway's titles name fields of the file. */
export const checkTitles: Readonly<Record<ContractAnswer["checks"][number]["id"], Text>> = {
  exists: { en: "The contract exists", uk: "Контракт існує" },
  "front-matter": { en: "The settings are valid", uk: "Налаштування правильні" },
  slug: { en: "The file name is unique", uk: "Назва у файлах неповторна" },
  tools: { en: "It has tools", uk: "Інструменти надано" },
  "safe-outputs": { en: "It may propose something", uk: "Дозволено щось пропонувати" },
  model: { en: "The model is known", uk: "Модель відома" },
  "safe-output-tool": { en: "A tool for each kind of proposal", uk: "Є інструмент для кожного виду пропозицій" },
  body: { en: "It has instructions", uk: "Вказівки написано" },
  diagram: { en: "The diagram can be carried out", uk: "Діаграму можна виконати" },
  reachable: { en: "Every icon is reached", uk: "До кожної ікони є шлях" },
  loops: { en: "Every loop has an exit", uk: "Кожен цикл має вихід" },
  "tools-used": { en: "The tools it calls are granted", uk: "Інструменти діаграми надано" },
  "outputs-used": { en: "The proposals it makes are allowed", uk: "Пропозиції діаграми дозволено" },
  steps: { en: "The number of steps is limited", uk: "Кількість кроків обмежено" },
  drift: { en: "Diagram, pseudocode and text agree", uk: "Діаграма, псевдокод і текст збігаються" },
};
