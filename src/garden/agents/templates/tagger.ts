import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const taggerTemplate: AgentTemplate = {
  id: "tagger",
  group: "tidy",
  name: { uk: "Тегувальник", en: "Tagger" },
  purpose: {
    uk: "Дає кожній нотатці без тегів один тег, який уже має найближча до неї нотатка",
    en: "Gives every note without tags one tag that the nearest note already has",
  },
  reads: { uk: "нотатки", en: "notes" },
  model: FOLLOWER,
  tools: ["read-notes", "search-notes", "create-proposal"],
  safe_outputs: ["propose-tag"],
  settings: { execution: "flow", cron: "30 6 * * 1-5", max_sources: 50 },
  role: {
    uk: "Ти проходиш нотатками й пропонуєш по одному тегу там, де немає жодного. Тегів ти не вигадуєш: береш той, яким уже користуються в саду, від нотатки, найближчої за словами. Якщо такої немає, не пропонуєш нічого.",
    en: "You walk through the notes and propose one tag where there is none. You never invent a tag: you take one that the garden already uses, from the note that is nearest in words. If there is no such note, you propose nothing.",
  },
  procedure: {
    uk: `ПОЧАТОК "Один тег для нотатки без тегів"

  нотатки ← read-notes()

  ДЛЯ КОЖНОГО нотатка З нотатки
    ЯКЩО нотатка.tags не порожні
      → НАСТУПНА

    вибір ← ""
    підстава ← ""
    схожі ← search-notes(нотатка.title, limit: 8)

    ДЛЯ КОЖНОГО схожа З схожі
      ЯКЩО вибір порожній І схожа.slug ≠ нотатка.slug І схожа.tags не порожні
        вибір ← схожа.tags[0]
        підстава ← схожа.slug

    ЯКЩО вибір не порожній
      create-proposal(
        тип: "propose-tag",
        нотатка: нотатка.slug,
        теги: [вибір],
        summary: "Тег «" + вибір + "» для " + нотатка.title,
        причина: "Найближча за словами нотатка [[" + підстава + "]] має цей тег."
      )

КІНЕЦЬ
`,
    en: `BEGIN "One tag for a note that has none"

  notes ← read-notes()

  FOR EACH note IN notes
    IF note.tags are not empty
      → NEXT

    choice ← ""
    ground ← ""
    alike ← search-notes(note.title, limit: 8)

    FOR EACH other IN alike
      IF choice is empty AND other.slug ≠ note.slug AND other.tags are not empty
        choice ← other.tags[0]
        ground ← other.slug

    IF choice is not empty
      create-proposal(
        type: "propose-tag",
        note: note.slug,
        tags: [choice],
        summary: "Tag " + note.title + " with " + choice,
        reason: "The note that is nearest in words, [[" + ground + "]], has this tag."
      )

END
`,
  },
};
