import { joined, type Text } from "../../base/text.ts";
import { joinLines, markdownLines } from "../note/markdown-lines.ts";
import { countTokens, fitsTokens } from "../text/tokens.ts";
import { NOTHING_TO_EVICT, overLimit } from "./failures.ts";
import { entriesIn, factId, type MemoryEntry, textOfEntry, withoutEntries } from "./memory-entries.ts";
import { isStale, LAYER_ONE_TOKENS, type LayerOneFile, layerOneFiles, layerOneLimits } from "./memory-limits.ts";
import { openLoops } from "./memory-loops.ts";
import type { MemoryFiles } from "./memory-meta.ts";
import { withAppendedText } from "./memory-section.ts";

/** Age and last use of entries; loaded only if something must be evicted. */
export interface EntryAges {
  /** Smaller is older. Counts commits, not time, so that a wrong clock has no effect. */
  readonly rank: number;
  /** `2026-02-14`: the last day on which it was added or read. */
  readonly lastUse: string;
}

export interface EvictionInput {
  readonly agentId: string;
  readonly before: MemoryFiles;
  readonly after: MemoryFiles;
  readonly day: string;
  /** Keys are ids of facts and whole texts of loops. */
  agesOf(file: "facts.md" | "open_loops.md"): Promise<(key: string) => EntryAges>;
}

export type FittedMemory =
  | {
      readonly kind: "room";
      readonly files: MemoryFiles;
      /** Evicted facts, and loops that became decisions. */
      readonly evicted: readonly string[];
      readonly frozen: readonly string[];
    }
  | { readonly kind: "refused"; readonly problems: readonly Text[] };

/**
 * M-2: evicts old entries until the memory after an update fits its limits; they stay in git. New entries are never
 * evicted. Text that a person wrote by hand beyond a limit stays until an update changes that file.
 */
export async function fitToLimits(ground: EvictionInput): Promise<FittedMemory> {
  const changed = layerOneFiles.filter((file) => ground.after[file] !== ground.before[file]);
  if (changed.length === 0) return { kind: "room", files: ground.after, evicted: [], frozen: [] };
  const problems: Text[] = [];
  for (const file of ["snapshot.md", "values.json"] as const)
    if (changed.includes(file) && !(await fits(ground.after, file))) problems.push(await tooLarge(file, ground.after));
  if (problems.length > 0) return { kind: "refused", problems };
  const thawed = changed.includes("open_loops.md") ? await freeze(ground, ground.after) : undefined;
  if (thawed?.kind === "refused") return thawed;
  const evicted = await evict(ground, thawed?.files ?? ground.after);
  if (evicted.kind === "refused") return evicted;
  return { ...evicted, frozen: thawed?.frozen ?? [] };
}

/** Removes ticked loops first, then those of low priority, then the oldest; high-priority and new loops stay open. */
async function freeze(ground: EvictionInput, files: MemoryFiles): Promise<FittedMemory> {
  const none: FittedMemory = { kind: "room", files, evicted: [], frozen: [] };
  if (await fits(files, "open_loops.md")) return none;
  const file = files["open_loops.md"]!;
  const open = new Map(openLoops(file).map((loop) => [loop.line, loop]));
  const old = new Set(entriesIn(ground.before["open_loops.md"] ?? "").map(({ text }) => text));
  const ages = await ground.agesOf("open_loops.md");
  const order = (entry: MemoryEntry): number => {
    const loop = open.get(entry.line);
    return !loop ? 0 : loop.priority === "low" ? 1 : 2;
  };
  const candidates = entriesIn(file)
    .filter((entry) => old.has(entry.text) && open.get(entry.line)?.priority !== "high")
    .toSorted((a, b) => order(a) - order(b) || ages(a.text).rank - ages(b.text).rank);
  const kept = await withoutFirst(file, candidates, layerOneLimits["open_loops.md"]);
  if (!kept) return { kind: "refused", problems: [await tooLarge("open_loops.md", files)] };
  const frozen = kept.gone.filter((entry) => open.has(entry.line));
  const lines = kept.gone.map((entry) => {
    const box = open.has(entry.line) ? "[-]" : "[x]";
    const word = open.has(entry.line) ? "frozen: " : "";
    const rest = textOfEntry(file, entry).split(/\r?\n/).slice(1).join("\n").trimEnd();
    return `- ${box} ${ground.day} ${word}${entry.title}${rest === "" ? "" : `\n${rest}`}`;
  });
  const decisions = files["decisions.md"] ?? `# Decisions: ${ground.agentId}\n\n`;
  return {
    ...none,
    files: {
      ...files,
      "open_loops.md": kept.text,
      "decisions.md": withAppendedText(decisions, undefined, lines.join("\n")),
    },
    frozen: frozen.map(({ text }) => text),
  };
}

/** Evicts stale facts first, then the oldest, until facts fit their own limit and the rest of layer 1. */
async function evict(ground: EvictionInput, files: MemoryFiles): Promise<FittedMemory> {
  const none: FittedMemory = { kind: "room", files, evicted: [], frozen: [] };
  const file = files["facts.md"] ?? "";
  const most = Math.min(layerOneLimits["facts.md"], LAYER_ONE_TOKENS - (await besideFacts(files)));
  if (await fitsTokens(file, most)) return none;
  const isOld = new Set(entriesIn(ground.before["facts.md"] ?? "").map(factId));
  const ages = await ground.agesOf("facts.md");
  const candidates = entriesIn(file)
    .filter((entry) => isOld.has(factId(entry)))
    .map((entry) => ({ entry, ...ages(factId(entry)) }))
    .map((aged) => ({ ...aged, stale: isStale(aged.lastUse, ground.day) }))
    .toSorted((a, b) => Number(b.stale) - Number(a.stale) || a.rank - b.rank)
    .map(({ entry }) => entry);
  const kept = await withoutFirst(file, candidates, most);
  if (kept) return { ...none, files: { ...files, "facts.md": kept.text }, evicted: kept.gone.map(({ text }) => text) };
  // An excess that a person wrote by hand is not this update's fault, unless the update adds to it.
  if (files["facts.md"] === ground.before["facts.md"]) return none;
  return { kind: "refused", problems: [joined([await tooLarge("facts.md", files), NOTHING_TO_EVICT], "; ")] };
}

/** Removes candidates in order until the file has at most `most` tokens; undefined if removing all is not enough. */
async function withoutFirst(
  file: string,
  candidates: readonly MemoryEntry[],
  most: number,
): Promise<{ readonly text: string; readonly gone: readonly MemoryEntry[] } | undefined> {
  if (!(await fitsTokens(withoutEntries(file, candidates), most))) return undefined;
  const lines = markdownLines(file);
  let left = (await fitsTokens(file, most)) ? 0 : await countTokens(file);
  let count = 0;
  while (left > most) {
    const { line, end } = candidates[count++]!;
    left -= await countTokens(joinLines(lines.slice(line, end)));
    // The token counts of single entries do not add up exactly to the count of the file.
    if (left <= most || count === candidates.length)
      left = await countTokens(withoutEntries(file, candidates.slice(0, count)));
  }
  const gone = candidates.slice(0, count);
  return { text: withoutEntries(file, gone), gone };
}

/** Each file is counted up to its own limit: an excess written by hand in another file must not evict facts. */
async function besideFacts(files: MemoryFiles): Promise<number> {
  let tokens = 0;
  for (const file of layerOneFiles) {
    if (file === "facts.md") continue;
    const text = files[file] ?? "";
    const most = layerOneLimits[file];
    tokens += (await fitsTokens(text, most)) ? await countTokens(text) : most;
  }
  return tokens;
}

const fits = (files: MemoryFiles, file: LayerOneFile): Promise<boolean> =>
  fitsTokens(files[file] ?? "", layerOneLimits[file]);

/** Above this many characters, the message gives characters: counting tokens would take too long. */
const MOST_COUNTED = 200_000;
async function tooLarge(file: LayerOneFile, files: MemoryFiles): Promise<Text> {
  const text = files[file] ?? "";
  const tokens = text.length > MOST_COUNTED ? undefined : await countTokens(text);
  return overLimit(file, { characters: text.length, tokens });
}
