import { expect, test } from "vitest";
import { prove } from "../../base/testing/prove.ts";
import { killMatrix, randomRunKills } from "./testing/kill-matrix.ts";
import { killScenarios } from "./testing/kill-scenarios.ts";
import { killTable } from "./testing/kill-table.ts";

/** A part of what `npm run soak` does at length, with every scenario and every point (`docs/durability.md`). */
const some = killScenarios.filter(({ name }) => /side by side/.test(name));

test.each(some)(
  "O-3 killed where it can die, $name: ends as if nothing had happened, and no finished call is made again",
  async (scenario) => {
    const row = await killMatrix(scenario, "each name", "runs");
    prove({ kills: row.kills, losses: row.lost + row.doubled + row.broken.length });
    console.log(killTable([row]));
    expect(row.broken).toEqual([]);
    expect(row).toMatchObject({ doubled: 0, lost: 0, unasked: 0 });
    expect(row.kills).toBeGreaterThan(5);
    expect(row.calls).toBeGreaterThan(row.kills);
  },
);

test("O-3 random diagrams that are killed at random points end as the interpreter says", async () => {
  const row = await randomRunKills(7, 4);
  prove({ kills: row.kills, losses: row.lost + row.doubled + row.broken.length });
  console.log(killTable([row]));
  expect(row.broken).toEqual([]);
  expect(row.kills).toBe(4);
});
