import type { Text } from "../../base/text.ts";
import { CRON_NEVER, wrongCronField } from "./failures.ts";

/**
 * A schedule in cron's five fields: minute, hour, day of the month, month, day of the week. This file only parses it,
 * so that a contract with an invalid schedule is refused; `cron-slots.ts` computes times.
 */
interface Field {
  readonly name: Text;
  readonly from: number;
  readonly to: number;
  /** Names for the numbers from `from` on. */
  readonly names?: readonly string[];
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const WEEKDAYS = "sun mon tue wed thu fri sat".split(" ");

const fields: readonly [Field, Field, Field, Field, Field] = [
  { name: { en: "minute", uk: "хвилина" }, from: 0, to: 59 },
  { name: { en: "hour", uk: "година" }, from: 0, to: 23 },
  { name: { en: "day of the month", uk: "день місяця" }, from: 1, to: 31 },
  { name: { en: "month", uk: "місяць" }, from: 1, to: 12, names: MONTHS },
  { name: { en: "day of the week", uk: "день тижня" }, from: 0, to: 7, names: WEEKDAYS },
];
const DAYS_OF_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** A schedule as the numbers of its fields. */
export interface Cron {
  readonly minutes: readonly number[];
  readonly hours: readonly number[];
  readonly days: readonly number[];
  readonly months: readonly number[];
  /** 0 is Sunday. */
  readonly weekdays: readonly number[];
  /** If both kinds of days are limited, a day that matches either of them counts, as in cron. */
  readonly eitherDay: boolean;
}

/** Undefined if `cronProblem` reports a problem. */
export function readCron(text: string): Cron | undefined {
  if (cronProblem(text)) return undefined;
  const parts = text.trim().split(/[ \t]+/);
  const [minutes, hours, days, months, weekdays] = fields.map((field, index) =>
    valuesOf(parts[index]!, field)!.toSorted((a, b) => a - b),
  ) as [number[], number[], number[], number[], number[]];
  return {
    minutes,
    hours,
    days,
    months,
    weekdays: [...new Set(weekdays.map((day) => day % 7))],
    eitherDay: !parts[2]!.startsWith("*") && !parts[4]!.startsWith("*"),
  };
}

/** Describes the problem of a schedule; undefined if it is valid. */
export function cronProblem(text: string): Text | undefined {
  const parts = text.trim().split(/[ \t]+/);
  if (parts.length !== fields.length || /[^\x20-\x7e\t]/.test(text)) {
    return {
      en: "a schedule of five fields such as 0 8 * * 1-5 (minute, hour, day, month, weekday)",
      uk: "розклад із п'яти полів, наприклад 0 8 * * 1-5 (хвилина, година, день, місяць, день тижня)",
    };
  }
  const values: (readonly number[])[] = [];
  for (const [index, field] of fields.entries()) {
    const found = valuesOf(parts[index]!, field);
    if (!found) return wrongCronField(field, parts[index]!);
    values.push(found);
  }
  const [, , days, months] = values as [number[], number[], number[], number[]];
  const never = parts[4] === "*" && !months.some((month) => days.some((day) => day <= DAYS_OF_MONTH[month - 1]!));
  return never ? CRON_NEVER : undefined;
}

/** The numbers of a field; undefined if it is invalid. */
function valuesOf(text: string, field: Field): number[] | undefined {
  const found = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(\*|[a-z0-9]+(?:-[a-z0-9]+)?)(?:\/(\d{1,2}))?$/i.exec(part);
    if (!match) return undefined;
    const [, span, written] = match as unknown as [string, string, string | undefined];
    const step = written === undefined ? 1 : Number(written);
    const [first, last = written === undefined ? first : undefined] = span === "*" ? [] : span.split("-");
    const start = first === undefined ? field.from : numberOf(first, field);
    const end = last === undefined ? field.to : numberOf(last, field);
    if (start === undefined || end === undefined || start > end || step === 0) return undefined;
    for (let value = start; value <= end; value += step) found.add(value);
  }
  return [...found];
}

function numberOf(text: string, field: Field): number | undefined {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1;
  const number = named >= 0 ? named + field.from : /^\d{1,2}$/.test(text) ? Number(text) : -1;
  return number >= field.from && number <= field.to ? number : undefined;
}
