import { expect, test } from "vitest";
import { durationMs } from "./duration.ts";

const NOW = Date.parse("2026-02-14T08:00:00Z");
const MINUTE = 60_000;

test.each<[string, number | undefined]>([
  ["20 хв", 20 * MINUTE],
  ["20 хвилин", 20 * MINUTE],
  ["1 год 30 хв", 90 * MINUTE],
  ["2 h", 120 * MINUTE],
  ["1,5 години", 90 * MINUTE],
  ["90 seconds", 90_000],
  ["3 дні", 3 * 1440 * MINUTE],
  ["1 day and 2 hours", 1560 * MINUTE],
  ["1 тиждень", 7 * 1440 * MINUTE],
  ["250 ms", 250],
  ["0 s", 0],
  ["= 08:30", 30 * MINUTE],
  ["t = 07:00", 23 * 60 * MINUTE],
  ["2026-02-14T09:00:00Z", 60 * MINUTE],
  ["2026-02-13", 0],
  ["25:00", undefined],
  ["a while", undefined],
  ["20", undefined],
  ["20 min or so", undefined],
  ["900 days", undefined],
  ["", undefined],
])("O-6 a pause of %j", (text, ms) => {
  expect(durationMs(text, NOW)).toBe(ms);
});
