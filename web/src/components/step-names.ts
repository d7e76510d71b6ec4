import type { Text, Translate } from "../i18n/use-t.ts";

/** The program's own steps. A tool keeps its name, because contracts name it so. */
const own: Readonly<Record<string, Text>> = {
  "load-context": { en: "Load context", uk: "Зібрати контекст" },
  model: { en: "Model", uk: "Модель" },
  "execute-agent": { en: "Close the conversation", uk: "Завершити розмову" },
  "persist-results": { en: "Save the results", uk: "Зберегти результати" },
  finalize: { en: "Finish", uk: "Завершити" },
};

export const stepLabel = (name: string, t: Translate): string => (own[name] ? t(own[name]) : name);
