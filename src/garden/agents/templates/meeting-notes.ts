import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const meetingNotesTemplate: AgentTemplate = {
  id: "meeting-notes",
  group: "summarise",
  name: { uk: "Протоколіст", en: "Meeting notes" },
  purpose: {
    uk: "Збирає рішення й завдання з нотаток про зустрічі в один розділ тієї самої нотатки",
    en: "Collects the decisions and tasks of a meeting note in one section",
  },
  reads: { uk: "нотатки про зустрічі", en: "meeting notes" },
  needs: {
    uk: "Позначайте нотатки тегом «зустріч» або складайте в теку meetings.",
    en: "Tag the notes with “meeting”, or keep them in the folder meetings.",
  },
  model: FOLLOWER,
  tools: ["read-notes", "read-context", "find-lines", "create-proposal"],
  safe_outputs: ["propose-summary"],
  settings: { execution: "flow", events: ["note/created", "note/updated"], max_sources: 50 },
  role: {
    uk: "Після зустрічі лишаються рядки, з яких щось випливає: «Вирішили…», «- [ ] …». Ти збираєш їх у розділ «Рішення й завдання» тієї самої нотатки, слово в слово. Чого в нотатці немає, того ти не додаєш.",
    en: "A meeting leaves lines that something follows from: “Decided…”, “- [ ] …”. You collect them in the section “Decisions and tasks” of the same note, word for word. You add nothing that the note does not say.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Рішення й завдання"

  нотатки ← read-notes()

  ДЛЯ КОЖНОГО нотатка З нотатки
    про_інше ← не (нотатка.має_тег("зустріч") або нотатка.slug.починається_з("meetings/"))

    ЯКЩО про_інше
      → НАСТУПНА

    зміст ← read-context(нотатка.slug)

    ЯКЩО зміст містить "## Рішення й завдання"
      → НАСТУПНА

    рішення ← find-lines(starts_with: ["Вирішили", "- Вирішили", "Рішення:", "- Рішення:"], note: нотатка.slug)
    завдання ← find-lines(starts_with: ["- [ ]", "* [ ]"], note: нотатка.slug)

    ЯКЩО рішення порожні І завдання порожні
      → НАСТУПНА

    підсумок ← ""

    ДЛЯ КОЖНОГО рядок_рішення З рішення
      підсумок ← підсумок + "- " + рядок_рішення.rest + "\n"

    ДЛЯ КОЖНОГО рядок_завдання З завдання
      підсумок ← підсумок + "- [ ] " + рядок_завдання.rest + "\n"

    create-proposal(
      тип: "propose-summary",
      нотатка: нотатка.slug,
      section: "Рішення й завдання",
      зміст: підсумок,
      summary: "Рішення й завдання: " + нотатка.title
    )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "Decisions and tasks"

  notes ← read-notes()

  FOR EACH note IN notes
    is_other ← not (note.has_tag("meeting") or note.slug.starts_with("meetings/"))

    IF is_other
      → NEXT

    text ← read-context(note.slug)

    IF text contains "## Decisions and tasks"
      → NEXT

    decisions ← find-lines(starts_with: ["Decided", "- Decided", "Decision:", "- Decision:"], note: note.slug)
    tasks ← find-lines(starts_with: ["- [ ]", "* [ ]"], note: note.slug)

    IF decisions are empty AND tasks are empty
      → NEXT

    minutes ← ""

    FOR EACH decision IN decisions
      minutes ← minutes + "- " + decision.rest + "\n"

    FOR EACH task IN tasks
      minutes ← minutes + "- [ ] " + task.rest + "\n"

    create-proposal(
      type: "propose-summary",
      note: note.slug,
      section: "Decisions and tasks",
      content: minutes,
      summary: "Decisions and tasks: " + note.title
    )

END
`,
  },
};
