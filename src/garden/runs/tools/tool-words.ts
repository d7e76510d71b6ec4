import { intentExpectations } from "../../../domain/intent/intent-words.ts";
import type { Expectations } from "../../../domain/text/checked-yaml.ts";

/** The expected value of each field of a tool's input, for refusals. */
export const toolWords = {
  ...intentExpectations,
  name: {
    en: "the name of a source or of a note: one line, up to 500 characters",
    uk: "назва джерела чи нотатки: один рядок, до 500 символів",
  },
  query: { en: "words to look for, up to 2,000 characters", uk: "слова для пошуку, до 2000 символів" },
  question: { en: "a question of up to 20,000 characters", uk: "питання до 20 000 символів" },
  entries: { en: "a whole number from 1 to 10", uk: "ціле число від 1 до 10" },
  "runs-to-read": {
    en: "how many of the last runs to read: 0 to 1,000",
    uk: "скільки останніх запусків прочитати: від 0 до 1000",
  },
  "runs-first": { en: "newest or logic_issue", uk: "newest або logic_issue" },
  limit: { en: "a whole number from 1 to 100", uk: "ціле число від 1 до 100" },
  "yes-or-no": { en: "true or false", uk: "true або false" },
  mode: { en: "basic, wide, deep or temporal", uk: "basic, wide, deep або temporal" },
  day: { en: "a day such as 2026-02-14", uk: "день, наприклад 2026-02-14" },
  moment: {
    en: "a commit (at least 4 hex digits), a day (2026-02-14) or a time (2026-02-14T08:00:00Z)",
    uk: "коміт (щонайменше 4 шістнадцяткові цифри), день (2026-02-14) або час (2026-02-14T08:00:00Z)",
  },
  "logic-format": { en: "pseudo or drakon", uk: "pseudo або drakon" },
  "logic-place": {
    en: "current, a version such as v007, proposed, or a proposal (prop_…)",
    uk: "current, версія на зразок v007, proposed або пропозиція (prop_…)",
  },
  tokens: { en: "a whole number from 1 to 100,000", uk: "ціле число від 1 до 100 000" },
  "review-required": {
    en: "true: a person always reviews a change of logic",
    uk: "true: зміну логіки завжди переглядає людина",
  },
  source: {
    en: "a text, the name of a source or note, or a list of these",
    uk: "текст, назва джерела чи нотатки або їхній список",
  },
  type: { en: "one of the actions in safe_outputs of this agent", uk: "одна з дій у safe_outputs цього агента" },
  note: { en: "a note: its slug or its path", uk: "нотатка: її slug або шлях" },
  content: { en: "a text, or an answer of notebooklm-query", uk: "текст або відповідь notebooklm-query" },
  "some-content": { en: "one of content and text", uk: "одне з content і text" },
  "tags-wanted": {
    en: "a list of tags, a text with them, or an answer of notebooklm-query",
    uk: "список тегів, текст із ними або відповідь notebooklm-query",
  },
  references: {
    en: "a list of {source_title, cited_text}, at most 200",
    uk: "список {source_title, cited_text}, не більше 200",
  },
  reason: { en: "a reason in words, up to 20,000 characters", uk: "причина словами, до 20 000 символів" },
  "memory-content": {
    en: "a text, a list of texts, or a list of operations",
    uk: "текст, список текстів або список операцій",
  },
  form: { en: "review, choice, number or text", uk: "review, choice, number або text" },
  options: { en: "a list of 1 to 100 texts", uk: "список із 1–100 текстів" },
  "options-of-choice": {
    en: "options, for the form choice and for no other",
    uk: "options: для форми choice і лише для неї",
  },
  goal: { en: "what the sub-agent is to do, up to 2,000 characters", uk: "що має зробити субагент, до 2000 символів" },
  folders: { en: "a list of 1 to 100 folders", uk: "список із 1–100 тек" },
  json: { en: "plain JSON", uk: "звичайний JSON" },
} as const satisfies Expectations;
