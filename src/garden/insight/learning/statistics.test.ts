import { expect, test } from "vitest";
import { scriptedModel } from "../../../adapters/runtime/testing/scripted-model.ts";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { fixedWorld } from "../../../base/testing/fixed-world.ts";
import { commandLineOwner } from "../../../domain/identity.ts";
import { keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import { sampleRun } from "../../core/flow/testing/sample-run.ts";
import { closeFound, findGarden, type Garden } from "../../core/garden.ts";
import { readLogicState } from "../../records/logic/logic-state.ts";
import { settleEndedRun } from "../../runs/end-run.ts";
import { forkRun } from "../../runs/fork.ts";
import { activeAgent, ENDING, live, portsWith, requestedRun } from "../../runs/testing/agent-ground.ts";
import { closed, files, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { verifyGarden } from "../verify/verify.ts";
import { logicPerformance } from "./logic-performance.ts";
import { recordStatistics } from "./statistics.ts";
import { markRun } from "./tally.ts";
import { endedRun } from "./testing/counted-runs.ts";

const SLUG = "archivist";

/** Two runs that end well and one that does not, and a fork of the first, each settled as the engine does it. */
async function counted() {
  const made = await gardenWith();
  const { garden } = made;
  await activeAgent(garden, SLUG, { model: "claude-sonnet-4-5-20250929" });
  const run = async (text: string, place = requestedRun(garden, SLUG)): Promise<string> => {
    const at = await place;
    await live(garden, at, portsWith(scriptedModel([{ text }])));
    await settleEndedRun({ ...ENDING, garden }, at);
    return at.run;
  };
  const first = await run("NOOP: one");
  await run("NOOP: two");
  await run("nothing to say");
  const fork = await forkRun(garden, { place: { slug: SLUG, run: first }, at: 1, by: commandLineOwner });
  await run("", Promise.resolve({ slug: SLUG, run: fork.run_id }));
  return { ...made, run, first };
}

const figures = async (garden: Garden): Promise<unknown[]> => {
  const { meta } = await readLogicState(garden.repo, (await garden.repo.resolve(MAIN_REF))!, SLUG);
  return [meta.runsOnThisVersion, meta.successRate, meta.avgTokensPerRun];
};

async function findingsIn(dir: string, repair = false): Promise<string[]> {
  const found = await findGarden(testPorts(fixedWorld("2026-02-14T11:00:00Z", 1000)), dir);
  try {
    const findings = await verifyGarden(found);
    if (repair) for (const finding of findings) await finding.repair?.();
    return findings.map(({ check, where }) => `${check} ${where}`);
  } finally {
    await closeFound(found);
  }
}

test("L-4, P-8a statistics of runs are written in one commit, equal to the runs, and once", async () => {
  const { garden, dir } = await counted();
  const before = git(dir, "rev-list", "--count", "main");
  expect(await figures(garden)).toEqual([0, null, null]);
  await recordStatistics(garden);
  expect(await figures(garden)).toEqual([3, 0.6667, 15]);
  const said = (await logicPerformance(garden, { slug: SLUG })).versions["v001" as never];
  expect(said).toMatchObject({ totalRuns: 3, success_rate: 0.6667, avg_tokens: 15 });
  expect(await recordStatistics(garden)).toBeUndefined();
  expect(Number(git(dir, "rev-list", "--count", "main"))).toBe(Number(before) + 1);
  expect(git(dir, "log", "-1", "--format=%B")).toBe("statistics: archivist\n\nBookkeeping: statistics");
  expect((await garden.store.list(keys.recounts)).entries).toEqual([]);
});

test("L-4 verify accepts outdated statistics, and reports statistics that do not come from runs", async () => {
  const made = await counted();
  const { garden, dir, run } = made;
  await recordStatistics(garden);
  await run("NOOP: not counted yet");
  await closed(made);
  expect(await findingsIn(dir)).toEqual([]);
  const path = logicPath.current(SLUG, "meta");
  const meta = git(dir, "show", `main:${path}`);
  files(dir, { [path]: `${meta.replace("0.6667", "0.9")}\n` });
  git(dir, "commit", "-qam", "Shine");
  expect(await findingsIn(dir)).toEqual([`statistics ${path}`]);
});

test("P-8a verify reports a commit of statistics that changes anything else", async () => {
  const made = await counted();
  const { garden, dir } = made;
  const head = (await garden.repo.resolve(MAIN_REF))!;
  const path = logicPath.current(SLUG, "meta");
  const meta = git(dir, "show", `main:${path}`).replace('"sourceProposal": "', '"sourceProposal": "x');
  const signature = { name: "Garden Bloom", email: "gateway@garden.invalid", at: 1_771_056_000_000 };
  const forged = await garden.repo.build({
    parents: [head],
    edits: [{ path, bytes: Buffer.from(`${meta}\n`) }],
    author: signature,
    committer: signature,
    message: "statistics: archivist",
    trailers: [["Bookkeeping", "statistics"]],
  });
  await garden.repo.move([{ ref: MAIN_REF, from: head, to: forged }]);
  await closed(made);
  expect(await findingsIn(dir)).toEqual([`bookkeeping ${forged}`]);
});

test("L-4 runs of an agent without versions make no commit", async () => {
  const { garden, dir } = await gardenWith();
  await sampleRun(garden, { slug: "nobody" });
  await markRun(garden.store, "nobody", "run_2026-02-14_080000_abc123", "end");
  const before = git(dir, "rev-parse", "main");
  expect({ recorded: await recordStatistics(garden), main: git(dir, "rev-parse", "main") }).toEqual({
    recorded: undefined,
    main: before,
  });
});

const edits: readonly [string, (meta: string) => string | undefined][] = [
  ["edited by hand", (meta) => meta.replace("0.6667", "0.9")],
  ["cut off", (meta) => meta.slice(0, 60)],
  ["replaced with another agent's", (meta) => meta.replace('"archivist"', '"gardener"')],
  ["deleted", () => undefined],
];

test.each(edits)("L-4 a meta file that was %s is detected without a new run and rebuilt", async (_, edit) => {
  const made = await counted();
  const { garden, dir } = made;
  await recordStatistics(garden);
  const path = logicPath.current(SLUG, "meta");
  const before = git(dir, "show", `main:${path}`);
  const text = edit(before);
  if (text === undefined) git(dir, "rm", "-q", path);
  else files(dir, { [path]: `${text}\n` });
  git(dir, "commit", "-qam", "Hands");
  expect(await recordStatistics(garden)).toBeDefined();
  expect(git(dir, "show", `main:${path}`)).toBe(before);
  expect(await recordStatistics(garden)).toBeUndefined();
  await closed(made);
  expect(await findingsIn(dir)).toEqual([]);
});

test("L-4 a counted run that was deleted is reported by name, and a repair removes it from the count", async () => {
  const made = await counted();
  const { garden, dir, first } = made;
  await recordStatistics(garden);
  for (const { key } of (await garden.store.list(`${keys.runs(SLUG)}${first}/`)).entries)
    await garden.store.remove(key, (await garden.store.get(key))!.hash);
  await closed(made);
  const gone = `statistics store:${keys.runs(SLUG)}${first}`;
  expect(await findingsIn(dir, true)).toEqual([gone]);
  expect(await findingsIn(dir)).toEqual([]);
  expect(JSON.parse(git(dir, "show", `main:${logicPath.current(SLUG, "meta")}`))).toMatchObject({
    runsOnThisVersion: 2,
    successRate: 0.5,
  });
});

test("L-4 statistics are written once, wherever the process is killed", async () => {
  const { garden, dir } = await gardenWith();
  await activeAgent(garden, SLUG);
  const commits = (): number => Number(git(dir, "rev-list", "--count", "--grep=^Bookkeeping: statistics", "main"));
  const points: string[] = [];
  const wrong: string[] = [];
  for (let at = 0, died = true; died; at++) {
    await endedRun(garden, SLUG, { tokens: at });
    const before = commits();
    died = false;
    let point = 0;
    const disarm = armCrashPoints((name) => {
      if (!/^(?:tally|statistics)\./.test(name) || point++ !== at) return;
      died = true;
      points.push(name);
      throw new Error("killed");
    });
    await recordStatistics(garden).catch(() => undefined);
    disarm();
    await recordStatistics(garden);
    const right = [at + 1, 1, Math.round(at / 2)];
    if (JSON.stringify([await figures(garden), commits() - before]) !== JSON.stringify([right, 1]))
      wrong.push(points.at(-1)!);
  }
  expect({ diedOften: new Set(points).size > 4, wrong }).toEqual({ diedOften: true, wrong: [] });
});
