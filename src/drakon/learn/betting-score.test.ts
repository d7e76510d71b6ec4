import { expect, test } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { logFortune } from "./betting-score.ts";
import { gapIn, roundest } from "./threshold-gap.ts";

/** The share of sequences that are ever reported as worse than the tolerance, when tested after every run. */
function alarms(share: number, tolerance: number, level: number, sequences: number): number {
  const chance = seeded(11);
  let found = 0;
  for (let i = 0; i < sequences; i++) {
    let bad = 0;
    for (let all = 1; all <= 300; all++) {
      if (chance() < share) bad++;
      if (logFortune([{ tolerance, all, bad }]) < -Math.log(level)) continue;
      found++;
      break;
    }
  }
  return found / sequences;
}

test("Z-3 a share at the tolerance, tested after every run, raises no more alarms than promised", () => {
  expect(alarms(0.05, 0.05, 0.1, 150)).toBeLessThanOrEqual(0.1);
});

test("Z-3 a share above the tolerance is found", () => {
  expect(alarms(0.25, 0.05, 0.001, 20)).toBe(1);
});

test.each([
  [{ low: 38, high: 52 }, 45],
  [{ low: 5, high: 12 }, 10],
  [{ low: 68.2, high: 73.1 }, 70],
  [{ low: 3, high: 4 }, 3],
  [{ low: 0.21, high: 0.34 }, 0.3],
  [{ low: -7, high: -2 }, -5],
])("Z-3 the roundest number between %o is %d", (gap, number) => {
  expect(roundest(gap)).toBe(number);
});

test.each<["low" | "high", readonly [number, boolean][], object | undefined]>([
  [
    "low",
    [
      [1, true],
      [2, true],
      [5, false],
      [9, false],
    ],
    { low: 2, high: 5 },
  ],
  [
    "high",
    [
      [1, false],
      [2, false],
      [5, true],
      [9, true],
    ],
    { low: 2, high: 5 },
  ],
  [
    "high",
    [
      [1, true],
      [2, true],
      [5, false],
    ],
    undefined,
  ],
  [
    "low",
    [
      [4, true],
      [4, false],
    ],
    undefined,
  ],
])("Z-3 sizes that fail on the %s side, %j, are separated at %o", (side, sizes, gap) => {
  expect(
    gapIn(
      sizes.map(([size, bad]) => ({ size, bad })),
      side,
    ),
  ).toEqual(gap);
});
