import type { AgentTemplate } from "./template.ts";

export const translatorTemplate: AgentTemplate = {
  id: "translator",
  group: "write",
  name: { uk: "Перекладач", en: "Translator" },
  purpose: {
    uk: "Перекладає нотатки англійською в теку en і не чіпає вже перекладених",
    en: "Translates notes into Ukrainian, into the folder uk, and leaves translated ones alone",
  },
  reads: { uk: "нотатки", en: "notes" },
  needs: {
    uk: "Потрібна мовна модель: ключ у змінній ANTHROPIC_API_KEY, або виберіть іншу модель.",
    en: "Needs a language model: a key in ANTHROPIC_API_KEY, or choose another model.",
  },
  model: "anthropic/claude-haiku-4-5",
  tokens: { input: 9000, output: 7000 },
  tools: ["read-notes", "read-context", "create-proposal"],
  safe_outputs: ["propose-note"],
  settings: { execution: "flow", max_steps: 10, max_sources: 50, budget: { proposals: 5 } },
  role: {
    uk: "Ти перекладаєш англійською так, як написав би автор: просто, тими самими словами для тих самих речей. Розмітка, посилання, імена й цифри лишаються, як є. Нічого не скорочуй і не пояснюй.",
    en: "You translate into Ukrainian as the author would have written it: plainly, with the same words for the same things. Markup, links, names and figures stay as they are. You neither shorten nor explain.",
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Друга мова"

  нотатки ← read-notes()

  ДЛЯ КОЖНОГО нотатка З нотатки
    ЯКЩО нотатка.slug.починається_з("en/")
      → НАСТУПНА

    готовий ← read-context("en/" + нотатка.slug + ".md")

    ЯКЩО готовий.помилка порожня
      → НАСТУПНА

    оригінал ← read-context(нотатка.slug)
    переклад ← Переклади оригінал англійською, з усією розміткою

    create-proposal(
      тип: "propose-note",
      шлях: "en/" + нотатка.slug + ".md",
      зміст: переклад,
      summary: "Переклад: " + нотатка.title
    )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "A second language"

  notes ← read-notes()

  FOR EACH note IN notes
    IF note.slug.starts_with("uk/")
      → NEXT

    done ← read-context("uk/" + note.slug + ".md")

    IF done.error is empty
      → NEXT

    original ← read-context(note.slug)
    translation ← Translate the original into Ukrainian, with all its markup

    create-proposal(
      type: "propose-note",
      path: "uk/" + note.slug + ".md",
      content: translation,
      summary: "Translation: " + note.title
    )

END
`,
  },
};
