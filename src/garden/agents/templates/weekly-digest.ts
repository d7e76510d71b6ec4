import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const weeklyDigestTemplate: AgentTemplate = {
  id: "weekly-digest",
  group: "summarise",
  name: { uk: "Тижневий огляд", en: "Weekly digest" },
  purpose: {
    uk: "Щопонеділка пише нотатку про тиждень: що змінилося й які завдання відкриті",
    en: "Writes a note about the week every Monday: what changed and which tasks are open",
  },
  reads: { uk: "зміни за тиждень", en: "changes of the week" },
  model: FOLLOWER,
  tools: ["today", "read-notes", "find-lines", "create-proposal"],
  safe_outputs: ["propose-note"],
  settings: { execution: "flow", cron: "0 8 * * 1", max_sources: 200 },
  role: {
    uk: "Раз на тиждень ти складаєш одну сторінку, з якої видно, чим жив сад: які нотатки змінилися за сім днів і які завдання ще відкриті. Ти нічого не переказуєш і не оцінюєш: лише перелічуєш із посиланнями.",
    en: "Once a week you write one page that shows what the garden was busy with: the notes that changed within seven days, and the tasks that are still open. You neither retell nor judge: you list, with links.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Тиждень у саду"

  день ← today()
  нотатки ← read-notes()
  перелік ← ""
  скільки ← 0

  ДЛЯ КОЖНОГО нотатка З нотатки
    ЯКЩО нотатка.updated_at < день.week_ago АБО нотатка.slug.починається_з("digests/")
      → НАСТУПНА

    перелік ← перелік + "- [[" + нотатка.slug + "|" + нотатка.title + "]]\n"
    скільки ← скільки + 1

  ЯКЩО перелік порожній
    → КІНЕЦЬ

  завдання ← find-lines(starts_with: ["- [ ]", "* [ ]"])
  відкриті ← ""

  ДЛЯ КОЖНОГО одне З завдання
    відкриті ← відкриті + "- " + одне.rest + " ([[" + одне.slug + "]])\n"

  ЯКЩО відкриті порожній
    відкриті ← "Немає.\n"

  create-proposal(
    тип: "propose-note",
    шлях: "digests/" + день.week + ".md",
    зміст: "# Тиждень " + день.week + "\n\n## Змінилося: " + скільки + "\n\n" + перелік + "\n## Відкриті завдання\n\n" + відкриті,
    summary: "Огляд тижня " + день.week
  )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "The week in the garden"

  day ← today()
  notes ← read-notes()
  changed ← ""
  count ← 0

  FOR EACH note IN notes
    IF note.updated_at < day.week_ago OR note.slug.starts_with("digests/")
      → NEXT

    changed ← changed + "- [[" + note.slug + "|" + note.title + "]]\n"
    count ← count + 1

  IF changed is empty
    → END

  tasks ← find-lines(starts_with: ["- [ ]", "* [ ]"])
  open ← ""

  FOR EACH task IN tasks
    open ← open + "- " + task.rest + " ([[" + task.slug + "]])\n"

  IF open is empty
    open ← "None.\n"

  create-proposal(
    type: "propose-note",
    path: "digests/" + day.week + ".md",
    content: "# Week " + day.week + "\n\n## Changed: " + count + "\n\n" + changed + "\n## Open tasks\n\n" + open,
    summary: "Digest of week " + day.week
  )

END
`,
  },
};
