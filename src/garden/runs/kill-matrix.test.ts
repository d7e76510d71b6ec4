import { expect, test } from "vitest";
import { killMatrix, killTable, randomRunKills } from "./testing/kill-matrix.ts";
import { scenarioNamed } from "./testing/kill-scenarios.ts";

/** A part of what `npm run soak` does at length, with every scenario and every point. */
test("O-3 killed where it can die, a run ends as if nothing had happened, and no finished call is made again", async () => {
  const row = await killMatrix(scenarioNamed("flow: icons side by side, a retry, a hold"), "each name", "runs");
  console.log(killTable([row]));
  expect(row.broken).toEqual([]);
  expect([row.doubled, row.lost, row.kills > 8, row.calls > row.kills]).toEqual([0, 0, true, true]);
}, 600_000);

test("O-3 a random diagram, killed at random, comes to what was drawn", async () => {
  const row = await randomRunKills(7, 2);
  expect(row.broken).toEqual([]);
  expect(row.kills).toBeGreaterThan(0);
}, 600_000);
