import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { allBenches } from "../bench/all.ts";
import { type Contender, median, runBench, turns } from "../bench/harness.ts";
import { measureScale, scaleTable } from "../bench/scale.ts";
import { table } from "../bench/table.ts";
import { isThorough } from "../src/base/testing/tries.ts";

/** Runs every bench at a size too small for timing, to check that it runs and what it measures. */
const scratch = await mkdtemp(join(tmpdir(), "bloom-bench-smoke-"));
afterAll(() => rm(scratch, { recursive: true, force: true }));

/** `npm run soak` runs all benches, `npm test` every fifth. */
const BENCHES_APART = isThorough ? 1 : 5;

describe("every bench runs", () => {
  const tiny = { rounds: 1, roundMs: 20, settle: false };
  test.each(
    allBenches({ files: 40, crowd: 3, archived: 12, commits: 30, finished: 5, install: false }, scratch)
      .filter((_, index) => index % BENCHES_APART === 0)
      .map((bench, i) => ({
        name: bench.name,
        bench,
        i,
      })),
  )("$name", async ({ bench, i }) => {
    const rows = await runBench(bench, tiny, join(scratch, String(i)), () => undefined);
    expect(rows).toHaveLength(bench.rivals.length);
    for (const row of rows) {
      expect(row).toEqual({
        name: bench.name,
        ours: expect.any(Number),
        rival: expect.any(String),
        theirs: expect.any(Number),
        ratio: expect.any(Number),
        unit: bench.unit,
        samples: 1,
      });
      expect(Math.min(row.ours, row.theirs, row.ratio)).toBeGreaterThan(0);
    }
  });
});

test("O-10 the bench of scale counts requests of proposals and of runs by a worker process", async () => {
  const size = { workers: [1], runs: 2, delay: [0, 1] } as const;
  const rows = await measureScale(scratch, size, () => undefined);
  expect(rows.map(({ requests, perSecond }) => [requests > 0, perSecond !== undefined])).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [true, true],
  ]);
  expect(scaleTable(rows, size.delay).split("\n")).toHaveLength(5);
});

const waiting = (name: string, ms: number, restMs = 0): Contender => ({
  name,
  open: async () => ({
    once: () => slept(ms),
    rest: () => slept(restMs),
    close: async () => undefined,
  }),
});
const compare = (ours: Contender, rival: Contender, untilRest = false) =>
  runBench(
    { name: "waiting", unit: "waits/s", workers: 2, untilRest, ours, rivals: [rival] },
    { rounds: 3, roundMs: 60, settle: false },
    join(scratch, "waiting"),
    () => undefined,
  );

describe("the harness", () => {
  test("gives a ratio above 1 when ours is faster", async () => {
    const [row] = await compare(waiting("quick", 4), waiting("slow", 12));
    expect(row!.ratio).toBeGreaterThan(1);
    expect(row!.ours).toBeGreaterThan(row!.theirs);
  });

  test("includes the rest time on request", async () => {
    const [row] = await compare(waiting("puts off", 4, 120), waiting("does at once", 4), true);
    expect(row!.ratio).toBeLessThan(0.95);
  });

  test("gives a ratio above 1 when ours takes less time, and ends a round without work", async () => {
    let left = 0;
    const stocked: Contender = {
      name: "quick",
      open: async () => ({
        ready: async () => void (left = 3),
        once: async () => (left-- > 0 ? slept(2) : "spent"),
        close: async () => undefined,
      }),
    };
    const [row] = await runBench(
      { name: "waiting", unit: "ms", workers: 1, latency: true, ours: stocked, rivals: [waiting("slow", 20)] },
      { rounds: 3, roundMs: 60, settle: false },
      join(scratch, "latency"),
      () => undefined,
    );
    expect(row!.ratio).toBeGreaterThan(1);
    expect(row!.ours).toBeLessThan(row!.theirs);
  });

  test("rotates the order of the contenders", () => {
    expect([0, 1, 2, 3, 4, 5].map((round) => turns(3, round))).toEqual([
      [0, 1, 2],
      [1, 0, 2],
      [1, 2, 0],
      [2, 1, 0],
      [2, 0, 1],
      [0, 2, 1],
    ]);
  });

  test("takes the median", () => {
    expect({ odd: median([3, 1, 2]), even: median([4, 1, 2, 3]) }).toEqual({ odd: 2, even: 2.5 });
  });

  test("prints one line per rival", () => {
    const row = { name: "a", ours: 10, rival: "b", theirs: 20, ratio: 0.5, unit: "x/s", samples: 3 };
    expect(table([row, { ...row, rival: "long c", theirs: 4, ratio: 2.5 }])).toBe(
      [
        "a: 10 x/s (median of 3 rounds)",
        "  b              20   ours is 50 % of that",
        "  long c          4   ours is 2.5 times that",
      ].join("\n"),
    );
  });
});

const slept = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
