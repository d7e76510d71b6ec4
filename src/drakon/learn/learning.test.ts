import { expect, test } from "vitest";
import { agentOf } from "../../../bench/learning/agent.ts";
import { measureFaulty, measureHealthy } from "../../../bench/learning/measure.ts";
import { reportOf, tableOf } from "../../../bench/learning/report.ts";

/** The benchmark of learning (`npm run bench:learning`), small: every kind of fault once or twice. */
const SEED = 3;

test("Z-3 L-8 planted faults are found and repaired, and counterfactuals are right", () => {
  const measured = Array.from({ length: 10 }, (_, n) => measureFaulty(agentOf(SEED, n), { fresh: 100, twins: 40 }));
  const report = reportOf(SEED, measured, { agents: 0, runs: 0, alarms: 0 }, []);
  expect(report).toMatchObject({ agents: 10, located: 1, counterfactualRight: 1 });
  expect(report.repaired).toBeGreaterThanOrEqual(0.8);
  expect(report.claims).toBeGreaterThan(100);
  expect(tableOf(measured).split("\n").at(-1)).toMatch(/^ALL +10 /);
});

test("Z-3 healthy agents raise no alarm, even if they are tested after every run", () => {
  expect([0, 1, 2, 3].map((n) => measureHealthy(agentOf(SEED, n), 100).alarmAt)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
