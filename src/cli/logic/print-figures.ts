import type { Text } from "../../base/text.ts";
import type { Interval } from "../../domain/logic/rate-interval.ts";

/** `0.94 [0.89–0.97]`, or a dash without judged runs. */
export const formatRate = (rate: number | null, interval: Interval | null): string =>
  rate === null
    ? "–"
    : `${rate.toFixed(2)}${interval ? ` [${interval.low.toFixed(2)}–${interval.high.toFixed(2)}]` : ""}`;

export const formatNumber = (value: number | null): string => (value === null ? "–" : String(value));

export const figureWords = {
  version: { en: "version", uk: "версія" },
  since: { en: "since", uk: "діє з" },
  source: { en: "source", uk: "походить від" },
  pending: { en: "pending", uk: "чекає" },
  review: { en: "compare", uk: "порівняти" },
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
    en: "+ accepted, ~ edited, − rejected, ↩ reverted, ? undecided; intervals in brackets",
    uk: "+ схвалено, ~ змінено, − відхилено, ↩ відкликано, ? ще не вирішено; у дужках — інтервали",
  },
  sameAs: { en: "same as", uk: "те саме, що" },
  current: { en: "current", uk: "поточна" },
} as const satisfies Record<string, Text>;

export const trendWords = {
  improving: { en: "improving", uk: "покращується" },
  stable: { en: "stable", uk: "без змін" },
  declining: { en: "declining", uk: "погіршується" },
  unknown: { en: "unknown", uk: "невідомо" },
} as const satisfies Record<string, Text>;
