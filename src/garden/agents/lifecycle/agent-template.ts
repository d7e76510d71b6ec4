import type { Language, Text } from "../../../base/text.ts";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { newContractFile } from "../../../domain/contract/contract-file.ts";
import { branchTools } from "../../../domain/contract/tool.ts";
import type { TemplateSettings } from "../templates/template.ts";

/** Fields of a new contract; the rest has defaults. */
export interface NewContract {
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly model: string;
  readonly tools: readonly string[];
  readonly safe_outputs: readonly string[];
  readonly at: string;
  readonly language: Language;
  readonly settings?: TemplateSettings;
  /** Prose of the body; the description if left out. */
  readonly role?: string;
}

/** The fields of source 001 §2.2 in its order, with a comment on each group. The exporter adds the procedure. */
export function newContractText(contract: NewContract, version: string): string {
  const { slug, name, description, model, at, settings = {} } = contract;
  const {
    cron,
    events,
    folder,
    max_sources = 10,
    temperature = 0.3,
    max_steps = 5,
    execution,
    proposes,
    budget,
  } = settings;
  const workspace = branchTools.some((tool) => contract.tools.includes(tool)) ? "session" : undefined;
  const say = (text: Text): string => `# ${text[contract.language]}\n`;
  const part = (fields: Readonly<Record<string, unknown>>): string => {
    const file = newContractFile(fields);
    return file.text.slice(file.front.start, file.front.end);
  };
  const front = [
    say(words.identity) + part({ name, slug, version, description }),
    say(words.model) + part({ model, temperature, max_steps, execution }),
    say(words.tools) + part({ tools: contract.tools }),
    say(words.outputs) + part({ safe_outputs: contract.safe_outputs, proposes, workspace, budget }),
    say(words.triggers) +
      part({ triggers: { manual: true, ...(cron !== undefined && { cron }), ...(events && { events }) } }),
    say(words.context) + part({ context: { ...(folder !== undefined && { folder }), max_sources } }),
    part({ created_at: at, updated_at: at, created_by: "owner", status: "draft" }),
  ];
  const body = bodies[contract.language]
    .replace("{name}", () => name)
    .replace("{role}", () => contract.role ?? description);
  return `---\n${front.join("\n\n")}\n---\n\n${body}`;
}

const words = {
  identity: { en: "Who it is", uk: "Хто це" },
  model: {
    en: `The model: provider/model, or ${FOLLOWER}, which follows the procedure without a network`,
    uk: `Модель: постачальник/модель або ${FOLLOWER}, що виконує процедуру без мережі`,
  },
  tools: { en: "What it may use, and nothing else", uk: "Чим може користуватися, і нічим іншим" },
  outputs: {
    en: "What it may propose; a person decides about each",
    uk: "Що може пропонувати; про кожне вирішує людина",
  },
  context: {
    en: "The most notes that it reads in one run; the next run goes on with the others. folder: one folder only",
    uk: "Скільки нотаток читає за один запуск; наступний бере інші. folder: лише одна тека",
  },
  triggers: {
    en: 'When it runs: also cron: "0 8 * * 1-5", events: ["note/created"]',
    uk: 'Коли запускається: також cron: "0 8 * * 1-5", events: ["note/created"]',
  },
} as const satisfies Record<string, Text>;

const bodies: Text = {
  uk: `# {name}: інструкції

## Роль

{role}

## Обмеження

- Не змінюй нотаток: лише пропонуй
- Не вигадуй: якщо джерело не каже, скажи про це
`,
  en: `# {name}: instructions

## Role

{role}

## Limits

- Do not change notes: propose
- Invent nothing: if a source does not say, say so
`,
};

/** A first procedure that works in any garden: it proposes a tag for each note. */
export const firstProcedure: Text = {
  uk: `ПОЧАТОК "Перегляд нотаток"

  нотатки ← read-notes(without_tag: "переглянуто")

  ДЛЯ КОЖНОЇ нотатка З нотатки
    create-proposal(тип: "propose-tag", нотатка: нотатка.slug, теги: ["переглянуто"])

  write-memory("Нотатки переглянуто")

КІНЕЦЬ
`,
  en: `BEGIN "Looking through the notes"

  notes ← read-notes(without_tag: "seen")

  FOR EACH note IN notes
    create-proposal(type: "propose-tag", note: note.slug, tags: ["seen"])

  write-memory("Looked through the notes")

END
`,
};

export const firstTools = ["read-notes", "create-proposal", "write-memory"] as const;
export const firstOutputs = ["propose-tag"] as const;
export const firstDescription: Text = {
  uk: "Переглядає нотатки й пропонує позначити їх тегом",
  en: "Looks through the notes and proposes a tag for each",
};
