import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const dailyNoteTemplate: AgentTemplate = {
  id: "daily-note",
  group: "write",
  name: { uk: "Щоденник", en: "Daily note" },
  purpose: {
    uk: "Щоранку готує нотатку дня: незавершене з попередньої й нотатки, змінені останніми",
    en: "Prepares the note of the day each morning: open tasks of the last one, and the notes changed last",
  },
  reads: { uk: "останню нотатку дня", en: "the last daily note" },
  model: FOLLOWER,
  tools: ["today", "read-notes", "read-context", "find-lines", "create-proposal"],
  safe_outputs: ["propose-note"],
  settings: { execution: "flow", cron: "0 6 * * *", max_sources: 10 },
  role: {
    uk: "Зранку людина відкриває порожню сторінку. Ти готуєш її: дата, завдання, що лишилися відкритими в попередній нотатці дня, і посилання на нотатки, з якими працювали останніми. Якщо нотатка дня вже є, не робиш нічого.",
    en: "In the morning a person opens an empty page. You prepare it: the date, the tasks that the last daily note left open, and links to the notes that were worked on last. If the note of the day exists, you do nothing.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Нотатка дня"

  день ← today()
  готова ← read-context("daily/" + день.date + ".md")

  ЯКЩО готова.помилка порожня
    → КІНЕЦЬ

  завдання ← ""
  попередні ← read-notes(folder: "daily", limit: 1)

  ДЛЯ КОЖНОГО попередня З попередні
    відкриті ← find-lines(starts_with: ["- [ ]", "* [ ]"], note: попередня.slug)

    ДЛЯ КОЖНОГО одне З відкриті
      завдання ← завдання + "- [ ] " + одне.rest + "\n"

  ЯКЩО завдання порожнє
    завдання ← "- [ ] \n"

  недавні ← ""
  нотатки ← read-notes(limit: 5)

  ДЛЯ КОЖНОГО нотатка З нотатки
    недавні ← недавні + "- [[" + нотатка.slug + "|" + нотатка.title + "]]\n"

  create-proposal(
    тип: "propose-note",
    шлях: "daily/" + день.date + ".md",
    зміст: "# " + день.date + ", " + день.weekday + "\n\n## Завдання\n\n" + завдання + "\n## Нещодавно\n\n" + недавні + "\n## Записи\n\n",
    summary: "Нотатка дня " + день.date
  )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "The note of the day"

  day ← today()
  there ← read-context("daily/" + day.date + ".md")

  IF there.error is empty
    → END

  tasks ← ""
  earlier ← read-notes(folder: "daily", limit: 1)

  FOR EACH last IN earlier
    open ← find-lines(starts_with: ["- [ ]", "* [ ]"], note: last.slug)

    FOR EACH task IN open
      tasks ← tasks + "- [ ] " + task.rest + "\n"

  IF tasks is empty
    tasks ← "- [ ] \n"

  recent ← ""
  notes ← read-notes(limit: 5)

  FOR EACH note IN notes
    recent ← recent + "- [[" + note.slug + "|" + note.title + "]]\n"

  create-proposal(
    type: "propose-note",
    path: "daily/" + day.date + ".md",
    content: "# " + day.date + ", " + day.weekday + "\n\n## Tasks\n\n" + tasks + "\n## Recently\n\n" + recent + "\n## Notes\n\n",
    summary: "Note of the day " + day.date
  )

END
`,
  },
};
