import { expect, test } from "vitest";
import { killAtEveryPoint, killAtRandom } from "../src/adapters/repo/git/testing/crash-suite.ts";
import { environment, scratch } from "../src/adapters/repo/git/testing/scratch.ts";
import { killSharedAt, killSharedAtRandom } from "../src/adapters/repo/git/testing/shared-crash-suite.ts";
import { race, randomKills } from "../src/adapters/store/dir/testing/kills.ts";
import { powerLossSuite } from "../src/adapters/store/dir/testing/power-loss.ts";
import { applyBesideHands } from "../src/garden/changes/apply/testing/beside-hands.ts";
import { crashMatrix, matrixTable } from "../src/garden/changes/apply/testing/crash-matrix.ts";
import { followModel } from "../src/garden/changes/apply/testing/model.ts";
import { scenarios } from "../src/garden/changes/apply/testing/scenarios.ts";
import { verifyBesideWork } from "../src/garden/insight/verify/testing/busy-garden.ts";
import { killMatrix, randomRunKills } from "../src/garden/runs/testing/kill-matrix.ts";
import { killScenarios } from "../src/garden/runs/testing/kill-scenarios.ts";
import { type KillRow, killTable } from "../src/garden/runs/testing/kill-table.ts";
import { gcBesideSessions } from "../src/garden/sessions/testing/gc-beside-work.ts";

/** The crash and race suites for longer than a test may take. Every round has another seed. */
const rounds = Number(process.env.BLOOM_SOAK_ROUNDS ?? "1");

/** N31: ten minutes, of all rounds together. */
async function sessionsBesideGc(): Promise<object> {
  const done = await gcBesideSessions(600_000 / rounds);
  expect([done.withoutTrace, done.findings, done.fsck]).toEqual([0, [], ""]);
  return done;
}

const suites: readonly { name: string; run: (seed: number) => Promise<object> }[] = [
  { name: "the store, killed at random", run: (seed) => randomKills(seed, 100) },
  { name: "the store, raced for by 8 processes that are killed", run: (seed) => race(seed, 8, 30) },
  { name: "the store, its power cut", run: (seed) => powerLossSuite(seed, 500) },
  {
    name: "the repo, killed at every named point",
    run: () => killAtEveryPoint({ folder: scratch, environment }, [1, 5]),
  },
  { name: "the repo, killed at random", run: () => killAtRandom({ folder: scratch, environment }, 200) },
  {
    name: "two clones of one remote, killed at every named point",
    run: () => killSharedAt({ folder: scratch, environment }),
  },
  {
    name: "two clones of one remote, two processes each, beside a person who commits and pushes, killed at random",
    run: () => killSharedAtRandom({ folder: scratch, environment }, 200),
  },
  { name: "sessions at work beside git gc and maintenance", run: () => sessionsBesideGc() },
  { name: "a random life with crashes and hands in it", run: (seed) => followModel(seed, 300, 6) },
  {
    name: "verify and its repair beside a garden at work",
    run: () => verifyBesideWork({ proposals: 500, looks: 30 }),
  },
  {
    name: "applying beside a person who commits all the time, killed at random",
    run: (seed) => applyBesideHands(seed, { applies: 2000, kills: 200, bigBytes: 20_000_000, editorMs: 800 }),
  },
  { name: "applying, every action killed at every point", run: () => everyActionKilled() },
  ...killScenarios.map((scenario) => ({
    name: `runs, killed at every point: ${scenario.name}`,
    run: () => told(killMatrix(scenario, "every", "all")),
  })),
  { name: "runs over random diagrams, killed at random", run: (seed) => told(randomRunKills(seed, 1000)) },
];

const runRows: KillRow[] = [];
const table = Array.from({ length: rounds }, (_, i) => suites.map((suite) => ({ ...suite, seed: 1000 + i }))).flat();

test.each(table)("$name loses nothing (seed $seed)", { timeout: 0 }, async ({ name, run, seed }) => {
  const report = Object.entries(await run(seed)) as [string, number | string | readonly string[]][];
  const counts = report.flatMap(([what, value]) => (typeof value === "number" ? [`${value} ${what}`] : []));
  console.log(`${name}: ${counts.join(", ")}`);
  expect(report.flatMap(([, value]) => (Array.isArray(value) ? (value as readonly string[]) : []))).toEqual([]);
});

async function everyActionKilled(): Promise<object> {
  const rows = [];
  for (const scenario of scenarios) rows.push(await crashMatrix(scenario, "all"));
  console.log(matrixTable(rows));
  return { kills: rows.reduce((sum, { kills }) => sum + kills, 0), broken: rows.flatMap(({ broken }) => broken) };
}

/** The rows of the table in `docs/durability.md`, as they come. */
async function told(row: Promise<KillRow>): Promise<object> {
  runRows.push(await row);
  console.log(killTable(runRows));
  return { ...(await row) };
}
