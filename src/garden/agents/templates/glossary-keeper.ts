import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const glossaryKeeperTemplate: AgentTemplate = {
  id: "glossary-keeper",
  group: "tidy",
  name: { uk: "Укладач словника", en: "Glossary keeper" },
  purpose: {
    uk: "Веде нотатку glossary: усі означення з нотаток, кожне з посиланням на своє місце",
    en: "Keeps the note glossary: every definition in the notes, each with a link to its place",
  },
  reads: { uk: "означення в нотатках", en: "definitions in notes" },
  needs: {
    uk: "Пишіть означення окремим рядком: **Термін** — пояснення.",
    en: "Write a definition on a line of its own: **Term** — explanation.",
  },
  model: FOLLOWER,
  tools: ["find-lines", "read-context", "create-proposal"],
  safe_outputs: ["propose-note", "propose-edit"],
  settings: { execution: "flow", cron: "0 6 * * 0", max_sources: 100 },
  role: {
    uk: "Означення живуть у нотатках, де про них ідеться. Ти збираєш їх в одну нотатку, щоб слово можна було знайти й побачити, звідки воно. Пояснень ти не змінюєш: якщо два розходяться, у словнику стоять обидва.",
    en: "Definitions live in the notes that they are about. You collect them in one note, so that a word can be found and its origin seen. You change no explanation: if two differ, the glossary has both.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Словник саду"

  знайдені ← find-lines(starts_with: ["**", "- **", "* **"], contains: ["** — ", "** – ", "**: ", ":** "])
  словник ← "# Словник\n\n"
  скільки ← 0

  ДЛЯ КОЖНОГО означення З знайдені
    ЯКЩО означення.slug = "glossary"
      → НАСТУПНА

    словник ← словник + "- **" + означення.rest + " ([[" + означення.slug + "]])\n"
    скільки ← скільки + 1

  ЯКЩО скільки = 0
    → КІНЕЦЬ

  теперішній ← read-context("glossary")

  ЯКЩО теперішній.помилка не порожня
    create-proposal(
      тип: "propose-note",
      шлях: "glossary.md",
      зміст: словник,
      summary: "Словник: означень " + скільки
    )
  ІНАКШЕ ЯКЩО теперішній ≠ словник
    create-proposal(
      тип: "propose-edit",
      нотатка: "glossary",
      зміст: словник,
      summary: "Оновити словник: означень " + скільки
    )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "The garden's glossary"

  found ← find-lines(starts_with: ["**", "- **", "* **"], contains: ["** — ", "** – ", "**: ", ":** "])
  glossary ← "# Glossary\n\n"
  count ← 0

  FOR EACH definition IN found
    IF definition.slug = "glossary"
      → NEXT

    glossary ← glossary + "- **" + definition.rest + " ([[" + definition.slug + "]])\n"
    count ← count + 1

  IF count = 0
    → END

  present ← read-context("glossary")

  IF present.error is not empty
    create-proposal(
      type: "propose-note",
      path: "glossary.md",
      content: glossary,
      summary: "Glossary: definitions " + count
    )
  ELSE IF present ≠ glossary
    create-proposal(
      type: "propose-edit",
      note: "glossary",
      content: glossary,
      summary: "Update the glossary: definitions " + count
    )

END
`,
  },
};
