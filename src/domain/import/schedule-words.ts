import { createHash } from "node:crypto";
import { cronProblem } from "../contract/cron.ts";

/**
 * Schedules in words, as gh-aw has them, as cron in UTC. A time that the words leave open ("daily", "around 9:00") is chosen once, from
 * a hash of the workflow's name: the same name always gives the same time, and many workflows do not start in the same minute.
 */
export type ScheduleReading =
  | { readonly kind: "cron"; readonly cron: string; readonly chosen: boolean }
  | { readonly kind: "unknown" };

const DAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
const DAY = 24 * 60;
const WEEKDAYS: readonly number[] = [1, 2, 3, 4, 5];

/** A time of the day in UTC: minutes after midnight of the day named, which may lie on the day before or after. */
interface ChosenTime {
  readonly minute: number;
  readonly chosen: boolean;
}

export function scheduleToCron(written: string, name: string): ScheduleReading {
  const words = written.trim().toLowerCase().replaceAll(/\s+/g, " ");
  if (/^[\d*]/.test(words)) return cronProblem(words) ? UNKNOWN : { kind: "cron", cron: words, chosen: false };
  const pick = (span: number, salt: string): number => hashOf(`${name} ${salt}`) % span;
  return interval(words, pick) ?? calendar(words, pick) ?? UNKNOWN;
}

const UNKNOWN: ScheduleReading = { kind: "unknown" };
type Pick = (span: number, salt: string) => number;
const fixed = (cron: string, chosen = false): ScheduleReading => ({ kind: "cron", cron, chosen });

const INTERVAL = /^every (?:(\d{1,3}) ?)?(m|mins?|minutes?|h|hours?|d|days?|w|weeks?|mo|months?)( on weekdays)?$/;

/** `every 2h`, `every 10 minutes`, `hourly`. */
function interval(words: string, pick: Pick): ScheduleReading | undefined {
  const hourly = /^hourly( on weekdays)?$/.exec(words);
  const match = INTERVAL.exec(hourly ? `every 1 hour${hourly[1] ?? ""}` : words);
  if (!match) return undefined;
  const [, written, unit, weekdays] = match as unknown as [string, string?, string?, string?];
  const count = Number(written ?? 1);
  const days = weekdays === undefined ? "*" : "1-5";
  if (count === 0) return UNKNOWN;
  if (/^(?:m|mins?|minutes?)$/.test(unit!))
    return 60 % count === 0 && count >= 5 ? fixed(`*/${count} * * * ${days}`) : UNKNOWN;
  if (unit!.startsWith("h"))
    return 24 % count === 0 ? fixed(`${pick(60, "minute")} */${count} * * ${days}`, true) : UNKNOWN;
  if (weekdays !== undefined) return UNKNOWN;
  if (unit!.startsWith("d")) return count <= 31 ? fixed(count === 1 ? "0 0 * * *" : `0 0 */${count} * *`) : UNKNOWN;
  if (unit!.startsWith("w")) return count <= 4 ? fixed(count === 1 ? "0 0 * * 0" : `0 0 */${count * 7} * *`) : UNKNOWN;
  return count <= 12 ? fixed(count === 1 ? "0 0 1 * *" : `0 0 1 */${count} *`) : UNKNOWN;
}

/** `daily …`, `weekly on monday …`, `bi-weekly`, `monthly on 15 …`. */
function calendar(words: string, pick: Pick): ScheduleReading | undefined {
  const match =
    /^(daily|every day|every weekday|weekly|bi-weekly|tri-weekly|monthly|every (?:sun|mon|tues|wednes|thurs|fri|satur)day)\b ?(.*)$/.exec(
      words,
    );
  if (!match) return undefined;
  const head = match[1]!.replace(/^every (?=.*day$)/, "on ");
  let rest = match[2]!;
  const weekdays = head === "on weekday" || / ?\bon weekdays$/.test(rest) || /^on weekdays\b/.test(rest);
  rest = rest.replace(/ ?\bon weekdays\b ?/, " ").trim();
  const named = /^on ((?:[a-z]+day)(?:(?:, ?| and )[a-z]+day)*)\b ?/.exec(
    head.startsWith("on ") ? `${head} ${rest}` : rest,
  );
  const dayOfMonth = /^(?:on )?(?:the )?(?:day )?(\d{1,2})(?:st|nd|rd|th)?(?= |$) ?/.exec(rest);
  if (head === "monthly") return monthly(dayOfMonth, rest, pick);
  if (head === "bi-weekly" || head === "tri-weekly") {
    const time = rest === "" ? timeOf("", pick) : undefined;
    return time && fixed(`${clock(time)} */${head === "bi-weekly" ? 14 : 21} * *`, true);
  }
  const isDaily = head === "daily" || head === "on day" || head === "on weekday";
  if (isDaily) {
    const time = timeOf(rest, pick);
    return time && onDays(weekdays ? WEEKDAYS : undefined, time);
  }
  const days = named?.[1]!.split(/, ?| and /).map((day) => DAYS.indexOf(day));
  if (days?.includes(-1) || (days && weekdays)) return undefined;
  const whole = head.startsWith("on ") ? `${head} ${rest}` : rest;
  const time = timeOf(named ? whole.slice(named[0].length).trim() : rest, pick);
  if (!time) return undefined;
  if (days) return onDays(days, time);
  return weekdays ? undefined : { ...onDays([pick(7, "weekday")], time), ...(time && { chosen: true }) };
}

function monthly(day: RegExpExecArray | null, rest: string, pick: Pick): ScheduleReading | undefined {
  const number = day ? Number(day[1]) : pick(28, "day") + 1;
  const time = timeOf(day ? rest.slice(day[0].length).trim() : rest, pick);
  // Another day of the month in UTC is the last of a month of unknown length: no cron expresses it.
  if (!time || number < 1 || number > 31 || time.minute < 0 || time.minute >= DAY) return undefined;
  return fixed(`${clock(time)} ${number} * *`, time.chosen || !day);
}

const clock = ({ minute }: ChosenTime): string => {
  const inDay = ((minute % DAY) + DAY) % DAY;
  return `${inDay % 60} ${Math.floor(inDay / 60)}`;
};

/** The weekdays move with a time that lies on another day in UTC. */
function onDays(days: readonly number[] | undefined, time: ChosenTime): ScheduleReading & { kind: "cron" } {
  const shift = Math.floor(time.minute / DAY);
  const moved = days?.map((day) => (((day + shift) % 7) + 7) % 7).toSorted((a, b) => a - b);
  const list = moved === undefined ? "*" : moved.join(",") === "1,2,3,4,5" ? "1-5" : moved.join(",");
  return { kind: "cron", cron: `${clock(time)} * * ${list}`, chosen: time.chosen };
}

const TIME = String.raw`(\d{1,2}:\d{2}(?: ?[ap]m)?|\d{1,2} ?[ap]m|midnight|noon)(?: ?utc ?([+-]\d{1,2}(?::\d{2})?)?)?`;
const AROUND = new RegExp(`^(around|at) ${TIME}$`);
const BETWEEN = new RegExp(`^between ${TIME} and ${TIME}$`);

/** The rest of the words: nothing, `around T`, `at T`, `between T and T`. Undefined if it is anything else. */
function timeOf(words: string, pick: Pick): ChosenTime | undefined {
  if (words === "") return { minute: pick(DAY, "time"), chosen: true };
  const around = AROUND.exec(words);
  if (around) {
    const at = minuteOf(around[2]!, around[3]);
    if (at === undefined) return undefined;
    return around[1] === "at" ? { minute: at, chosen: false } : { minute: at - 60 + pick(121, "time"), chosen: true };
  }
  const between = BETWEEN.exec(words);
  if (!between) return undefined;
  const [from, until] = [minuteOf(between[1]!, between[2]), minuteOf(between[3]!, between[4])];
  if (from === undefined || until === undefined || from === until) return undefined;
  const span = (((until - from) % DAY) + DAY) % DAY;
  return { minute: from + pick(span, "time"), chosen: true };
}

/** Minutes after midnight in UTC; negative or above a day if the offset leads to another day. */
function minuteOf(time: string, offset: string | undefined): number | undefined {
  const base = time === "midnight" ? 0 : time === "noon" ? 720 : clockMinute(time);
  if (base === undefined) return undefined;
  if (offset === undefined) return base;
  const [hours, minutes = "0"] = offset.slice(1).split(":");
  const away = Number(hours) * 60 + Number(minutes);
  if (away > 14 * 60) return undefined;
  return base - (offset.startsWith("-") ? -away : away);
}

function clockMinute(time: string): number | undefined {
  const [, hours, minutes = "0", half] = /^(\d{1,2})(?::(\d{2}))? ?([ap]m)?$/.exec(time)!;
  const [hour, minute] = [Number(hours), Number(minutes)];
  if (minute > 59 || (half === undefined ? hour > 23 : hour < 1 || hour > 12)) return undefined;
  return (half === undefined ? hour : (hour % 12) + (half === "pm" ? 12 : 0)) * 60 + minute;
}

const hashOf = (text: string): number => createHash("sha256").update(text).digest().readUInt32BE(0);

/** One schedule for several if they differ in one field only; undefined if one contract cannot hold them. */
export function joinedCron(crons: readonly string[]): string | undefined {
  const unique = [...new Set(crons)];
  if (unique.length < 2) return unique[0];
  const parts = unique.map((cron) => cron.split(" "));
  const differing = [0, 1, 2, 3, 4].filter((field) => new Set(parts.map((part) => part[field])).size > 1);
  if (differing.length !== 1) return undefined;
  const [field] = differing as [number];
  const merged = parts[0]!.with(field, parts.map((part) => part[field]).join(","));
  return cronProblem(merged.join(" ")) ? undefined : merged.join(" ");
}
