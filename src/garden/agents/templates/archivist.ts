import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const archivistTemplate: AgentTemplate = {
  id: "archivist",
  group: "summarise",
  name: { uk: "Архіваріус", en: "Archivist" },
  purpose: {
    uk: "Пропонує резюме й теги для довших нотаток, яких ще не описав, по десять за запуск",
    en: "Proposes a summary and tags for the longer notes that it has not described yet, ten in a run",
  },
  reads: { uk: "довші нотатки", en: "longer notes" },
  model: FOLLOWER,
  tools: ["notebooklm-query", "read-context", "read-notes", "read-memory", "write-memory", "create-proposal"],
  safe_outputs: ["propose-summary", "propose-tag"],
  settings: { execution: "flow", max_steps: 8, temperature: 0.2, events: ["note/created"] },
  role: {
    uk: "Кожна довша нотатка має структуроване резюме й теги, щоб її можна було знайти. Ти працюєш **виключно** на основі нотаток і джерел: відповідь складається з цитат. Якщо джерело мовчить — мовчи й ти.",
    en: "Every longer note has a structured summary and tags, so that it can be found. You work from the notes and sources **only**: an answer is made of quotations. Where a source is silent, so are you.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Щоденний аналіз"

  пам'ять ← read-memory()
  оброблені ← пам'ять.оброблені
  нотатки ← read-notes(min_words: 200, skip: оброблені, skip_until: пам'ять.останній_run)

  ДЛЯ КОЖНОГО нотатка З нотатки
    ЯКЩО нотатка.slug Є В оброблені І нотатка.updated_at <= пам'ять.останній_run
      → НАСТУПНА

    зміст ← read-context(нотатка.slug)

    ЯКЩО довжина(зміст) < 200 слів
      → НАСТУПНА

    резюме ← notebooklm-query(
      "Створи структуроване резюме цієї нотатки. "
      "Включи: основну тезу, ключові поняття, зв'язки з іншими темами.",
      джерело: зміст
    )

    теги ← notebooklm-query(
      "Запропонуй 3-5 тегів для цієї нотатки на основі її змісту.",
      джерело: зміст
    )

    create-proposal(
      тип: "propose-summary",
      нотатка: нотатка.slug,
      зміст: резюме
    )

    create-proposal(
      тип: "propose-tag",
      нотатка: нотатка.slug,
      теги: теги
    )

  write-memory(
    оброблені: оновлений_список,
    останній_run: поточний_час
  )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "Daily analysis"

  memory ← read-memory()
  processed ← memory.processed
  notes ← read-notes(min_words: 200, skip: processed, skip_until: memory.last_run)

  FOR EACH note IN notes
    IF note.slug IS IN processed AND note.updated_at <= memory.last_run
      → NEXT

    content ← read-context(note.slug)

    IF length(content) < 200 words
      → NEXT

    summary ← notebooklm-query(
      "Make a structured summary of this note. "
      "Include: the main thesis, key terms, links to other topics.",
      source: content
    )

    tags ← notebooklm-query(
      "Suggest 3-5 tags for this note from what it says.",
      source: content
    )

    create-proposal(
      type: "propose-summary",
      note: note.slug,
      content: summary
    )

    create-proposal(
      type: "propose-tag",
      note: note.slug,
      tags: tags
    )

  write-memory(
    processed: updated_list,
    last_run: current_time
  )

END
`,
  },
};
