import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import type { AgentTemplate } from "./template.ts";

export const librarianTemplate: AgentTemplate = {
  id: "librarian",
  group: "answer",
  name: { uk: "Бібліотекар", en: "Librarian" },
  purpose: {
    uk: "Відповідає на питання цитатами; якщо джерела розходяться, питає людину",
    en: "Answers a question with quotations; if two sources disagree, it asks a person",
  },
  reads: { uk: "нотатки й джерела", en: "notes and sources" },
  model: FOLLOWER,
  tools: ["notebooklm-query", "ask-human", "create-proposal"],
  safe_outputs: ["propose-note"],
  settings: { max_steps: 12 },
  role: {
    uk: `Ти відповідаєш лише тим, що написано в нотатках і джерелах, і кажеш, де саме. Якщо на питання відповідають два різні джерела, котрому вірити — вирішує людина, а не ти.

Питання дають під час запуску: \`bloom run librarian --input питання="Коли цвіте липа?"\`.`,
    en: `You answer only with what stands in the notes and sources, and say where it stands. If two different sources answer a question, which one to believe is for a person to decide, not for you.

The question comes with the run: \`bloom run librarian --input question="When does the lime tree bloom?"\`.`,
  },
  procedure: {
    uk: String.raw`ПОЧАТОК "Відповідь із джерел"
  ПАРАМЕТРИ: питання

  знайдене ← notebooklm-query(питання)
  цитати ← знайдене.references

  ЯКЩО цитати порожні
    → КІНЕЦЬ

  цитата ← цитати[0]

  ЯКЩО знайдене.conflict не порожній
    інша ← знайдене.conflict.second

    рішення ← ask-human(
      "Джерела відповідають по-різному. Котрому вірити?\n\n"
      + цитата.source_title + ": " + цитата.cited_text + "\n"
      + інша.source_title + ": " + інша.cited_text,
      форма: "choice",
      варіанти: [цитата.source_title, інша.source_title]
    )

    ЯКЩО рішення.choice = інша.source_title
      цитата ← інша

  create-proposal(
    тип: "propose-note",
    назва: питання,
    папка: "answers",
    зміст: "# " + питання + "\n\n> " + цитата.cited_text + "\n\nДжерело: " + цитата.source_title + "\n"
  )

КІНЕЦЬ
`,
    en: String.raw`BEGIN "An answer from the sources"
  PARAMETERS: question

  found ← notebooklm-query(question)
  quotes ← found.references

  IF quotes are empty
    → END

  quote ← quotes[0]

  IF found.conflict is not empty
    other ← found.conflict.second

    verdict ← ask-human(
      "The sources answer differently. Which one counts?\n\n"
      + quote.source_title + ": " + quote.cited_text + "\n"
      + other.source_title + ": " + other.cited_text,
      form: "choice",
      options: [quote.source_title, other.source_title]
    )

    IF verdict.choice = other.source_title
      quote ← other

  create-proposal(
    type: "propose-note",
    title: question,
    folder: "answers",
    content: "# " + question + "\n\n> " + quote.cited_text + "\n\nSource: " + quote.source_title + "\n"
  )

END
`,
  },
};
