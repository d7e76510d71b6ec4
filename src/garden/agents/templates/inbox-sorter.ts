import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const inboxSorterTemplate: AgentTemplate = {
  id: "inbox-sorter",
  group: "tidy",
  name: { uk: "Розбирач вхідних", en: "Inbox sorter" },
  purpose: {
    uk: "Для кожної нотатки в теці inbox знаходить, до якої нотатки вона належить, і пропонує її теги",
    en: "Finds where each note of the folder inbox belongs, and proposes the tags of that place",
  },
  reads: { uk: "теку inbox", en: "the folder inbox" },
  needs: {
    uk: "Складайте нові нотатки в теку inbox.",
    en: "Put new notes into the folder inbox.",
  },
  model: FOLLOWER,
  tools: ["read-notes", "search-notes", "create-proposal"],
  safe_outputs: ["propose-tag", "propose-comment"],
  settings: { execution: "flow", events: ["note/created"], max_sources: 20 },
  role: {
    uk: "Нове складають у теку inbox не думаючи, і добре. Ти дивишся, яка з нотаток поза цією текою найближча, пропонуєш позначити нову так само й лишаєш коментар із посиланням. Переносити чи ні, вирішує людина.",
    en: "New notes are put into the folder inbox without a thought, and that is good. You look for the note outside of it that is nearest, propose to tag the new one in the same way, and leave a comment with the link. A person decides where the note goes.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Місце для кожної нової нотатки"

  нові ← read-notes(folder: "inbox", without_tag: "розібрано")

  ДЛЯ КОЖНОГО нова З нові
    місце ← нічого
    схожі ← search-notes(нова.title, limit: 8)

    ДЛЯ КОЖНОГО схожа З схожі
      ЯКЩО місце не порожнє АБО схожа.slug.починається_з("inbox/")
        → НАСТУПНА

      місце ← схожа

    ЯКЩО місце порожнє
      → НАСТУПНА

    create-proposal(
      тип: "propose-tag",
      нотатка: нова.slug,
      теги: місце.tags + ["розібрано"],
      summary: "Розібрати " + нова.title,
      причина: "Найближча нотатка: [[" + місце.slug + "]]."
    )

    create-proposal(
      тип: "propose-comment",
      нотатка: нова.slug,
      зміст: "Ця нотатка близька до [[" + місце.slug + "]]: «" + місце.quote + "»",
      summary: "Місце для " + нова.title
    )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "A place for each new note"

  fresh ← read-notes(folder: "inbox", without_tag: "sorted")

  FOR EACH note IN fresh
    place ← nothing
    alike ← search-notes(note.title, limit: 8)

    FOR EACH other IN alike
      IF place is not empty OR other.slug.starts_with("inbox/")
        → NEXT

      place ← other

    IF place is empty
      → NEXT

    create-proposal(
      type: "propose-tag",
      note: note.slug,
      tags: place.tags + ["sorted"],
      summary: "Sort " + note.title,
      reason: "The nearest note is [[" + place.slug + "]]."
    )

    create-proposal(
      type: "propose-comment",
      note: note.slug,
      content: "This note is close to [[" + place.slug + "]]: “" + place.quote + "”",
      summary: "A place for " + note.title
    )

END
`,
  },
};
