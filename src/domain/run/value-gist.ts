import type { Json } from "../../base/canonical.ts";
import type { Language, Text } from "../../base/text.ts";

const GIST = 60;

/** A value in a few words: what it is about, or how many items it has. */
export function valueGist(value: Json, language: Language): string {
  if (value === null) return "–";
  if (typeof value === "string") return cut(flat(value.trim()) || "–");
  if (typeof value !== "object") return String(value);
  if (Array.isArray(value)) return `${words.items[language]}: ${value.length}${ofHowMany(value, language)}`;
  const record = value as { readonly [name: string]: Json };
  const { garden_commit: commit, logic_version: logic } = record;
  if (typeof commit === "string") return `${typeof logic === "string" ? logic : "–"} @ ${flat(commit.slice(0, 10))}`;
  const replied = repliedIn(record["content"] ?? null);
  if (replied !== undefined) return cut(flat(replied));
  for (const name of DESCRIPTIVE) if (typeof record[name] === "string") return cut(flat(record[name]));
  return cut(`{${Object.keys(record).map(flat).join(", ")}}`);
}

/** A page of a longer list says so: the contract limits what a run reads. */
function ofHowMany(list: readonly Json[], language: Language): string {
  const last = list.at(-1);
  const total =
    typeof last === "object" && last !== null && !Array.isArray(last)
      ? (last as { readonly [name: string]: Json | undefined })["total"]
      : undefined;
  return typeof total === "number" && total > list.length
    ? ` ${words.of[language]} ${total} (context.max_sources)`
    : "";
}

/** Members that describe a result best, in order of preference. */
const DESCRIPTIVE = ["reason", "target", "answer", "choice", "decision", "text", "title", "slug", "status"] as const;

/** A model reply: its tool calls, or else its text. */
function repliedIn(content: Json): string | undefined {
  if (!Array.isArray(content)) return undefined;
  const parts = content as readonly { readonly [name: string]: Json }[];
  const calls = parts.flatMap(({ tool }) => (typeof tool === "string" ? [`→ ${tool}`] : []));
  const said = parts.flatMap(({ text }) => (typeof text === "string" ? [text] : []));
  return calls.length + said.length === 0 ? undefined : (calls.length > 0 ? calls : said).join(" ");
}

const flat = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

const cut = (text: string): string => (text.length > GIST ? `${text.slice(0, GIST - 1)}…` : text);

const words = {
  items: { en: "items", uk: "елементів" },
  of: { en: "of", uk: "з" },
} as const satisfies Record<string, Text>;
