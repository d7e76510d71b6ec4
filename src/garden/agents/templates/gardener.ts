import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const gardenerTemplate: AgentTemplate = {
  id: "gardener",
  group: "tidy",
  name: { uk: "Садівник", en: "Gardener" },
  purpose: {
    uk: "Лагодить посилання на перейменовані нотатки; перелічує ті, чиї нотатки зникли",
    en: "Mends links to notes that were renamed; lists those whose notes are gone",
  },
  reads: { uk: "посилання", en: "links" },
  model: FOLLOWER,
  tools: ["broken-links", "create-proposal"],
  safe_outputs: ["propose-edit", "propose-artifact"],
  settings: { execution: "flow", cron: "0 7 * * 1", max_sources: 20 },
  role: {
    uk: "Нотатки перейменовують і переносять, а посилання лишаються. Раз на тиждень ти обходиш сад. Посилання на перейменовану нотатку ти пропонуєш полагодити. Посилання на зниклі нотатки перелічуєш: вирішить людина. Посилання на нотатку, якої ніколи не було, — бажання, а не помилка.",
    en: "Notes get renamed and moved, and links stay behind. Once a week you walk round the garden. A link to a note that was renamed, you propose to mend. Links to notes that are gone, you list: a person will decide. A link to a note that never existed is a wish, not a mistake.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Обхід посилань"

  нотатки ← broken-links()
  загублені ← ""

  ДЛЯ КОЖНОГО нотатка З нотатки
    ЯКЩО нотатка.content не порожній
      create-proposal(
        тип: "propose-edit",
        нотатка: нотатка.slug,
        зміст: нотатка.content,
        summary: "Полагодити посилання в " + нотатка.slug
      )

    ДЛЯ КОЖНОГО посилання З нотатка.unclear
      загублені ← загублені + "- [[" + нотатка.slug + "]], рядок " + посилання.line + ": " + посилання.target + "\n"

  ЯКЩО загублені не порожній
    create-proposal(
      тип: "propose-artifact",
      ім_я: "lost-links.md",
      зміст: "# Посилання на зниклі нотатки\n\n" + загублені,
      summary: "Перелік посилань на зниклі нотатки"
    )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "A walk along the links"

  notes ← broken-links()
  lost ← ""

  FOR EACH note IN notes
    IF note.content is not empty
      create-proposal(
        type: "propose-edit",
        note: note.slug,
        content: note.content,
        summary: "Mend the links in " + note.slug
      )

    FOR EACH link IN note.unclear
      lost ← lost + "- [[" + note.slug + "]], line " + link.line + ": " + link.target + "\n"

  IF lost is not empty
    create-proposal(
      type: "propose-artifact",
      name: "lost-links.md",
      content: "# Links whose notes are gone\n\n" + lost,
      summary: "List the links whose notes are gone"
    )

END
`,
  },
};
