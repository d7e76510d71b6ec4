import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tries } from "../../base/testing/tries.ts";
import { readCron } from "./cron.ts";
import { slotAfter } from "./cron-slots.ts";

const slots = (cron: string, zone: string, from: string, count: number): string[] => {
  const found: string[] = [];
  let at: number | undefined = Date.parse(from);
  while (found.length < count) {
    at = slotAfter(readCron(cron)!, zone, at);
    if (at === undefined) return [...found, "never"];
    found.push(new Date(at).toISOString().slice(0, 16));
  }
  return found;
};

describe("O-4 slots of a schedule", () => {
  test.each<[string, string, string, string, string[]]>([
    ["every day", "0 8 * * *", "UTC", "2026-02-14T08:00:00Z", ["2026-02-15T08:00", "2026-02-16T08:00"]],
    [
      "every day in another time zone",
      "0 8 * * *",
      "Europe/Kyiv",
      "2026-02-14T00:00:00Z",
      ["2026-02-14T06:00", "2026-02-15T06:00"],
    ],
    ["on working days", "0 8 * * 1-5", "UTC", "2026-02-13T09:00:00Z", ["2026-02-16T08:00", "2026-02-17T08:00"]],
    [
      "on Sundays, by either number",
      "30 9 * * 7",
      "UTC",
      "2026-02-14T00:00:00Z",
      ["2026-02-15T09:30", "2026-02-22T09:30"],
    ],
    [
      "every quarter of an hour",
      "*/15 * * * *",
      "UTC",
      "2026-02-14T23:40:00Z",
      ["2026-02-14T23:45", "2026-02-15T00:00"],
    ],
    [
      "on a day of the month or of the week",
      "0 0 13 * 5",
      "UTC",
      "2026-02-01T00:00:00Z",
      ["2026-02-06T00:00", "2026-02-13T00:00", "2026-02-20T00:00"],
    ],
    [
      "on the 31st, in months that have one",
      "0 0 31 * *",
      "UTC",
      "2026-02-01T00:00:00Z",
      ["2026-03-31T00:00", "2026-05-31T00:00"],
    ],
    ["on leap days", "0 0 29 2 *", "UTC", "2026-01-01T00:00:00Z", ["2028-02-29T00:00", "2032-02-29T00:00"]],
    [
      "in a zone with an odd offset",
      "0 8 * * *",
      "Asia/Kathmandu",
      "2026-02-14T00:00:00Z",
      ["2026-02-14T02:15", "2026-02-15T02:15"],
    ],
    [
      "in a zone where the date differs",
      "0 1 1 * *",
      "Pacific/Kiritimati",
      "2026-01-31T00:00:00Z",
      ["2026-01-31T11:00", "2026-02-28T11:00"],
    ],
    ["after the last second of a minute", "0 8 * * *", "UTC", "2026-02-14T07:59:59.999Z", ["2026-02-14T08:00"]],
  ])("%s", (_, cron, zone, from, expected) => {
    expect(slots(cron, zone, from, expected.length)).toEqual(expected);
  });

  test.each<[string, string, string, string, string[]]>([
    // Kyiv: on 2026-03-29 the clocks go from 03:00 to 04:00 (01:00 UTC), on 2026-10-25 from 04:00 to 03:00 (01:00 UTC).
    [
      "a skipped time is moved to the change",
      "30 3 * * *",
      "Europe/Kyiv",
      "2026-03-28T02:00:00Z",
      ["2026-03-29T01:00", "2026-03-30T00:30"],
    ],
    [
      "several skipped times become one slot",
      "0,30 3 * * *",
      "Europe/Kyiv",
      "2026-03-28T22:00:00Z",
      ["2026-03-29T01:00", "2026-03-30T00:00"],
    ],
    [
      "a repeated time has one slot, the first",
      "30 3 * * *",
      "Europe/Kyiv",
      "2026-10-24T02:00:00Z",
      ["2026-10-25T00:30", "2026-10-26T01:30"],
    ],
    [
      "an hourly schedule skips the missing hour",
      "30 * * * *",
      "Europe/Kyiv",
      "2026-03-29T00:00:00Z",
      ["2026-03-29T00:30", "2026-03-29T01:30", "2026-03-29T02:30"],
    ],
    [
      "an hourly schedule has a slot in both repeated hours",
      "30 * * * *",
      "Europe/Kyiv",
      "2026-10-25T00:00:00Z",
      ["2026-10-25T00:30", "2026-10-25T01:30", "2026-10-25T02:30"],
    ],
    // Lord Howe moves by half an hour: on 2026-10-04 from 02:00 to 02:30 (15:30 UTC the day before).
    [
      "a skipped half hour is moved to the change",
      "15 2 * * *",
      "Australia/Lord_Howe",
      "2026-10-03T00:00:00Z",
      ["2026-10-03T15:30", "2026-10-04T15:15"],
    ],
    // Apia had no 30 December 2011: clocks went from the end of the 29th (10:00 UTC on the 30th) to the 31st.
    [
      "a skipped day is moved to its end",
      "0 8 30 12 *",
      "Pacific/Apia",
      "2011-12-29T00:00:00Z",
      ["2011-12-30T10:00", "2012-12-29T18:00"],
    ],
  ])("on days when clocks change: %s", (_, cron, zone, from, expected) => {
    expect(slots(cron, zone, from, expected.length)).toEqual(expected);
  });

  test("a daily schedule has exactly one slot on every local day, in any zone at any time", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(
          "Europe/Kyiv",
          "America/New_York",
          "Australia/Lord_Howe",
          "Africa/Casablanca",
          "Asia/Tehran",
          "UTC",
        ),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 59 }),
        fc.integer({ min: Date.parse("2019-01-01T00:00:00Z"), max: Date.parse("2027-01-01T00:00:00Z") }),
        (zone, hour, minute, from) => {
          const cron = readCron(`${minute} ${hour} * * *`)!;
          const day = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short" });
          const days: number[] = [];
          let at = from;
          for (let n = 0; n < 12; n++) {
            at = slotAfter(cron, zone, at)!;
            days.push(Date.parse(day.format(at)) / 86_400_000);
          }
          expect(days.map((one) => one - days[0]!)).toEqual(days.map((__, index) => index));
        },
      ),
      { numRuns: tries(150) },
    );
  });

  test("no slot is skipped or repeated, from any starting point", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("*/7 * * * *", "30 3 * * *", "0 */5 * * 0", "15 1,2,3 * * *"),
        fc.constantFrom("Europe/Kyiv", "America/St_Johns"),
        fc.constantFrom("2026-03-07T00:00:00Z", "2026-03-28T12:00:00Z", "2026-10-24T12:00:00Z", "2026-10-31T12:00:00Z"),
        fc.integer({ min: 0, max: 2 * 86_400_000 }),
        (text, zone, start, later) => {
          const cron = readCron(text)!;
          const from = Date.parse(start);
          const all: number[] = [];
          for (let at = slotAfter(cron, zone, from)!; at <= from + 3 * 86_400_000; at = slotAfter(cron, zone, at)!)
            all.push(at);
          expect(new Set(all).size).toBe(all.length);
          const next = slotAfter(cron, zone, from + later)!;
          expect(next).toBe(all.find((at) => at > from + later) ?? next);
        },
      ),
      { numRuns: tries(60) },
    );
  });
});
