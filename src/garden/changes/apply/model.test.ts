import { expect, test } from "vitest";
import { isThorough } from "../../../base/testing/tries.ts";
import { followModel } from "./testing/model.ts";

const STEPS = 32;
/** `npm run soak` takes more steps, and kills more often. */
const CHILD_EVERY = 8;

test.each(isThorough ? [1, 2] : [1])(
  "P-6 P-7 G-5 random actions with crashes and hand edits lose and duplicate nothing (seed %i)",
  async (seed) => {
    const { broken, ...counts } = await followModel(seed, STEPS, CHILD_EVERY);
    console.log(
      `seed ${seed}: ${Object.entries(counts)
        .map(([what, count]) => `${count} ${what}`)
        .join(", ")}`,
    );
    expect(broken).toEqual([]);
  },
);
