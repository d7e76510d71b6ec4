import type { Text } from "../../i18n/use-t.ts";
import type { LogicReport, ReplayedRun } from "./logic-report.ts";

/** The outcome of a recorded run with the proposed logic, as a person judges it: a lost proposal comes before everything else. */
export const replayOutcomes = ["lost", "avoids", "parts", "cannot-tell", "unreadable", "same"] as const;
export type ReplayOutcome = (typeof replayOutcomes)[number];

export const outcomeOf = (row: ReplayedRun): ReplayOutcome => ((row.proposals?.lost ?? 0) > 0 ? "lost" : row.kind);

/** The rows with the worst outcome first. */
export const byOutcome = (rows: readonly ReplayedRun[]): readonly ReplayedRun[] =>
  replayOutcomes.flatMap((outcome) => rows.filter((row) => outcomeOf(row) === outcome));

/** The number of runs with each outcome. */
export function outcomeCounts(report: LogicReport): Readonly<Record<ReplayOutcome, number>> {
  const rows = report.counterfactual?.rows ?? [];
  const count = (outcome: ReplayOutcome): number => rows.filter((row) => outcomeOf(row) === outcome).length;
  return Object.fromEntries(replayOutcomes.map((outcome) => [outcome, count(outcome)])) as Record<
    ReplayOutcome,
    number
  >;
}

/** The runs that must be opened before an approval: with a medium or high risk, each run that loses a proposal. */
export const runsToOpen = (report: LogicReport): readonly string[] =>
  report.static.riskLevel === "low"
    ? []
    : (report.counterfactual?.rows ?? []).filter((row) => outcomeOf(row) === "lost").map(({ run }) => run);

export const outcomeWords = {
  lost: { en: "proposal lost", uk: "пропозицію втрачено" },
  avoids: { en: "failure avoided", uk: "без того збою" },
  parts: { en: "different path", uk: "інший шлях" },
  "cannot-tell": { en: "unknown", uk: "невідомо" },
  unreadable: { en: "unreadable", uk: "не читається" },
  same: { en: "same path", uk: "той самий шлях" },
} as const satisfies Record<ReplayOutcome, Text>;
