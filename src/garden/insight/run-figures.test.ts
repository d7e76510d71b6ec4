import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { contractKey } from "../../domain/layout.ts";
import { contractText } from "../agents/testing/contract-text.ts";
import { finishedRun } from "../records/logic/testing/agent.ts";
import { gardenWith } from "../testing/scratch.ts";
import { runFigures } from "./run-figures.ts";

const SETTINGS =
  "schedule: { timezone: Europe/Kyiv }\nprices: { currency: EUR, models: { bloom/follower: { input: 10, output: 0 } } }\n";

test("U-1 figures count the runs of the last days in the garden's zone, with their costs and the success of all time", async () => {
  const { garden, dir } = await gardenWith({});
  appendFileSync(join(dir, "garden.yaml"), SETTINGS);
  await garden.store.create(contractKey("bee"), Buffer.from(contractText("bee")));
  await finishedRun(garden, "bee", "run_2025-06-01_080000_aaaaaa", { logic: "v001" });
  await finishedRun(garden, "bee", "run_2026-02-13_080000_bbbbbb", { logic: "v002", tokens: 1000 });
  await finishedRun(garden, "bee", "run_2026-02-13_080100_cccccc", { logic: "v002", failed: true, tokens: 3000 });
  const { days, agents, versions, models, currency } = await runFigures(garden, { days: 3 });
  const [bee] = agents;
  expect({ days, currency, runs: bee?.runs, cost: bee?.cost, last: bee?.last?.run_id }).toEqual({
    days: ["2026-02-12", "2026-02-13", "2026-02-14"],
    currency: "EUR",
    runs: 2,
    cost: 0.04,
    last: "run_2026-02-13_080100_cccccc",
  });
  expect(bee?.days[1]).toEqual({ day: "2026-02-13", completed: 1, failed: 1, cancelled: 0, open: 0, cost: 0.04 });
  expect(bee?.success).toMatchObject({ hits: 2, of: 3 });
  expect(versions).toEqual([
    { slug: "bee", version: "v002", runs: 2, median: 0.03, low: 0.01, high: 0.03, total: 0.04 },
  ]);
  expect(models).toEqual([{ model: "bloom/follower", runs: 2, tokens: 4000, cost: 0.04 }]);
});
