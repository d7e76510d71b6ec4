import { expect, test } from "vitest";
import { logicPath, MAIN_REF } from "../../../domain/layout.ts";
import { resultLine, withResult } from "../../../domain/logic/logic-changelog.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import { applyProposal } from "../../changes/apply/apply-proposal.ts";
import { approved } from "../../changes/apply/testing/proposals.ts";
import { noticeRevert } from "../../changes/logic/notice-revert.ts";
import { commitBookkeeping } from "../../core/commit-bookkeeping.ts";
import type { Garden } from "../../core/garden.ts";
import { readLogicState } from "../../records/logic/logic-state.ts";
import { agent, drawn, procedure } from "../../records/logic/testing/agent.ts";
import { gardenWith, git } from "../../testing/scratch.ts";
import { recordStatistics } from "./statistics.ts";
import { endedRun } from "./testing/counted-runs.ts";

const SLUG = "archivist";

async function adopted(
  garden: Garden,
  currentVersion: string | undefined,
  line: string,
  ...evidenceRuns: string[]
): Promise<string> {
  const update: Operation = {
    action: "logic-update",
    payload: {
      agent: SLUG,
      ...(currentVersion !== undefined && { currentVersion }),
      diagram: drawn(line),
      pseudocode: procedure(line),
      rationale: { problem: "x", evidenceRuns },
      requiresHumanReview: true,
    },
  };
  const { id } = await approved(garden, update);
  const { status, apply_result } = await applyProposal(garden, id, "owner");
  if (status !== "applied") throw new Error(JSON.stringify(apply_result));
  return apply_result!.git_commit!;
}

test("L-7 a git revert by hand of a version with counted runs and a measured result does not conflict, and becomes a new version", async () => {
  const { garden, dir } = await gardenWith();
  await agent(garden);
  await adopted(garden, undefined, "перше");
  const failed = await endedRun(garden, SLUG, { logic_version: "v001", status: "failed" });
  await recordStatistics(garden);
  const second = await adopted(garden, "v001", "друге", failed);
  for (const tokens of [100, 300]) await endedRun(garden, SLUG, { logic_version: "v002", tokens });
  await recordStatistics(garden);
  // L-9: the result is written into the entry of the version.
  const head = (await garden.repo.resolve(MAIN_REF))!;
  const { changelog } = await readLogicState(garden.repo, head, SLUG);
  const measured = withResult(changelog!, "v002", resultLine(2, "success_rate 0 → 1"));
  const edits = [{ path: logicPath.changelog(SLUG), bytes: Buffer.from(measured) }];
  await commitBookkeeping(garden, head, { kind: "results", message: "results", edits });
  git(dir, "revert", "--no-edit", second);
  expect(git(dir, "status", "--short")).toBe("");
  expect(await noticeRevert(garden)).toMatchObject([{ slug: SLUG, version: "v003" }]);
  await recordStatistics(garden);
  const state = await readLogicState(garden.repo, (await garden.repo.resolve(MAIN_REF))!, SLUG);
  expect(state).toMatchObject({
    diagram: drawn("перше"),
    meta: { logicVersion: "v003", runsOnThisVersion: 0, successRate: null, avgTokensPerRun: null },
  });
  expect(JSON.parse(git(dir, "show", `main:${logicPath.archived(SLUG, "v002", "meta")}`))).toMatchObject({
    runsOnThisVersion: 2,
    avgTokensPerRun: 200,
  });
  expect(state.metaText.match(/"logicVersion"/g)).toHaveLength(1);
  expect(state.changelog).toContain("success_rate 0 → 1");
  expect(state.changelog).toMatch(/## v003 [\s\S]*## v002 [\s\S]*## v001 /);
});
