import { expect, test } from "vitest";
import { contractKey } from "../../../domain/layout.ts";
import { behaviourRates } from "../../../domain/library/behaviour-figures.ts";
import { commitSession } from "../../sessions/commit-session.ts";
import { spawnSession } from "../../sessions/spawn-session.ts";
import { gardenWith, git } from "../../testing/scratch.ts";
import { decided, endedRun, madeProposal } from "../learning/testing/counted-runs.ts";
import { ownBehaviourStatistics } from "./own-statistics.ts";

const FIRST = "a".repeat(40);
const SECOND = "b".repeat(40);

test("S-9 S-9a runs of all agents are grouped by behaviour id, with models and temperatures beside", async () => {
  const { garden } = await gardenWith();
  for (const slug of ["archivist", "tagger"]) await garden.store.create(contractKey(slug), Buffer.from("---\n---\n"));
  for (const [slug, of] of [
    ["archivist", { behaviour_id: FIRST, temperature: 0.3 }],
    ["archivist", { behaviour_id: FIRST, temperature: 0.3, status: "failed" }],
    ["archivist", { behaviour_id: SECOND, logic_version: "v002" }],
    ["tagger", { behaviour_id: FIRST, logic_version: "v007", model_used: "a/big model", temperature: 0.7 }],
    ["tagger", { behaviour_id: null }],
  ] as const)
    await endedRun(garden, slug, of);
  const run = "run_2026-02-14_090000_abc123";
  const proposal = await madeProposal(garden, "tagger", run);
  await endedRun(garden, "tagger", { run, behaviour_id: SECOND, proposals: [proposal.id] });
  await decided(garden, proposal, "rejected");
  const follower = { model: "bloom/follower", temperature: null };
  expect(await ownBehaviourStatistics(garden)).toEqual([
    {
      behaviour: FIRST,
      garden: null,
      runs: 3,
      failed: 1,
      good: 2,
      bad: 1,
      tokens: 300,
      models: [
        { ...follower, temperature: 0.3, runs: 2, failed: 1, good: 1, bad: 1 },
        { model: "a/big model", temperature: 0.7, runs: 1, failed: 0, good: 1, bad: 0 },
      ],
      agents: ["archivist", "tagger"],
      commits: {},
      sessions: 0,
    },
    {
      behaviour: SECOND,
      garden: null,
      runs: 2,
      failed: 0,
      good: 1,
      bad: 1,
      tokens: 200,
      models: [{ ...follower, runs: 2, failed: 0, good: 1, bad: 1 }],
      agents: ["archivist", "tagger"],
      commits: {},
      sessions: 0,
    },
  ]);
});

test("S-9 the commits of sessions count for the behaviour that made them; a copy on main does not", async () => {
  const { garden, dir } = await gardenWith();
  for (const [name, behaviour] of [
    ["scout", FIRST],
    ["scribe", SECOND],
  ] as const) {
    const spawned = await spawnSession(garden, { name, briefing: { goal: "Look" }, behaviour });
    if (spawned.kind !== "spawned") throw new Error(spawned.kind);
    await commitSession(garden, name, {
      expect: spawned.commit,
      kind: "finding",
      message: `Found by ${name}`,
      tree: { edits: [] },
    });
  }
  git(dir, "cherry-pick", "--allow-empty", "agents/scout");
  const counts = (await ownBehaviourStatistics(garden)).map(({ behaviour, commits, sessions }) => ({
    behaviour,
    commits,
    sessions,
  }));
  expect(counts).toEqual([
    { behaviour: FIRST, commits: { finding: 1, spawn: 1 }, sessions: 1 },
    { behaviour: SECOND, commits: { finding: 1, spawn: 1 }, sessions: 1 },
  ]);
});

test("S-9 the rates of a behaviour have Wilson's interval, and none without a run", () => {
  expect([
    behaviourRates({ runs: 312, failed: 4, good: 301, bad: 11 }),
    behaviourRates({ runs: 0, failed: 0, good: 0, bad: 0 }),
  ]).toEqual([
    {
      success_rate: 0.9872,
      success_interval: { low: 0.9675, high: 0.995 },
      good_rate: 0.9647,
      good_interval: { low: 0.938, high: 0.9802 },
      judgedRuns: 312,
    },
    { success_rate: null, success_interval: null, good_rate: null, good_interval: null, judgedRuns: 0 },
  ]);
});
