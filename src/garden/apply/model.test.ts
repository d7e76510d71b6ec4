import { expect, test } from "vitest";
import { followModel } from "./testing/model.ts";

const STEPS = 60;

test.each([1, 2, 3])(
  "P-7 G-5 random life with crashes and hands in it: nothing lost, nothing doubled (seed %i)",
  async (seed) => {
    const { broken, ...counts } = await followModel(seed, STEPS);
    console.log(
      `seed ${seed}: ${Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(", ")}`,
    );
    expect(broken).toEqual([]);
  },
  120_000,
);
