import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import {
  changelogEntries,
  hasResult,
  resultLine,
  withoutResults,
  withResult,
} from "../../../domain/logic/logic-changelog.ts";
import { readMeta } from "../../../domain/logic/logic-meta.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import { everyKey } from "../../../ports/store.ts";
import { applyProposal } from "../../changes/apply/apply-proposal.ts";
import { approved } from "../../changes/apply/testing/proposals.ts";
import { noticeRevert } from "../../changes/logic/notice-revert.ts";
import { reject } from "../../changes/proposals/testing/decisions.ts";
import { closeFound, findGarden, type Garden } from "../../core/garden.ts";
import { logicTextAt } from "../../records/logic/logic-state.ts";
import { agent, drawn, procedure } from "../../records/logic/testing/agent.ts";
import { readProposal } from "../../records/proposals/proposal-log.ts";
import { closed, gardensLike, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { verifyGarden } from "../verify/verify.ts";
import { logicPerformance } from "./logic-performance.ts";
import { recordStatistics } from "./statistics.ts";
import { endedRun } from "./testing/counted-runs.ts";
import { watchVersions } from "./watch-versions.ts";

const SLUG = "archivist";

const update = (currentVersion: string | undefined, ...lines: string[]): Operation => ({
  action: "logic-update",
  payload: {
    agent: SLUG,
    ...(currentVersion !== undefined && { currentVersion }),
    diagram: drawn(...lines),
    pseudocode: procedure(...lines),
    rationale: { problem: "x", evidenceRuns: [] },
    requiresHumanReview: true,
  },
});

async function apply(garden: Garden, operation: Operation): Promise<string> {
  const { id } = await approved(garden, operation);
  const done = await applyProposal(garden, id, "owner");
  if (done.status !== "applied") throw new Error(JSON.stringify(done.apply_result));
  return done.apply_result!.git_commit!;
}

const { open: withVersions } = gardensLike(async () => {
  const made = await gardenWith();
  await agent(made.garden);
  await apply(made.garden, update(undefined, "перше"));
  return { ...made, second: await apply(made.garden, update("v001", "друге")) };
});

async function runs(garden: Garden, version: string, good: number, bad: number): Promise<void> {
  const ends = [...Array<"completed">(good).fill("completed"), ...Array<"failed">(bad).fill("failed")];
  await Promise.all(ends.map((status) => endedRun(garden, SLUG, { logic_version: version, status })));
}

/** The chores of a served garden. */
async function upkeep(garden: Garden): Promise<Awaited<ReturnType<typeof watchVersions>>> {
  await recordStatistics(garden);
  return watchVersions(garden);
}

const standing = async (garden: Garden, path: string): Promise<string> =>
  (await logicTextAt(garden.repo, (await garden.repo.resolve(MAIN_REF))!, path))!;

const entryOf = async (garden: Garden, version: string): Promise<string | undefined> =>
  changelogEntries(await standing(garden, logicPath.changelog(SLUG)), 99).find((one) => one.version === version)?.text;

const measured: readonly [string, [number, number], [number, number], string | undefined, boolean][] = [
  ["too few runs", [40, 0], [29, 0], undefined, false],
  [
    "a better version",
    [87, 25],
    [140, 3],
    "**Result after 143 runs:** success_rate 0.78 → 0.98; good_rate 0.78 → 0.98; significantly better than v001  ",
    false,
  ],
  [
    "a difference that may be chance",
    [29, 1],
    [27, 4],
    "**Result after 31 runs:** success_rate 0.97 → 0.87; good_rate 0.97 → 0.87; no significant difference from v001  ",
    false,
  ],
  [
    "a worse version",
    [38, 2],
    [15, 15],
    "**Result after 30 runs:** success_rate 0.95 → 0.50; good_rate 0.95 → 0.50; significantly worse than v001  ",
    true,
  ],
  [
    "too few runs to compare with",
    [3, 0],
    [15, 15],
    "**Result after 30 runs:** success_rate 1.00 → 0.50; good_rate 1.00 → 0.50; too few runs of v001 to compare (3)  ",
    false,
  ],
];

describe("L-9 the result of a version", () => {
  test.each(measured)("is recorded for %s: %j, then %j", async (_, before, after, line, isRaised) => {
    const { garden } = await withVersions();
    await runs(garden, "v001", ...before);
    await runs(garden, "v002", ...after);
    const [kept] = await upkeep(garden);
    expect((await entryOf(garden, "v002"))?.split("\n").filter((one) => one.includes("Result after"))).toEqual(
      line === undefined ? [] : [line],
    );
    expect(kept?.rollback !== undefined).toBe(isRaised);
  });
});

describe("L-9 a regression", () => {
  test("raises one pending rollback proposal, with runs as evidence", async () => {
    const made = await withVersions();
    const { garden, dir } = made;
    await runs(garden, "v001", 40, 0);
    await runs(garden, "v002", 15, 15);
    const rollback = (await upkeep(garden))[0]!.rollback!;
    const proposal = await readProposal(garden.store, rollback);
    expect(proposal).toMatchObject({ status: "pending", action: "logic-rollback", source: { type: "gateway" } });
    expect(proposal.operation.payload).toMatchObject({
      toVersion: "v001",
      currentVersion: "v002",
      requiresHumanReview: true,
      rationale: { problem: expect.stringContaining("good_rate 1 → 0.5 (n = 40, 30)") },
    });
    const { rationale } = proposal.operation.payload as { rationale: { evidenceRuns: string[] } };
    expect(rationale.evidenceRuns).toHaveLength(15);
    // A rollback is raised once, also after it was rejected and all views were deleted.
    await reject(garden, rollback, "we keep it");
    await runs(garden, "v002", 0, 40);
    for await (const { key } of everyKey(garden.store, "views/")) await garden.store.delete(key);
    expect((await upkeep(garden)).map((kept) => kept.rollback)).toEqual([]);
    expect((await readProposal(garden.store, rollback)).status).toBe("rejected");
    expect((await garden.store.list(keys.pendingProposal("").slice(0, -".json".length))).entries).toEqual([]);
    await closed(made);
    const found = await findGarden(testPorts(), dir);
    try {
      expect((await verifyGarden(found)).filter(({ check }) => !check.startsWith("run-"))).toEqual([]);
    } finally {
      await closeFound(found);
    }
  });

  test("is tested once per doubling of the run count, not after every run", async () => {
    const made = await withVersions();
    await runs(made.garden, "v001", 40, 0);
    await runs(made.garden, "v002", 29, 1);
    await upkeep(made.garden);
    const looks = async (): Promise<unknown> =>
      JSON.parse(Buffer.from((await made.garden.store.get(keys.promiseLooks(SLUG)))!.bytes).toString());
    expect(await looks()).toEqual({ version: "v002", looks: 1 });
    await runs(made.garden, "v002", 0, 12);
    expect({ raised: await upkeep(made.garden), looks: await looks() }).toEqual({
      raised: [],
      looks: { version: "v002", looks: 1 },
    });
    await runs(made.garden, "v002", 0, 18);
    expect((await upkeep(made.garden))[0]?.rollback).toBeDefined();
    expect(await looks()).toMatchObject({ version: "v002", looks: 2 });
  });

  test("is recorded and raised once, wherever the process is killed", async () => {
    const wrong: string[] = [];
    const points: string[] = [];
    for (let at = 0, died = true; died; at++) {
      const { garden: one } = await withVersions();
      await runs(one, "v001", 30, 0);
      await runs(one, "v002", 0, 30);
      await recordStatistics(one);
      died = false;
      let point = 0;
      const disarm = armCrashPoints((name) => {
        if (!name.startsWith("promise.") || point++ !== at) return;
        died = true;
        points.push(name);
        throw new Error("killed");
      });
      await watchVersions(one).catch(() => undefined);
      disarm();
      await watchVersions(one);
      const entry = (await entryOf(one, "v002"))!;
      const made = (await one.store.list(keys.proposalLogs)).entries.filter(({ key }) => key.endsWith("/0000.json"));
      const results = entry.match(/Result after/g)?.length;
      if (results !== 1 || made.length !== 3) wrong.push(`${points.at(-1)}: ${results} ${made.length}`);
    }
    expect({ points, wrong }).toEqual({ points: ["promise.result-written", "promise.rollback-raised"], wrong: [] });
  });
});

describe("L-7 a rollback", () => {
  test("is judged at once with the runs of the version that it restored, and does not raise a rollback of itself", async () => {
    const { garden } = await withVersions();
    await runs(garden, "v001", 40, 0);
    await runs(garden, "v002", 15, 15);
    const back: Operation = {
      action: "logic-rollback",
      payload: {
        agent: SLUG,
        currentVersion: "v002",
        toVersion: "v001",
        rationale: { problem: "worse", evidenceRuns: [await endedRun(garden, SLUG, { logic_version: "v002" })] },
        requiresHumanReview: true,
      },
    };
    await apply(garden, back);
    const found = await logicPerformance(garden, { slug: SLUG });
    expect(found.versions).toMatchObject({
      v001: { totalRuns: 40, pooledWith: ["v003"] },
      v002: { totalRuns: 31, pooledWith: [] },
      v003: { totalRuns: 40, success_rate: 1, pooledWith: ["v001"] },
    });
    expect({ trend: found.trend, before: found.comparison?.before }).toEqual({ trend: "improving", before: "v002" });
    expect(readMeta(await standing(garden, logicPath.current(SLUG, "meta")))).toMatchObject({
      logicVersion: "v003",
      runsOnThisVersion: 0,
    });
    await runs(garden, "v003", 0, 40);
    expect((await upkeep(garden))[0]?.rollback).toBeUndefined();
  });

  test("made by hand freezes earlier results in the archive, and pools the same runs", async () => {
    const { garden, dir, second } = await withVersions();
    await runs(garden, "v001", 5, 0);
    await runs(garden, "v002", 1, 3);
    await recordStatistics(garden);
    git(dir, "revert", "--no-edit", "-X", "theirs", second);
    await noticeRevert(garden);
    await recordStatistics(garden);
    expect(readMeta(await standing(garden, logicPath.archived(SLUG, "v002", "meta")))).toMatchObject({
      logicVersion: "v002",
      runsOnThisVersion: 4,
      successRate: 0.25,
    });
    expect((await logicPerformance(garden, { slug: SLUG })).versions["v003"]).toMatchObject({
      totalRuns: 5,
      pooledWith: ["v001"],
    });
    expect(readMeta(await standing(garden, logicPath.current(SLUG, "meta")))).toMatchObject({ logicVersion: "v003" });
  });
});

describe("L-9 a result in the changelog", () => {
  const CHANGELOG =
    "# Logic Changelog: a\n\n## v002 — 2026-02-10\n**Proposal:** p  \n**Зміна:** c  \n\n## v001 — 2026-02-01\n**Зміна:** d";
  test.each([
    ["v002", "**Зміна:** c  \n**Результат після 143 запусків:** x  \n\n## v001"],
    ["v001", "**Зміна:** d\n**Результат після 143 запусків:** x  \n"],
  ])("follows the last line of the entry of %s, once, and nothing else changes", (version, expected) => {
    const text = withResult(CHANGELOG, version, resultLine(143, "x"));
    expect(text).toContain(expected);
    expect(withResult(text, version, resultLine(144, "y"))).toBe(text);
    expect(withoutResults(text).trimEnd()).toBe(CHANGELOG);
    expect(changelogEntries(text).map((entry) => [entry.version, hasResult(entry)])).toContainEqual([version, true]);
  });

  test("is not written without an entry", () => {
    expect(withResult(CHANGELOG, "v009", resultLine(1, "x"))).toBe(CHANGELOG);
  });
});
