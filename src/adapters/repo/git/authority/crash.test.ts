import { expect, test } from "vitest";
import { prove } from "../../../../base/testing/prove.ts";
import { environment, scratch } from "../testing/scratch.ts";
import { killSharedAtEveryPoint, killSharedAtRandom } from "../testing/shared-crash-suite.ts";

test.each([
  { title: "at each named point", run: () => killSharedAtEveryPoint({ folder: scratch, environment }) },
  {
    title: "at any moment, beside a person who commits and pushes",
    run: () => killSharedAtRandom({ folder: scratch, environment }, 5),
  },
])("G-5 processes of two clones that are killed $title lose and double nothing", async ({ run }) => {
  const report = await run();
  const { kills, acknowledged, byHand, lost, doubled, wrong } = report;
  prove({ kills, losses: lost.length + doubled.length + wrong.length });
  console.log(`two clones: ${kills} kills, ${acknowledged} acknowledged, ${byHand} by hand, ${lost.length} lost`);
  expect({ lost, doubled, wrong }).toEqual({ lost: [], doubled: [], wrong: [] });
});
