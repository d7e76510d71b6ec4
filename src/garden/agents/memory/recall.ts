import type { Oid } from "../../../domain/git/git-names.ts";
import { memoryPath } from "../../../domain/layout.ts";
import { lastEntries } from "../../../domain/memory/memory-entries.ts";
import { type RecallMode, recallLimits } from "../../../domain/memory/memory-limits.ts";
import { type MemoryValues, readValues } from "../../../domain/memory/memory-meta.ts";
import { countTokens, fitsTokens, withinTokens } from "../../../domain/text/tokens.ts";
import type { Repo } from "../../../ports/repo.ts";
import { latestObservations, timelineDays } from "../../records/memory/memory-observations.ts";
import { memoryTextAt, readMemory } from "../../records/memory/memory-state.ts";

const LAST_DECISIONS = 5;
const LAST_CHANGES = 50;
/** M-3a: the latest observations in each mode but `temporal`, which has the timeline itself. */
const LAST_OBSERVATIONS = { basic: 20, wide: 50, deep: 200, temporal: 0 } as const;
const DAYS = 7;
const DAY_MS = 86_400_000;

export interface Recalled {
  readonly mode: RecallMode;
  readonly version: number;
  /** Named values of `write-memory`. */
  readonly values: MemoryValues;
  /** By name: `snapshot`, `open_loops`, `facts`, `decisions`, `changelog`, `observations`, `timeline`. */
  readonly parts: Readonly<Record<string, string>>;
  /** All parts and values together; never more than `recallLimits` of the mode. */
  readonly tokens: number;
  /** Names of the parts that were cut to fit. */
  readonly cut: readonly string[];
}

interface Part {
  readonly name: string;
  readonly text: string;
  /** The end of the text to keep if it does not fit: `last` for append-only files. */
  readonly keep: "first" | "last";
}

/** Memory within the token limit of a mode. Deterministic. `from` and `to` are days, for `temporal`; default: the week before the commit. */
export async function recall(
  repo: Repo,
  at: Oid,
  slug: string,
  mode: RecallMode,
  period: { readonly from?: string | undefined; readonly to?: string | undefined } = {},
): Promise<Recalled> {
  const { files, version } = await readMemory(repo, at, slug);
  const first = (name: string, text = ""): Part => ({ name, text, keep: "first" });
  const last = (name: string, text = ""): Part => ({ name, text, keep: "last" });
  const parts = [first("snapshot", files["snapshot.md"]), first("open_loops", files["open_loops.md"])];
  if (mode === "wide")
    parts.push(
      first("facts", files["facts.md"]),
      last("decisions", lastEntries(files["decisions.md"] ?? "", LAST_DECISIONS)),
    );
  if (mode === "deep") {
    const changelog = (await memoryTextAt(repo, at, memoryPath.file(slug, "changelog.md"))) ?? "";
    parts.push(
      first("facts", files["facts.md"]),
      last("decisions", files["decisions.md"]),
      last("changelog", lastEntries(changelog, LAST_CHANGES)),
    );
  }
  if (mode === "temporal") parts.push(last("timeline", await timeline(repo, at, slug, period)));
  else parts.push(last("observations", await observationLines(repo, at, slug, LAST_OBSERVATIONS[mode])));
  const values = readValues(files["values.json"]) ?? {};
  return { mode, version, ...(await fitToLimit(parts, values, recallLimits[mode])) };
}

/** One line per observation, oldest first. */
async function observationLines(repo: Repo, at: Oid, slug: string, most: number): Promise<string> {
  const latest = await latestObservations(repo, at, slug, most);
  return latest
    .toReversed()
    .map((each) => `- ${each.at} ${each.by}: ${each.text}\n`)
    .join("");
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
  for (const { day, path } of (await timelineDays(repo, at, slug)).toReversed())
    if (day >= first && day <= last) texts.push((await memoryTextAt(repo, at, path)) ?? "");
  return texts.join("\n");
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * Fits the parts into the limit, in their order. Values come first and are never cut, because a cut value is a wrong value. Tokens of
 * the parts do not add up exactly to those of the whole, so the whole is counted at the end, and the room reduced if necessary.
 */
async function fitToLimit(
  parts: readonly Part[],
  given: MemoryValues,
  limit: number,
): Promise<Pick<Recalled, "values" | "parts" | "tokens" | "cut">> {
  const written = Object.keys(given).length === 0 ? "" : JSON.stringify(given);
  const valuesFit = await fitsTokens(written, limit);
  const values = valuesFit ? given : {};
  const valueTokens = valuesFit ? await countTokens(written) : 0;
  for (let room = limit; ; ) {
    const kept: Record<string, string> = {};
    const cut = valuesFit ? [] : ["values"];
    let left = room - valueTokens;
    for (const { name, text, keep } of parts) {
      const { text: some, tokens } = await withinTokens(text, Math.max(0, left), keep);
      kept[name] = some;
      left -= tokens;
      if (some !== text) cut.push(name);
    }
    const tokens = await countTokens([...Object.values(kept), valuesFit ? written : ""].filter(Boolean).join("\n"));
    if (tokens <= limit) return { values, parts: kept, tokens, cut };
    room -= tokens - limit;
  }
}
