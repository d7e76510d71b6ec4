import { expect, test } from "vitest";
import { prove } from "../../base/testing/prove.ts";
import { killMatrix, randomRunKills } from "./testing/kill-matrix.ts";
import { killScenarios } from "./testing/kill-scenarios.ts";
import { killTable } from "./testing/kill-table.ts";

/** A part of `npm run soak`, which runs every scenario with every crash point (`docs/durability.md`). */
const some = killScenarios.filter(({ name }) => /side by side/.test(name));

test.each(some)(
  "O-3 a run that is killed at its crash points ($name) ends the same, and repeats no finished call",
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

test("O-3 runs of random diagrams that are killed at random points end as the interpreter predicts", async () => {
  const row = await randomRunKills(7, 4);
  prove({ kills: row.kills, losses: row.lost + row.doubled + row.broken.length });
  console.log(killTable([row]));
  expect(row.broken).toEqual([]);
  expect(row.kills).toBe(4);
});
