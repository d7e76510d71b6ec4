import { oneSpelling } from "./lexer.ts";

/** What a caller says about one tool: its arguments in order, and what else they may be called. */
interface ToolArguments {
  /** What arguments without a name are called, from left to right. */
  readonly positional: readonly string[];
  /** Other names, in any language, of arguments. */
  readonly names: Readonly<Record<string, string>>;
}

export type ArgumentNames = ReadonlyMap<string, ToolArguments>;

/** Names that mean the same to every tool. The tool's own schema has the English one. */
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
  ["read-memory", tool("")],
  // Any other name is a value that the agent keeps, and stays as it is.
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
  ["create-proposal", tool("type note content")],
  ["propose-memory-update", tool("content")],
  ["propose-logic-update", tool("content")],
  ["ask-human", tool("question form options")],
  ["spawn", tool("goal")],
  ["commit", tool("message kind")],
  ["notify", tool("text")],
  ["sleep", tool("duration", { тривалість: "duration" })],
  ["receive", tool("signal", { сигнал: "signal" })],
]);

/**
 * The table for tools whose inputs are known: what a schema names is called so by everybody, arguments without a name take its
 * places where the table above does not say, and a shared name whose meaning the schema does not have stays as it is written.
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

/** The name that a tool's schema has for an argument; a name that the table does not know stays as it is written. */
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

/** What else a member of a record may be called: `нотатка.теги` finds `tags`, and `note.tags` finds `теги`. */
export const memberNames = (name: string): readonly string[] => OTHERS.get(name) ?? [];
