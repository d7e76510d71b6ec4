import type { Oid } from "../../../domain/git/git-names.ts";
import { memoryFolder, memoryPath } from "../../../domain/layout.ts";
import { entriesIn, factId } from "../../../domain/memory/memory-entries.ts";
import { passagesIn } from "../../../domain/search/passages.ts";
import { rank, type SearchCandidate } from "../../../domain/search/rank.ts";
import { termsIn } from "../../../domain/search/words.ts";
import { countTokens } from "../../../domain/text/tokens.ts";
import type { Repo } from "../../../ports/repo.ts";
import { latestObservations } from "../../records/memory/memory-observations.ts";
import { memoryTextAt } from "../../records/memory/memory-state.ts";

export interface MemoryHit {
  /** In `memory/<agentId>/`. */
  readonly file: string;
  readonly section: string | null;
  readonly text: string;
  /** The id of a fact, or the name of an open loop. */
  readonly id?: string;
  /** Covered share of the question, from 0 to 1. */
  readonly covers: number;
}

export interface MemorySearch {
  readonly hits: readonly MemoryHit[];
  /** Number of all hits. */
  readonly total: number;
  readonly tokens: number;
}

/** Maximum size of one answer. */
export const SEARCH_TOKENS = 4100;
const MAX_QUOTE = 1000;
/** Newest reports of runs searched; older ones are in git. */
const MOST_FILES = 400;

/**
 * Full-text search over facts, open loops, sentences of the snapshot and all observations (M-3a), in Ukrainian and English; best first.
 * The rest of layer 2 is searched only with `deep`. Deterministic: same commit, same answer.
 */
export async function searchMemory(
  repo: Repo,
  at: Oid,
  slug: string,
  { query, limit, deep }: { readonly query: string; readonly limit: number; readonly deep: boolean },
): Promise<MemorySearch> {
  const candidates: SearchCandidate<Omit<MemoryHit, "covers">>[] = [];
  for (const file of deep ? [...LAYER_ONE, ...(await layerTwo(repo, at, slug))] : LAYER_ONE) {
    const text = (await memoryTextAt(repo, at, memoryPath.file(slug, file))) ?? "";
    candidates.push(...candidatesIn(file, text));
  }
  if (!deep)
    for (const { file, text } of await latestObservations(repo, at, slug))
      candidates.push({ item: { file, section: null, text: cut(text) }, terms: termsIn(text), around: [] });
  const ranked = rank(candidates, termsIn(query));
  const hits: MemoryHit[] = [];
  let tokens = 0;
  for (const { item, covers } of ranked.slice(0, limit)) {
    const hit = { ...item, covers: Math.round(covers * 100) / 100 };
    const more = await countTokens(`${JSON.stringify(hit)}\n`);
    if (tokens + more > SEARCH_TOKENS) break;
    tokens += more;
    hits.push(hit);
  }
  return { hits, total: ranked.length, tokens };
}

const LAYER_ONE = ["snapshot.md", "facts.md", "open_loops.md"] as const;

async function layerTwo(repo: Repo, at: Oid, slug: string): Promise<string[]> {
  const folder = `${memoryFolder(slug)}/`;
  const files = (await repo.list(at, memoryFolder(slug))).map(({ path }) => path.slice(folder.length));
  const timelines = files.filter((file) => /^timeline\/[^/]+\.md$/.test(file));
  const reports = files.filter((file) => /^runs\/[^/]+\.md$/.test(file));
  return ["decisions.md", "changelog.md", ...timelines, ...reports.slice(-MOST_FILES)];
}

function candidatesIn(file: string, text: string): SearchCandidate<Omit<MemoryHit, "covers">>[] {
  if (file === "snapshot.md")
    return passagesIn(text).map(({ text: words, headings }) => ({
      item: { file, section: headings.at(-1) ?? null, text: cut(words) },
      terms: termsIn(words),
      around: headings.flatMap(termsIn),
    }));
  return entriesIn(text).map((entry) => {
    const id = file === "facts.md" ? factId(entry) : entry.name;
    return {
      item: { file, section: entry.section ?? null, text: cut(entry.text), ...(id !== undefined && { id }) },
      terms: termsIn(entry.text),
      around: termsIn(entry.section ?? ""),
    };
  });
}

const cut = (text: string): string => (text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE).toWellFormed()}…` : text);
