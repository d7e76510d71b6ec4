import { oneSpelling } from "./lexer.ts";

/** The argument names of one tool. */
interface ToolArguments {
  /** Names of positional arguments, from left to right. */
  readonly positional: readonly string[];
  /** Aliases of arguments in any language. */
  readonly names: Readonly<Record<string, string>>;
}

export type ArgumentNames = ReadonlyMap<string, ToolArguments>;

/** Aliases that hold for every tool. The tool's schema has the English name. */
const SHARED: Readonly<Record<string, string>> = {
  тип: "type",
  зміст: "content",
  вміст: "content",
  текст: "text",
  нотатка: "note",
  нотатки: "notes",
  теги: "tags",
  тег: "tag",
  джерело: "source",
  джерела: "sources",
  питання: "question",
  запит: "query",
  папка: "folder",
  назва: "title",
  ім_я: "name",
  "ім'я": "name",
  шлях: "path",
  причина: "reason",
  обґрунтування: "rationale",
  форма: "form",
  варіанти: "options",
  повідомлення: "message",
  агент: "agent",
  версія: "version",
  від: "from",
  до: "to",
  межа: "limit",
  кількість: "limit",
  ціль: "goal",
  мета: "goal",
  вид: "kind",
  рішення: "decision",
  коментар: "comment",
  відповідь: "answer",
  цитати: "references",
  статус: "status",
  стан: "status",
  дата: "date",
  оновлено: "updated_at",
  створено: "created_at",
};

const tool = (positional: string, names: Readonly<Record<string, string>> = {}): ToolArguments => ({
  positional: positional === "" ? [] : positional.split(" "),
  names: { ...SHARED, ...names },
});

/** The tools of R-3 and the effects of the language (`docs/expressions.md`). */
export const defaultArgumentNames: ArgumentNames = new Map([
  ["read-context", tool("name", { нотатка: "name", note: "name", slug: "name", джерело: "name", source: "name" })],
  ["read-notes", tool("folder")],
  ["search-notes", tool("query", { питання: "query", текст: "query", text: "query" })],
  ["broken-links", tool("folder")],
  ["find-lines", tool("contains note")],
  ["web-links", tool("folder")],
  ["today", tool("")],
  ["read-memory", tool("")],
  // Any other name is a memory value of the agent and is not translated.
  ["write-memory", { positional: ["text"], names: { текст: "text" } }],
  ["memory-diff", tool("from to")],
  ["search-memory", tool("query", { питання: "query", текст: "query", text: "query" })],
  ["memory-snapshot", tool("")],
  ["read-drakon", tool("name", { діаграма: "name", diagram: "name" })],
  ["read-logic", tool("agent version")],
  ["logic-diff", tool("from to")],
  ["logic-performance", tool("agent version")],
  ["read-runs", tool("agent limit")],
  ["list-agents", tool("agent")],
  ["read-changelog", tool("agent limit")],
  ["analyse-logic", tool("agent runs", { запуски: "runs", запусків: "runs" })],
  ["tried-before", tool("agent diagram", { діаграма: "diagram" })],
  ["notebooklm-query", tool("question source", { запит: "question", query: "question", зміст: "source" })],
  ["write-note", tool("note content")],
  ["move-note", tool("note to", { куди: "to" })],
  ["delete-note", tool("note")],
  ["create-proposal", tool("type note content")],
  ["propose-memory-update", tool("content")],
  ["propose-logic-update", tool("content")],
  ["ask-human", tool("question form options")],
  ["spawn", tool("goal")],
  ["spawn-agent", tool("agent goal", { завдання: "goal", дані: "input", папки: "folders", теки: "folders" })],
  ["commit", tool("message kind")],
  ["notify", tool("text")],
  ["sleep", tool("duration", { тривалість: "duration" })],
  ["receive", tool("signal", { сигнал: "signal" })],
]);

/**
 * The table for tools with known schemas. Field names of a schema are never translated, positional arguments take the fields in
 * order unless the table above defines them, and an alias whose target the schema lacks is not applied.
 */
export function argumentNamesFor(
  given: Iterable<{ readonly name: string; readonly fields: readonly string[] }>,
): ArgumentNames {
  const table = new Map(defaultArgumentNames);
  for (const { name, fields } of given) {
    const known = defaultArgumentNames.get(name);
    const { positional, names } = known ?? { positional: fields, names: SHARED };
    const meant = Object.entries(names).filter(
      ([written, field]) => !fields.includes(written) && fields.includes(field),
    );
    table.set(name, {
      positional: positional.every((field) => fields.includes(field)) ? positional : fields,
      names: Object.fromEntries([...meant, ...fields.map((field) => [field, field] as const)]),
    });
  }
  return table;
}

/** The schema name of an argument; an unknown name is returned unchanged. */
export function argumentName(table: ArgumentNames, toolName: string, written: string): string {
  const names = table.get(toolName)?.names ?? SHARED;
  const spelt = oneSpelling(written);
  const lower = spelt.toLowerCase();
  if (Object.hasOwn(names, spelt)) return names[spelt]!;
  return Object.hasOwn(names, lower) ? names[lower]! : spelt;
}

const OTHERS = new Map<string, string[]>();
for (const [uk, en] of Object.entries(SHARED)) {
  OTHERS.set(uk, [en]);
  OTHERS.set(en, [...(OTHERS.get(en) ?? []), uk]);
}

/** Aliases of a record member: `нотатка.теги` finds `tags`, and `note.tags` finds `теги`. */
export const memberNames = (name: string): readonly string[] => OTHERS.get(name) ?? [];
