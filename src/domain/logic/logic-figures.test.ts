import { describe, expect, test } from "vitest";
import { NO_RUNS, type RunSum } from "../run/run-tally.ts";
import { compareVersions, figuresOf, trendOf } from "./logic-figures.ts";
import { deviations, differenceOfRates, rateInterval } from "./rate-interval.ts";

const runs = (completed: number, failed: number, over: Partial<RunSum> = {}): RunSum => ({
  ...NO_RUNS,
  runs: completed + failed,
  failed,
  good: completed,
  bad: failed,
  tokens: 120 * (completed + failed),
  ...over,
});

describe("L-5 figures of a version", () => {
  test("figures are null without runs, never zero", () => {
    expect(figuresOf(NO_RUNS)).toMatchObject({
      success_rate: null,
      avg_tokens: null,
      error_rate: null,
      totalRuns: 0,
      success_interval: null,
      good_rate: null,
      acceptance_rate: null,
    });
  });

  test("figures give the success of runs, and L-4a people's decisions, each with its sample and interval", () => {
    const sum = runs(3, 1, {
      good: 1,
      bad: 2,
      accepted: 2,
      edited: 1,
      rejected: 1,
      reverted: 1,
      waiting: 1,
      expired: 1,
    });
    expect(figuresOf(sum)).toEqual({
      success_rate: 0.75,
      avg_tokens: 120,
      error_rate: 0.25,
      totalRuns: 4,
      success_interval: { low: 0.3006, high: 0.9544 },
      avg_ms: 0,
      judgedRuns: 3,
      good_rate: 0.3333,
      good_interval: { low: 0.0615, high: 0.7923 },
      proposals: { accepted: 2, edited: 1, rejected: 1, reverted: 1, open: 2 },
      acceptance_rate: 0.6,
      acceptance_interval: { low: 0.2307, high: 0.8824 },
    });
  });
});

describe("L-5a intervals", () => {
  test.each([
    [0.5, 0.674489750196082],
    [0.95, 1.959963984540054],
    [0.99, 2.575829303548901],
    [0.9999, 3.890591886413124],
  ])("%d of a normal distribution lies within so many deviations", (confidence, z) => {
    expect(deviations(confidence)).toBeCloseTo(z, 8);
  });

  test.each([
    [{ hits: 81, of: 263 }, 0.2553, 0.3662],
    [{ hits: 15, of: 148 }, 0.0624, 0.1605],
    [{ hits: 0, of: 20 }, 0, 0.1611],
    [{ hits: 1, of: 29 }, 0.0061, 0.1718],
  ])("%j has Wilson's interval in Newcombe's table", (rate, low, high) => {
    const found = rateInterval(rate);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });

  test.each([
    [{ hits: 48, of: 80 }, { hits: 56, of: 70 }, 0.0524, 0.3339],
    [{ hits: 3, of: 10 }, { hits: 9, of: 10 }, 0.1705, 0.809],
    [{ hits: 0, of: 10 }, { hits: 10, of: 10 }, 0.6075, 1],
  ])("%j → %j has the interval of Newcombe's table", (before, after, low, high) => {
    const found = differenceOfRates(before, after);
    expect(found.low).toBeCloseTo(low, 4);
    expect(found.high).toBeCloseTo(high, 4);
  });
});

describe("L-5, L-5a a claim of better or worse", () => {
  const undecided = { good: 0, bad: 0, waiting: 100 };
  const half = { good: 50, bad: 50, rejected: 50 };
  test.each<[string, RunSum, RunSum, string, string?]>([
    ["too few runs of the newest version: unknown", runs(100, 100), runs(29, 0), "unknown"],
    ["too few runs of the version before: unknown", runs(29, 0), runs(100, 100), "unknown"],
    ["a higher rate: improving", runs(87, 13), runs(140, 3), "improving", "good_rate"],
    ["a lower rate: declining", runs(140, 3), runs(60, 40), "declining", "good_rate"],
    ["a difference that may be chance: stable", runs(27, 3), runs(29, 1), "stable", "good_rate"],
    [
      "all runs complete, and people reject half: declining",
      runs(100, 0),
      runs(100, 0, half),
      "declining",
      "good_rate",
    ],
    [
      "no decisions yet: the success of runs counts",
      runs(60, 40),
      runs(100, 0, undecided),
      "improving",
      "success_rate",
    ],
  ])("%s", (_, before, after, trend, metric) => {
    const found = compareVersions(["v001", before], ["v002", after]);
    expect({ trend: trendOf(found).trend, metric: found?.metric }).toEqual({ trend, metric });
  });

  test("a higher confidence claims less, and the owner's number of runs suffices", () => {
    const [before, after] = [["v001", runs(27, 13)] as const, ["v002", runs(36, 4)] as const];
    const compared = (enough: number, confidence: number) => compareVersions(before, after, { enough, confidence });
    expect({
      usual: compared(30, 0.95)?.verdict,
      strict: compared(30, 0.999)?.verdict,
      tooFewRuns: compared(41, 0.95),
    }).toEqual({ usual: "better", strict: "alike", tooFewRuns: undefined });
  });
});
