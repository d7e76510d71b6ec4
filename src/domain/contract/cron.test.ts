import { expect, test } from "vitest";
import { cronProblem } from "./cron.ts";

test.each([
  "0 8 * * 1-5",
  "0 8 * * 1",
  "*/5 * * * *",
  "0,30 9-17/2 1,15 jan-mar MON,wed",
  "59 23 31 12 7",
  "0 0 29 2 *",
  "0 0 30 2 1",
  "5/10 0 * * *",
  "  0\t8 * * *  ",
])("source 001 §2.2: %s is a schedule", (text) => expect(cronProblem(text)).toBeUndefined());

test.each([
  ["", "five fields"],
  ["0 8 * *", "five fields"],
  ["@daily", "five fields"],
  ["0 8 * * 1-5 2026", "five fields"],
  ["0 8 * * понеділок", "five fields"],
  ["60 8 * * *", "minute"],
  ["0 24 * * *", "hour"],
  ["0 8 0 * *", "day of the month"],
  ["0 8 32 * *", "day of the month"],
  ["0 8 * 13 *", "month 1–12"],
  ["0 8 * * 8", "day of the week"],
  ["0 8 * * fr", "day of the week"],
  ["5-1 * * * *", "minute"],
  ["*/0 * * * *", "minute"],
  ["1,,2 * * * *", "minute"],
  ["-1 * * * *", "minute"],
  ["* * * mon *", "month"],
  ["0 0 31 4,6 *", "never runs"],
])("%j is not a schedule, and the message says why: %s", (text, why) => expect(cronProblem(text)?.en).toContain(why));
