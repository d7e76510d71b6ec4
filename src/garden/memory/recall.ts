import type { Oid } from "../../domain/git-names.ts";
import { memoryFolder, memoryPath } from "../../domain/layout.ts";
import { markdownLines } from "../../domain/markdown-lines.ts";
import { type MemoryValues, readValues } from "../../domain/memory-meta.ts";
import { countTokens } from "../../domain/tokens.ts";
import type { Repo } from "../../ports/repo.ts";
import { readMemory, textAt } from "./memory-state.ts";

/** M-3: what a read of memory may load, in tokens. Layer 2 comes in the last two only, which somebody has to ask for. */
export const recallLimits = { basic: 4100, wide: 13_000, deep: 32_000, temporal: 13_000 } as const;
export type RecallMode = keyof typeof recallLimits;
export const recallModes = Object.keys(recallLimits) as readonly RecallMode[];

const LAST_DECISIONS = 5;
const LAST_CHANGES = 50;
const DAYS = 7;
const DAY_MS = 86_400_000;

export interface Recalled {
  readonly mode: RecallMode;
  readonly version: number;
  /** Named values of `write-memory`. */
  readonly values: MemoryValues;
  /** By name: `snapshot`, `open_loops`, `facts`, `decisions`, `changelog`, `timeline`. */
  readonly parts: Readonly<Record<string, string>>;
  readonly tokens: number;
  /** Parts that were cut at their end or left out, because more would not fit. */
  readonly cut: readonly string[];
}

/** Same commit, same answer. `from` and `to` are days, for `temporal`; without them the week before the commit. */
export async function recall(
  repo: Repo,
  at: Oid,
  slug: string,
  mode: RecallMode,
  period: { readonly from?: string | undefined; readonly to?: string | undefined } = {},
): Promise<Recalled> {
  const { files, version } = await readMemory(repo, at, slug);
  const values = readValues(files["values.json"]) ?? {};
  const parts: [string, string][] = [
    ["snapshot", files["snapshot.md"] ?? ""],
    ["open_loops", files["open_loops.md"] ?? ""],
  ];
  if (mode === "wide")
    parts.push(
      ["facts", files["facts.md"] ?? ""],
      ["decisions", lastItems(files["decisions.md"] ?? "", LAST_DECISIONS)],
    );
  if (mode === "deep") {
    const changelog = (await textAt(repo, at, memoryPath.file(slug, "changelog.md"))) ?? "";
    parts.push(
      ["facts", files["facts.md"] ?? ""],
      ["decisions", files["decisions.md"] ?? ""],
      ["changelog", lastItems(changelog, LAST_CHANGES)],
    );
  }
  if (mode === "temporal") parts.push(["timeline", await timeline(repo, at, slug, period)]);
  return { mode, version, values, ...(await fitted(parts, values, recallLimits[mode])) };
}

async function timeline(
  repo: Repo,
  at: Oid,
  slug: string,
  { from, to }: { readonly from?: string | undefined; readonly to?: string | undefined },
): Promise<string> {
  const last = to ?? dayOf((await repo.commit(at)).committer.at);
  const first = from ?? dayOf(Date.parse(last) - (DAYS - 1) * DAY_MS);
  const texts: string[] = [];
  for (const { path } of await repo.list(at, `${memoryFolder(slug)}/timeline`)) {
    const day = /(\d{4}-\d{2}-\d{2})\.md$/.exec(path)?.[1];
    if (day !== undefined && day >= first && day <= last) texts.push((await textAt(repo, at, path)) ?? "");
  }
  return texts.join("\n");
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** The end of a list: its last items, with the lines that belong to them. */
function lastItems(file: string, count: number): string {
  const lines = markdownLines(file);
  const starts = lines.flatMap(({ text, code }, index) => (!code && /^[-*+][ \t]+\S/.test(text) ? [index] : []));
  if (starts.length <= count) return file;
  return lines
    .slice(starts[starts.length - count])
    .map(({ text, end }) => text + end)
    .join("");
}

/** As much as fits, part by part in their order; values are never cut, because half of one is another. */
async function fitted(
  parts: readonly (readonly [string, string])[],
  values: MemoryValues,
  limit: number,
): Promise<Pick<Recalled, "parts" | "tokens" | "cut">> {
  let left = limit - (Object.keys(values).length === 0 ? 0 : await countTokens(JSON.stringify(values)));
  const kept: Record<string, string> = {};
  const cut: string[] = [];
  for (const [name, text] of parts) {
    const tokens = await countTokens(text);
    if (tokens <= left) {
      kept[name] = text;
      left -= tokens;
      continue;
    }
    cut.push(name);
    kept[name] = await beginning(text, Math.max(0, left));
    left -= await countTokens(kept[name]);
  }
  return { parts: kept, tokens: limit - left, cut };
}

/** The first whole lines that have at most so many tokens. */
async function beginning(text: string, most: number): Promise<string> {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((await countTokens(lines.slice(0, middle).join(""))) <= most) low = middle;
    else high = middle - 1;
  }
  return lines.slice(0, low).join("");
}
