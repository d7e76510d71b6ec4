import type { Language } from "../../../src/base/text.ts";

const localeOf = (language: Language): string => (language === "en" ? "en-GB" : "uk-UA");

/** `14 Feb, 08:30`; with the year if it is not the current one. */
export function dateTime(at: string | number, language: Language, now = Date.now()): string {
  const date = new Date(at);
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(localeOf(language), {
    day: "numeric",
    month: "short",
    ...(!sameYear && { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
  }).format(date);
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** `3 minutes ago`, `in 2 hours`; more than a week away, the date. */
export function ago(at: string | number, language: Language, now = Date.now()): string {
  const distance = new Date(at).getTime() - now;
  if (Math.abs(distance) > 7 * 86_400_000) return dateTime(at, language, now);
  const [unit, size] = STEPS.find(([, each]) => Math.abs(distance) >= each) ?? ["second", 1000];
  return new Intl.RelativeTimeFormat(localeOf(language), { numeric: "auto" }).format(Math.round(distance / size), unit);
}

/** `14 February 2026`. */
export const dayWithYear = (at: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: "long" }).format(new Date(at));

/** `3 days`, `12 min`; more than a week ago, the day: `21 Oct`, with the year if it is not the current one. */
export function dayOrAge(at: string | number, language: Language, now = Date.now()): string {
  const date = new Date(at);
  const distance = now - date.getTime();
  const unit = distance < 3_600_000 ? "minute" : distance < 86_400_000 ? "hour" : "day";
  if (distance < 7 * 86_400_000)
    return new Intl.NumberFormat(localeOf(language), {
      style: "unit",
      unit,
      unitDisplay: unit === "day" ? "long" : "short",
    }).format(Math.max(1, Math.floor(distance / (STEPS.find(([each]) => each === unit)?.[1] ?? 1))));
  const sameYear = date.getFullYear() === new Date(now).getFullYear();
  return new Intl.DateTimeFormat(localeOf(language), {
    day: "numeric",
    month: "short",
    ...(!sameYear && { year: "numeric" }),
  }).format(date);
}

/** `850 ms`, `12.4 s`, `3 min 5 s`. */
export function duration(ms: number, language: Language): string {
  const [milli, second, minute] = language === "uk" ? ["мс", "с", "хв"] : ["ms", "s", "min"];
  if (ms < 1000) return `${Math.round(ms)} ${milli}`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} ${second}`;
  return `${Math.floor(ms / 60_000)} ${minute} ${Math.round((ms % 60_000) / 1000)} ${second}`;
}

export const number = (value: number, language: Language): string => value.toLocaleString(localeOf(language));

/** `$0.0123`: small amounts with fractions of a cent, because one run costs less than a cent. */
export const money = (amount: number, currency: string, language: Language): string =>
  amount.toLocaleString(localeOf(language), {
    style: "currency",
    currency,
    currencyDisplay: "narrowSymbol",
    maximumFractionDigits: Math.abs(amount) >= 1 ? 2 : Math.abs(amount) >= 0.01 ? 3 : 4,
  });

/** `16K`, `1.2M`: a figure whose last digits say nothing. */
export const compactNumber = (value: number, language: Language): string =>
  new Intl.NumberFormat(localeOf(language), { notation: "compact", maximumFractionDigits: 1 }).format(value);

/** `now`, `12 min`, `3 h`, `2 d`: how long ago, for lists. */
export function age(at: string | number, language: Language, now = Date.now()): string {
  const distance = Math.max(0, now - new Date(at).getTime());
  const [units, first] =
    language === "uk" ? ([["д", "год", "хв"], "щойно"] as const) : ([["d", "h", "min"], "now"] as const);
  const steps = [86_400_000, 3_600_000, 60_000];
  const index = steps.findIndex((size) => distance >= size);
  return index === -1 ? first : `${Math.floor(distance / steps[index]!)} ${units[index]}`;
}

/** `18 kB`, `2.4 MB`. */
export function byteSize(bytes: number, language: Language): string {
  const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return (bytes / 1000 ** step).toLocaleString(localeOf(language), {
    style: "unit",
    unit: units[step]!,
    maximumFractionDigits: bytes < 10 * 1000 ** step && step > 0 ? 1 : 0,
  });
}
