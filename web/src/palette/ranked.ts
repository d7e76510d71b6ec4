import type { Entry, EntryGroup } from "./entry.ts";
import { matchScore } from "./match.ts";

/** Lines shown of each group. */
const MOST = { notes: 6, agents: 4, waiting: 4, runs: 3, do: 6, gardens: 3 } as const;
/** Lines shown in the quick switcher, which has one group. */
const MOST_ALONE = 12;

/** The entries that fit, best first; the group with the best entry comes first. Nothing typed: every group as it is. */
export function rankedEntries(groups: readonly EntryGroup[], typed: string): readonly EntryGroup[] {
  const isAlone = groups.length === 1;
  return groups
    .map(({ id, entries }) => {
      const scored = entries
        .filter(({ when }) => when !== "typed" || typed.trim() !== "")
        .map((entry) => ({ entry, score: entry.when === "last" ? 0 : matchScore(typed, entry.title, entry.more) }))
        .filter((each): each is { entry: Entry; score: number } => each.score !== undefined);
      const best = typed.trim() === "" ? scored : scored.toSorted((a, b) => b.score - a.score);
      const shown = best.slice(0, isAlone ? MOST_ALONE : MOST[id]).map(({ entry }) => entry);
      return { id, entries: shown, score: best[0]?.score ?? 0 };
    })
    .filter(({ entries }) => entries.length > 0)
    .toSorted((a, b) => (typed.trim() === "" ? 0 : b.score - a.score));
}
