import { describe, expect, test } from "vitest";
import { reasonsToSuggest, sharedSteps, signTest } from "./suggestion-rules.ts";

const counts = (good: number, bad: number) => ({ runs: good + bad, failed: bad, good, bad });
const replay = (same: number, better: number, worse: number, unknown: number) => ({ same, better, worse, unknown });
const settings = { enough: 30, confidence: 0.95 };

describe("S-9b the rules of a suggestion", () => {
  const cases = [
    ["intervals that do not overlap", counts(301, 11), counts(30, 20), undefined, ["figures"]],
    ["intervals that overlap", counts(301, 11), counts(38, 2), undefined, []],
    ["too few judged runs of theirs", counts(29, 0), counts(10, 30), undefined, []],
    ["too few judged runs of ours", counts(300, 0), counts(0, 29), undefined, []],
    ["no runs at all", counts(0, 0), counts(0, 0), undefined, []],
    ["a replay that is better beyond chance", counts(0, 0), counts(0, 0), replay(30, 6, 0, 4), ["replay"]],
    ["a replay whose difference may be chance", counts(0, 0), counts(0, 0), replay(30, 5, 0, 4), []],
    ["a replay that tells little", counts(0, 0), counts(0, 0), replay(1, 6, 0, 8), []],
    ["figures that the replay contradicts", counts(301, 11), counts(30, 20), replay(30, 1, 4, 0), []],
    ["both", counts(301, 11), counts(30, 20), replay(30, 9, 1, 0), ["figures", "replay"]],
  ] as const;
  test.each(cases)("%s", (_, theirs, ours, replayed, reasons) => {
    expect(reasonsToSuggest({ theirs, ours, replay: replayed }, settings)).toEqual(reasons);
  });

  test("the sign test is exact, and holds for long records", () => {
    const [five, none, long] = [signTest(5, 0), signTest(3, 3), signTest(3000, 2000)];
    expect([five, none]).toEqual([0.0625, 1]);
    expect(long > 0 && long < 1e-40).toBe(true);
  });

  test("equal steps are paired once", () => {
    expect([
      sharedSteps(["a", "a", "b"], ["a", "b", "c", "d"]),
      sharedSteps([], []),
      sharedSteps(["a"], ["a"]),
    ]).toEqual([0.5, 0, 1]);
  });
});
