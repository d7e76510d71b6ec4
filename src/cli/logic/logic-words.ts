import type { Language, Text } from "../../base/text.ts";
import type { Interval } from "../../domain/logic/rate-interval.ts";
import { printable } from "../printable.ts";

/** What a person sees of figures. Names and reasons are somebody else's text: nothing of it reaches the terminal raw. */
export const inBoth = (write: (language: Language) => string): Text => ({ uk: write("uk"), en: write("en") });

export const oneLine = (text: string): string => printable(text.replace(/\s+/g, " ").trim());

/** `0.94 [0.89–0.97]`, or a dash where no run has said anything yet. */
export const rateText = (rate: number | null, interval: Interval | null): string =>
  rate === null
    ? "–"
    : `${rate.toFixed(2)}${interval ? ` [${interval.low.toFixed(2)}–${interval.high.toFixed(2)}]` : ""}`;

export const numberText = (value: number | null): string => (value === null ? "–" : String(value));

/** Columns as wide as their widest cell; the last one as it is. */
export function table(lines: readonly (readonly string[])[]): string[] {
  const widths = lines.reduce<number[]>(
    (widest, line) => line.map((cell, column) => Math.max(widest[column] ?? 0, [...cell].length)),
    [],
  );
  return lines.map((line) =>
    line
      .map((cell, column) =>
        column === line.length - 1 ? cell : cell + " ".repeat(widths[column]! - [...cell].length),
      )
      .join("  ")
      .trimEnd(),
  );
}

export const words = {
  version: { en: "version", uk: "версія" },
  since: { en: "since", uk: "діє з" },
  source: { en: "comes from", uk: "походить від" },
  runs: { en: "runs", uk: "запуски" },
  success: { en: "completed", uk: "завершено" },
  good: { en: "good", uk: "добрі" },
  acceptance: { en: "accepted", uk: "схвалено" },
  decided: { en: "+ ~ − ↩ ?", uk: "+ ~ − ↩ ?" },
  tokens: { en: "tokens", uk: "токени" },
  why: { en: "why", uk: "чому" },
  trend: { en: "trend", uk: "тенденція" },
  visits: { en: "visits", uk: "проходи" },
  failures: { en: "failures", uk: "збої" },
  time: { en: "time", uk: "час" },
  proposals: { en: "proposals", uk: "пропозиції" },
  icon: { en: "icon", uk: "ікона" },
  legend: {
    en: "+ accepted, ~ edited, − rejected, ↩ taken back, ? nobody has decided; intervals in brackets",
    uk: "+ схвалено, ~ змінено, − відхилено, ↩ відкликано, ? ще не вирішено; у дужках — інтервали",
  },
  sameAs: { en: "same as", uk: "те саме, що" },
  current: { en: "current", uk: "поточна" },
} as const satisfies Record<string, Text>;

export const trends = {
  improving: { en: "improving", uk: "покращується" },
  stable: { en: "stable", uk: "без змін" },
  declining: { en: "declining", uk: "погіршується" },
  unknown: { en: "unknown", uk: "невідомо" },
} as const satisfies Record<string, Text>;
