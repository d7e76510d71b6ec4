import type { Looked } from "./run-ending.ts";
import type { Noted } from "./run-life.ts";

/** Counts over the processes of one or many gardens. */
export interface KillCounts {
  readonly kills: number;
  /** Calls of models and tools by all processes. */
  readonly calls: number;
  /** Calls in flight at a kill that were repeated. */
  readonly again: number;
  /** Calls that were repeated although their result was recorded. */
  readonly doubled: number;
  /** Calls whose recorded result was lost. */
  readonly lost: number;
  /** Repeated calls with effects outside: those that a person allowed, and those that no person allowed. */
  readonly allowed: number;
  readonly unasked: number;
}

/** The result of one scenario. */
export interface KillRow extends KillCounts {
  readonly scenario: string;
  /** Crash points that an undisturbed run passes. */
  readonly points: number;
  /** Violated expectations, each with the crash point. */
  readonly broken: readonly string[];
}

/** Reads the notes of the processes in order of time. */
export function counted(
  notes: readonly Noted[],
  looked: Pick<Looked, "records" | "asked"> | undefined,
  kills: number,
): { readonly counts: KillCounts; readonly faults: readonly string[] } {
  const onRecord = new Set<string>();
  const made = new Map<string, number>();
  const acts = new Map<string, number>();
  const faults: string[] = [];
  let doubled = 0;
  for (const noted of notes) {
    if ("life" in noted) for (const key of noted.records) onRecord.add(key);
    if ("done" in noted) onRecord.add(noted.done);
    if ("act" in noted) acts.set(noted.act, (acts.get(noted.act) ?? 0) + 1);
    if (!("call" in noted)) continue;
    if (onRecord.has(noted.call)) {
      doubled++;
      faults.push(`${noted.call} was on record and was made again`);
    }
    const attempt = `${noted.call} ${noted.attempt}`;
    made.set(attempt, (made.get(attempt) ?? 0) + 1);
  }
  const repeats = [...made].map(([key, times]) => ({ key, more: times - 1 }));
  for (const { key, more } of repeats) if (more > kills) faults.push(`${key} was made ${more + 1} times`);
  const again = repeats.reduce((sum, { more }) => sum + more, 0);
  const kept = new Set(looked?.records);
  const gone = looked ? [...onRecord].filter((key) => !kept.has(key)) : [];
  faults.push(...gone.map((key) => `${key} was on record and is gone`));
  const actsAgain = [...acts.values()].reduce((sum, times) => sum + times - 1, 0);
  const unasked = Math.max(0, actsAgain - (looked?.asked ?? 0));
  if (unasked > 0) faults.push(`${unasked} acts were done again, and nobody was asked`);
  const calls = [...made.values()].reduce((sum, times) => sum + times, 0);
  const counts = { kills, calls, again, doubled, lost: gone.length, allowed: actsAgain - unasked, unasked };
  return { counts, faults };
}

const NOTHING: KillCounts = { kills: 0, calls: 0, again: 0, doubled: 0, lost: 0, allowed: 0, unasked: 0 };

export const summed = (all: readonly KillCounts[]): KillCounts =>
  all.reduce<KillCounts>(
    (sum, one) =>
      Object.fromEntries(
        (Object.keys(NOTHING) as (keyof KillCounts)[]).map((what) => [what, sum[what] + one[what]]),
      ) as unknown as KillCounts,
    NOTHING,
  );

const TITLES = {
  points: "points",
  kills: "killed",
  calls: "calls",
  again: "under way, made again",
  allowed: "acts repeated, allowed",
  unasked: "unasked",
  doubled: "finished, made again",
  lost: "lost",
} as const;

/** The matrix as a Markdown table. */
export function killTable(rows: readonly KillRow[]): string {
  const columns = Object.keys(TITLES) as (keyof typeof TITLES)[];
  const all: KillRow = {
    scenario: "all",
    points: rows.reduce((sum, { points }) => sum + points, 0),
    ...summed(rows),
    broken: rows.flatMap(({ broken }) => broken),
  };
  const head = ["scenario", ...columns.map((what) => TITLES[what]), "wrong"];
  const lines = [...rows, all].map((row) => [
    row.scenario,
    ...columns.map((what) => String(row[what])),
    String(row.broken.length),
  ]);
  const ruler = head.map((_, index) => (index === 0 ? "---" : "--:"));
  return [head, ruler, ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
