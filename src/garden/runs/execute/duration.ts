import type { Json } from "../../../base/canonical.ts";

/** A duration as a procedure writes it. A bare number is a number of seconds. */
export function writtenDuration(duration: Json | undefined): string {
  if (typeof duration === "string") return duration;
  return typeof duration === "number" ? `${duration} s` : JSON.stringify(duration ?? null);
}

/** Milliseconds from now: `20 хв`, `1 год 30 хв`, `2h`, `90 seconds`, `= 08:00`, `2026-02-14T08:00:00Z`. Undefined if none of these. */
export function durationMs(text: string, now: number): number | undefined {
  const bare = text.trim().replace(/^[^=]*=\s*/, "");
  const moment = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z)?$/.test(bare)
    ? Date.parse(bare)
    : Number.NaN;
  if (!Number.isNaN(moment)) return Math.max(0, moment - now);
  const clock = /^(\d{1,2}):(\d{2})$/.exec(bare);
  if (clock) return untilClock(Number(clock[1]), Number(clock[2]), now);
  const parts = [...bare.matchAll(PART)];
  const rest = bare.replace(PART, "").replace(/[\s,]|\bі\b|\band\b/gu, "");
  if (parts.length === 0 || rest !== "") return undefined;
  const ms = parts.reduce((sum, [, count, unit]) => sum + Number(count!.replace(",", ".")) * unitMs(unit!), 0);
  return Number.isFinite(ms) && ms <= LONGEST_MS ? Math.round(ms) : undefined;
}

const LONGEST_MS = 366 * 86_400_000;
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:ms|мс)/iu, 1],
  [/^(?:s|с)/iu, 1000],
  [/^(?:m|х)/iu, 60_000],
  [/^(?:h|г)/iu, 3_600_000],
  [/^(?:d|д)/iu, 86_400_000],
  [/^(?:w|т)/iu, 7 * 86_400_000],
];
const PART =
  /(\d+(?:[.,]\d+)?)\s*(ms|мс|s(?:ec(?:ond)?s?)?|с(?:ек(?:унд[аиу]?)?)?|m(?:in(?:ute)?s?)?|хв(?:илин[аиу]?)?|h(?:ours?|rs?)?|год(?:ин[аиу]?)?|d(?:ays?)?|д(?:ень|ні|нів)?|w(?:eeks?)?|тиж(?:день|ні|нів)?)(?![\p{L}])\.?/giu;

const unitMs = (unit: string): number => UNITS.find(([word]) => word.test(unit))![1];

/** Time until the clock next shows this, in UTC. */
function untilClock(hours: number, minutes: number, now: number): number | undefined {
  if (hours > 23 || minutes > 59) return undefined;
  const day = 86_400_000;
  const ahead = (hours * 60 + minutes) * 60_000 - (now % day);
  return ahead >= 0 ? ahead : ahead + day;
}
