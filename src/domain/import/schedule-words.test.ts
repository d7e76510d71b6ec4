import { expect, test } from "vitest";
import { cronProblem } from "../contract/cron.ts";
import { joinedCron, scheduleToCron } from "./schedule-words.ts";

/** The schedule for a workflow called "sweep"; `?` stands for a number that is chosen from the name. */
const table: readonly (readonly [words: string, cron: string])[] = [
  ["0 9 * * 1", "0 9 * * 1"],
  ["*/15 * * * *", "*/15 * * * *"],
  ["daily", "? ? * * *"],
  ["Daily", "? ? * * *"],
  ["daily on weekdays", "? ? * * 1-5"],
  ["daily at 02:00", "0 2 * * *"],
  ["daily at noon", "0 12 * * *"],
  ["daily at 3pm utc-5", "0 20 * * *"],
  ["daily at 12am", "0 0 * * *"],
  ["daily around 14:00", "? ? * * *"],
  ["daily around 9am on weekdays", "? ? * * 1-5"],
  ["daily between 9:00 and 17:00", "? ? * * *"],
  ["daily between 9am utc-5 and 5pm utc-5", "? ? * * *"],
  ["hourly", "? */1 * * *"],
  ["hourly on weekdays", "? */1 * * 1-5"],
  ["every 2h", "? */2 * * *"],
  ["every 4 hours", "? */4 * * *"],
  ["every 10 minutes", "*/10 * * * *"],
  ["every 30m", "*/30 * * * *"],
  ["every 1d", "0 0 * * *"],
  ["every 2 days", "0 0 */2 * *"],
  ["every week", "0 0 * * 0"],
  ["every 2w", "0 0 */14 * *"],
  ["every 1mo", "0 0 1 * *"],
  ["every 2 months", "0 0 1 */2 *"],
  ["weekly", "? ? * * ?"],
  ["weekly on monday", "? ? * * 1"],
  ["weekly on monday and thursday", "? ? * * 1,4"],
  ["weekly on monday at 06:30", "30 6 * * 1"],
  ["weekly on friday around 5pm", "? ? * * 5"],
  ["weekly on monday at 08:00 utc+9", "0 23 * * 0"],
  ["weekly on sunday at 20:00 utc-8", "0 4 * * 1"],
  ["every monday at 9:00", "0 9 * * 1"],
  ["bi-weekly", "? ? */14 * *"],
  ["tri-weekly", "? ? */21 * *"],
  ["monthly", "? ? ? * *"],
  ["monthly on 15 at 09:00", "0 9 15 * *"],
  ["monthly on the 1st", "? ? 1 * *"],
];

test.each(table)("I-1 the schedule %s is understood", (words, expected) => {
  const reading = scheduleToCron(words, "sweep");
  const cron = reading.kind === "cron" ? reading.cron : "not understood";
  const shown = expected.split(" ").map((part, index) => (part === "?" ? cron.split(" ")[index] : part));
  expect(cron).toBe(shown.join(" "));
  expect(cronProblem(cron)).toBeUndefined();
  expect(reading).toMatchObject({ chosen: expected.includes("?") });
});

test.each([
  "fortnightly",
  "daily at 25:00",
  "every 7 minutes",
  "every 2m",
  "every 5h",
  "weekly on someday",
  "weekly on mondays at dawn",
  "every 0h",
  "daily between 9:00 and 9:00",
  "monthly on 32",
  "monthly on 1 at 00:30 utc+9",
  "61 * * * *",
  "",
])("I-1 the schedule %j is told as not understood", (words) => {
  expect(scheduleToCron(words, "sweep")).toEqual({ kind: "unknown" });
});

const chosen = Array.from({ length: 300 }, (_, index) => `workflow-${index}`);
const minutesOf = (words: string): number[] =>
  chosen.map((name) => {
    const reading = scheduleToCron(words, name);
    const [minute, hour] = reading.kind === "cron" ? reading.cron.split(" ") : [];
    return Number(hour) * 60 + Number(minute);
  });

test.each([
  ["daily around 14:00", 13 * 60, 15 * 60],
  ["daily between 9:00 and 17:00", 9 * 60, 17 * 60 - 1],
  ["daily", 0, 24 * 60 - 1],
] as const)("I-1 the time of %s is chosen within its window, and spread over it", (words, from, until) => {
  const minutes = minutesOf(words);
  expect(minutes.every((minute) => minute >= from && minute <= until)).toBe(true);
  expect(new Set(minutes).size).toBeGreaterThan(60);
});

test("I-1 a chosen time stays the same for the same name", () => {
  expect(minutesOf("daily")).toEqual(minutesOf("daily"));
});

test("I-1 a window across midnight moves the weekday with the time", () => {
  const crons = chosen.map((name) => scheduleToCron("weekly on monday around midnight", name));
  const pairs = new Set(
    crons.map((one) => (one.kind === "cron" ? `${Number(one.cron.split(" ")[1]) > 12} ${one.cron.at(-1)}` : "")),
  );
  expect([...pairs].toSorted()).toEqual(["false 1", "true 0"]);
});

test("I-1 schedules that differ in one field become one; others cannot", () => {
  expect(joinedCron(["0 6 * * *", "0 18 * * *"])).toBe("0 6,18 * * *");
  expect(joinedCron(["0 6 * * 1", "0 18 * * 2"])).toBeUndefined();
  expect(joinedCron([])).toBeUndefined();
});
