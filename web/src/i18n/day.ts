import type { Language } from "../../../src/base/text.ts";

const localeOf = (language: Language): string => (language === "en" ? "en-GB" : "uk-UA");
const DAY_MS = 86_400_000;

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
/** Whole days between two times, by the calendar. */
const daysBetween = (earlier: number, later: number): number =>
  Math.round((startOfDay(later) - startOfDay(earlier)) / DAY_MS);

/** `Sunday, 15 November`. */
export const weekdayAndDate = (at: string | number, language: Language): string =>
  capital(`${weekday(at, language)}, ${longDate(at, language)}`);

/** `08:10`. */
export const clock = (at: string | number, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { hour: "2-digit", minute: "2-digit" }).format(new Date(at));

/** `08:10:42`. */
export const clockWithSeconds = (at: string | number, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(
    new Date(at),
  );

/** The shortest that is clear: `08:10` today, `Sat` in the last week, `3 Nov` before that. */
export function shortTime(at: string | number, language: Language, now = Date.now()): string {
  const time = new Date(at).getTime();
  const days = daysBetween(time, now);
  if (days === 0) return clock(time, language);
  const wanted: Intl.DateTimeFormatOptions =
    days > 0 && days < 7 ? { weekday: "short" } : { day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(localeOf(language), wanted).format(new Date(time));
}

/** The heading of a group of runs: `Today`, `Yesterday`, `Friday, 13 November`. */
export function dayHeading(at: string | number, language: Language, now = Date.now()): string {
  const time = new Date(at).getTime();
  const days = daysBetween(time, now);
  if (days === 0) return language === "en" ? "Today" : "Сьогодні";
  if (days === 1) return language === "en" ? "Yesterday" : "Учора";
  return weekdayAndDate(time, language);
}

/** `Monday, 07:00` within a week, else `1 December, 07:00`: a time to come, or of the last visit. */
export function dayAndTime(at: string | number, language: Language, now = Date.now()): string {
  const time = new Date(at).getTime();
  const isNear = Math.abs(daysBetween(now, time)) < 7;
  const day = isNear ? weekday(time, language) : longDate(time, language);
  return `${day}, ${clock(time, language)}`;
}

export const weekday = (at: string | number, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { weekday: "long" }).format(new Date(at));

export const longDate = (at: string | number, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { day: "numeric", month: "long" }).format(new Date(at));

/** `November 2026`, of `2026-11`. */
export const monthWithYear = (month: string, language: Language): string =>
  new Intl.DateTimeFormat(localeOf(language), { month: "long", year: "numeric", timeZone: "UTC" }).format(
    new Date(`${month}-01T00:00:00Z`),
  );

/** `2 h`, `12 min`, `1 d`: an age or a wait. */
export function span(ms: number, language: Language): string {
  const [day, hour, minute] = language === "en" ? ["d", "h", "min"] : ["дн.", "год", "хв"];
  if (ms >= DAY_MS) return `${Math.floor(ms / DAY_MS)} ${day}`;
  if (ms >= 3_600_000) return `${Math.floor(ms / 3_600_000)} ${hour}`;
  return `${Math.max(1, Math.floor(ms / 60_000))} ${minute}`;
}

const capital = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
