import { describe, expect, test } from "vitest";
import { type CountedRun, differenceOfRates, figuresOf, trendOf } from "./logic-figures.ts";

const runs = (completed: number, failed: number, cancelled = 0): CountedRun[] =>
  [
    ...Array.from({ length: completed }, () => "completed" as const),
    ...Array.from({ length: failed }, () => "failed" as const),
    ...Array.from({ length: cancelled }, () => "cancelled" as const),
  ].map((status) => ({ status, tokens_used: { input: 100, output: 20 }, logic_version: "v001" }));

describe("L-5 figures of a version", () => {
  test("are null without runs, never zero", () => {
    expect(figuresOf(runs(0, 0, 3))).toEqual({ success_rate: null, avg_tokens: null, error_rate: null, totalRuns: 0 });
  });

  test("count runs that ended by themselves", () => {
    expect(figuresOf(runs(3, 1, 5))).toEqual({ success_rate: 0.75, avg_tokens: 120, error_rate: 0.25, totalRuns: 4 });
  });
});

describe("L-5a a difference of rates", () => {
  test.each([
    [{ successes: 48, runs: 80 }, { successes: 56, runs: 70 }, 0.0524, 0.3339],
    [{ successes: 3, runs: 10 }, { successes: 9, runs: 10 }, 0.1705, 0.809],
    [{ successes: 0, runs: 10 }, { successes: 10, runs: 10 }, 0.6075, 1],
  ])("%j → %j has the interval of Newcombe's table", (before, after, low, high) => {
    const found = differenceOfRates(before, after);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  test.each([
    ["one version", { v001: runs(100, 0) }, "unknown"],
    ["too few runs of the newest", { v001: runs(100, 100), v002: runs(29, 0) }, "unknown"],
    ["better", { v001: runs(87, 13), v002: runs(140, 3) }, "improving"],
    ["worse", { v001: runs(140, 3), v002: runs(60, 40) }, "declining"],
    ["a difference that may be chance", { v001: runs(27, 3), v002: runs(29, 1) }, "stable"],
  ])("%s", (_, versions, trend) => {
    const figures = new Map(Object.entries(versions).map(([name, list]) => [name, figuresOf(list)]));
    expect(trendOf(figures).trend).toBe(trend);
  });
});
