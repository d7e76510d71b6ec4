import { expect, test } from "vitest";
import { prove } from "../../../../base/testing/prove.ts";
import { environment, scratch } from "../testing/scratch.ts";
import { killSharedAt } from "../testing/shared-crash-suite.ts";

/** All points, and random moments beside a person who commits and pushes, are in `npm run soak`. */
test("G-5 a process killed between the push and its own main loses and doubles nothing beside another machine", async () => {
  const points = ["repo.remote.pushed", "repo.follow.after-index"] as const;
  const { kills, acknowledged, lost, doubled, wrong } = await killSharedAt({ folder: scratch, environment }, points);
  prove({ kills, losses: lost.length + doubled.length + wrong.length });
  console.log(`two clones: ${kills} kills, ${acknowledged} acknowledged, ${lost.length} lost`);
  expect({ lost, doubled, wrong }).toEqual({ lost: [], doubled: [], wrong: [] });
});
