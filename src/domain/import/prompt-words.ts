import type { Text } from "../../base/text.ts";
import type { ImportFormat } from "./import-draft.ts";
import type { Fate } from "./import-report.ts";

type Row = readonly [fate: Fate, why: Text, to?: string];

export const promptWords = {
  body: { en: "the instructions, word for word", uk: "інструкції, слово в слово" },
  same: { en: "the same field of the contract", uk: "те саме поле контракту" },
  source: { en: "kept as a source", uk: "збережено як джерело" },
  script: { en: "kept as a source, never executed", uk: "збережено як джерело, ніколи не виконується" },
  skipped: {
    en: "a link, or larger than a megabyte: not followed and not copied",
    uk: "посилання або понад мегабайт: не читаємо й не копіюємо",
  },
  reads: { en: "reading tools: reads and searches notes", uk: "інструменти читання: читає й шукає нотатки" },
  noTool: { en: "none of these tools has a counterpart", uk: "жоден із цих інструментів не має відповідника" },
  model: { en: "the model", uk: "модель" },
  noSuchModel: { en: "no model of the list: choose one", uk: "немає такої моделі у списку: оберіть її" },
  cut: { en: "the first 500 characters; all of it is in the source", uk: "перші 500 символів; усе — у джерелі" },
  kept: { en: "kept in the source file beside the agent", uk: "збережено у файлі джерела поруч з агентом" },
  wider: { en: "it would allow more; nothing of it is taken", uk: "це дозволило б більше; нічого з цього не взято" },
  narrower: { en: "only named tools are taken anyway", uk: "і так беруться лише названі інструменти" },
  ignoredTools: {
    en: "Claude Code ignores this key in a subagent, which then has every tool; `tools` was meant. Here it gets none",
    uk: "Claude Code ігнорує цей ключ у субагента, і той має всі інструменти; малося на увазі `tools`. Тут він не має жодного",
  },
  noOutputs: {
    en: "no trigger and no safe output: the format has none, so the agent stays a draft until you choose them",
    uk: "немає ні тригера, ні safe output: у форматі їх немає, тож агент лишається чернеткою, доки ви їх не оберете",
  },
  noModel: {
    en: "no model: the source names none of the list, so bloom/follower stands in its place",
    uk: "немає моделі: джерело не називає жодної зі списку, тож на її місці bloom/follower",
  },
  tooLong: { en: "the instructions do not fit into a contract", uk: "інструкції не вміщуються в контракт" },
} as const satisfies Record<string, Text>;

const same = (field: string): Row => ["mapped", promptWords.same, field];
const KEPT: Row = ["kept", promptWords.kept];
const WIDER: Row = ["lost", promptWords.wider];
type Rows = Readonly<Record<string, Row | undefined>>;
const rows = (table: Record<string, Row>): Rows => Object.assign(Object.create(null) as Rows, table);

const naming = { name: same("name"), description: same("description") };

/** Known keys of each format. Fates of `tools` and `model` depend on their values. */
export const promptKeys: Readonly<Record<Exclude<ImportFormat, "gh-aw">, Rows>> = {
  skill: rows({
    ...naming,
    license: KEPT,
    compatibility: KEPT,
    metadata: KEPT,
    "allowed-tools": KEPT,
    model: KEPT,
    "argument-hint": KEPT,
    version: KEPT,
    "user-invocable": KEPT,
    "disable-model-invocation": KEPT,
  }),
  subagent: rows({
    ...naming,
    tools: KEPT,
    model: KEPT,
    color: KEPT,
    disallowedTools: ["mapped", promptWords.narrower, "tools"],
    permissionMode: WIDER,
    mcpServers: WIDER,
    "mcp-servers": WIDER,
    hooks: WIDER,
    skills: WIDER,
    agents: WIDER,
    handoffs: WIDER,
    memory: WIDER,
    "argument-hint": KEPT,
    target: KEPT,
    metadata: KEPT,
  }),
  "agents-md": rows(naming),
};
