import { isMap, isScalar, parseDocument, Scalar, stringify } from "yaml";
import { assert } from "../../base/assert.ts";
import type { Language } from "../../base/text.ts";
import { parseYaml } from "../text/checked-yaml.ts";
import { FORMAT_VERSION } from "./garden-config.ts";
import { type StoreConfig, storeConfig } from "./store-config.ts";

/** The initial `garden.yaml`, with a comment for each common setting. */
export function firstGardenConfig(settings: {
  name: string;
  language: Language;
  notesRoot: string;
  agentsRoot: string;
  remote?: string | undefined;
}): string {
  const words = settings.language === "uk" ? WORDS_UK : WORDS_EN;
  const repo =
    settings.remote === undefined ? "" : `repo: { remote: ${JSON.stringify(settings.remote)} } # ${words.repo}\n`;
  return `# ${words.head}
version: ${FORMAT_VERSION}
name: ${plainScalar(settings.name)}
language: ${settings.language}
notes_root: ${plainScalar(settings.notesRoot)} # ${words.notesRoot}
agents_root: ${plainScalar(settings.agentsRoot)} # ${words.agentsRoot}
${repo}
# ${words.optional}
# remotes:
#   origin: { url: git@example.com:me/garden.git }
# models:
#   local: { url: http://127.0.0.1:11434/v1, key_env: MODEL_KEY } # ${words.key}
# prices: { currency: USD, models: { anthropic/claude-sonnet-4-5: { input: 3, output: 15 } } } # ${words.prices}
# schedule: { timezone: Europe/Kyiv, missed: once }
`;
}

/**
 * Sets one value and keeps comments and layout. An existing scalar is replaced in place; a new top-level key goes
 * first (`first`) or last; only a value inside a missing group makes the YAML library rewrite the file.
 */
export function withGardenValue(
  text: string,
  path: readonly string[],
  value: string | number | boolean,
  where: "first" | "last" = "last",
): string {
  const document = parseDocument(text, { version: "1.2", schema: "core" });
  assert(document.errors.length === 0, "only a readable garden.yaml is changed");
  const scalar = typeof value === "string" ? plainScalar(value) : String(value);
  const node: unknown = document.getIn(path, true);
  let changed: string | undefined;
  if (isScalar(node) && node.range) {
    changed = text.slice(0, node.range[0]) + scalar + text.slice(node.range[1]);
  } else if (node === undefined && path.length === 1 && isMap(document.contents) && !document.contents.flow) {
    changed = withTopLine(
      text,
      `${path[0]}: ${scalar}`,
      where === "first" ? document.contents.items[0]?.key : undefined,
    );
  }
  document.setIn(path, value);
  const asWritten = document.toString({ lineWidth: 0 });
  return changed !== undefined && sameValue(changed, asWritten) ? changed : asWritten;
}

/**
 * Sets or removes `store`, and keeps every other byte of the file: a store that is set and then removed leaves the file as it was.
 * The default (`directory`) is not written.
 */
export function withGardenStore(text: string, store: StoreConfig): string {
  const lines = text.split("\n");
  const usual = storeConfig.parse({ kind: "s3", endpoint: "http://x", bucket: "xxx" }) as Record<string, unknown>;
  const named = Object.entries(store).filter(([name, value]) => name === "kind" || value !== usual[name]);
  const block =
    store.kind === "directory" ? [] : ["store:", ...named.map(([name, value]) => `  ${name}: ${plainScalar(value)}`)];
  const at = lines.findIndex((line) => /^store\s*:/.test(line));
  if (at < 0) {
    if (lines.at(-1) !== "") lines.push("");
    lines.splice(lines.length - 1, 0, ...block);
  } else {
    let end = at + 1;
    while (end < lines.length && /^[ \t]+\S/.test(lines[end]!)) end++;
    lines.splice(at, end - at, ...block);
  }
  return lines.join("\n");
}

function withTopLine(text: string, line: string, before: unknown): string {
  const offset = before instanceof Scalar && before.range ? before.range[0] : undefined;
  if (offset !== undefined) return `${text.slice(0, offset)}${line}\n${text.slice(offset)}`;
  return `${text}${text === "" || text.endsWith("\n") ? "" : "\n"}${line}\n`;
}

/** On one line, quoted only if necessary. */
const plainScalar = (text: string): string => stringify(text, { lineWidth: 0 }).trimEnd();

function sameValue(a: string, b: string): boolean {
  const [one, other] = [parseYaml(a), parseYaml(b)];
  if (one.kind === "problems" || other.kind === "problems") return false;
  return stringify(one.value, { sortMapEntries: true }) === stringify(other.value, { sortMapEntries: true });
}

const WORDS_EN = {
  head: "Settings of this garden. Unknown keys are errors; `bloom verify` checks the file.",
  notesRoot: "where the notes are; `.` is the whole folder",
  agentsRoot: "where the agents are, one folder each",
  repo: "every machine of this garden pushes to it",
  optional: "Not set yet; take away the # to use one:",
  key: "the name of the variable, not the key",
  prices: "per million tokens; runs then tell what they cost",
};
const WORDS_UK: typeof WORDS_EN = {
  head: "Налаштування цього саду. Невідомі ключі — помилки; файл перевіряє `bloom verify`.",
  notesRoot: "де лежать нотатки; `.` — уся тека",
  agentsRoot: "де лежать агенти, кожен у своїй теці",
  repo: "сюди надсилає кожна машина цього саду",
  optional: "Ще не задано; щоб задати, приберіть #:",
  key: "назва змінної, а не сам ключ",
  prices: "за мільйон токенів; тоді запуски кажуть, скільки коштували",
};
