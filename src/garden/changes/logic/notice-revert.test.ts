import { expect, test } from "vitest";
import { contractKey, keys, logicPath, MAIN_REF } from "../../../domain/layout.ts";
import { readMeta } from "../../../domain/logic/logic-meta.ts";
import type { Operation } from "../../../domain/proposal/operation.ts";
import type { Garden } from "../../core/garden.ts";
import { logicTextAt } from "../../records/logic/logic-state.ts";
import { agent, drawn, procedure, stored } from "../../records/logic/testing/agent.ts";
import { files, gardensLike, gardenWith, git } from "../../testing/scratch.ts";
import { applyProposal } from "../apply/apply-proposal.ts";
import { approved } from "../apply/testing/proposals.ts";
import { followUpOf, noticeRevert } from "./notice-revert.ts";

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

const at = async (garden: Garden, path: string): Promise<string | undefined> =>
  logicTextAt(garden.repo, (await garden.repo.resolve(MAIN_REF))!, path);

test("L-7 a git revert by hand becomes a new version, and nothing is missing from the archive", async () => {
  const { garden, dir, second } = await withVersions();
  const archived = await at(garden, logicPath.archived(SLUG, "v001", "pseudo"));
  const was = await at(garden, logicPath.current(SLUG, "diagram"));
  git(dir, "revert", "--no-edit", second);
  const reverted = git(dir, "rev-parse", "HEAD");
  const [noticed] = await noticeRevert(garden);
  expect(noticed).toMatchObject({ slug: SLUG, version: "v003", by: reverted });
  expect(readMeta((await at(garden, logicPath.current(SLUG, "meta")))!)).toMatchObject({
    logicVersion: "v003",
    sourceProposal: reverted,
  });
  expect(await at(garden, logicPath.archived(SLUG, "v001", "pseudo"))).toBe(archived);
  expect(await at(garden, logicPath.archived(SLUG, "v002", "diagram"))).toBe(was);
  expect(await at(garden, logicPath.current(SLUG, "diagram"))).toBe(drawn("перше"));
  expect(await at(garden, logicPath.changelog(SLUG))).toMatch(
    /## v003 — rollback to v001 — [\s\S]*## v002 — [\s\S]*## v001 — /,
  );
  expect(await at(garden, logicPath.rationale(SLUG, "v002"))).toBeDefined();
  expect(await stored(garden, keys.pseudocode(SLUG))).toBe(procedure("перше"));
  expect(await stored(garden, contractKey(SLUG))).toContain('logic_version: "v003"');
  expect(git(dir, "status", "--porcelain")).toBe("");
});

test("L-7 a revert by hand is recorded once, as bookkeeping that follows from history alone", async () => {
  const { garden, dir, second } = await withVersions();
  git(dir, "revert", "--no-edit", second);
  const head = git(dir, "rev-parse", "HEAD");
  const [noticed] = await noticeRevert(garden);
  expect(await noticeRevert(garden)).toEqual([]);
  expect(git(dir, "log", "-1", "--format=%s%n%cn <%ce>%n%(trailers)", noticed!.commit).split("\n")).toEqual([
    `logic-rollback: ${SLUG} v002→v003 / ${head.slice(0, 12)}`,
    "Garden Bloom <gateway@garden.invalid>",
    "Bookkeeping: logic",
    `Noticed: ${head}`,
  ]);
  const again = await followUpOf(garden.repo, head, SLUG);
  expect(await garden.repo.build(again!.draft)).toBe(noticed!.commit);
});

test("L-7 a commit of statistics in between does not hide a revert", async () => {
  const { garden, dir, second } = await withVersions();
  git(dir, "revert", "--no-edit", second);
  const head = git(dir, "rev-parse", "HEAD");
  const meta = (await at(garden, logicPath.current(SLUG, "meta")))!.replace(
    '"runsOnThisVersion": 0',
    '"runsOnThisVersion": 7',
  );
  const signature = { name: "Garden Bloom", email: "gateway@garden.invalid", at: 1_771_056_000_000 };
  const counted = await garden.repo.build({
    parents: [head],
    edits: [{ path: logicPath.current(SLUG, "meta"), bytes: Buffer.from(meta) }],
    author: signature,
    committer: signature,
    message: "Count runs",
    trailers: [["Bookkeeping", "statistics"]],
  });
  await garden.repo.move([{ ref: MAIN_REF, from: head, to: counted }]);
  expect(await noticeRevert(garden)).toMatchObject([{ version: "v003", by: head }]);
});

test("L-7 the next proposal starts from the revert, and a proposal cannot be applied before it is recorded", async () => {
  const { garden, dir, second } = await withVersions();
  git(dir, "revert", "--no-edit", second);
  const early = await approved(garden, update("v001", "третє"));
  const done = await applyProposal(garden, early.id, "owner");
  expect({ status: done.status, message: done.apply_result?.error?.message.en }).toEqual({
    status: "failed",
    message: expect.stringMatching(/by hand/),
  });
  await noticeRevert(garden);
  await apply(garden, update("v003", "третє"));
  expect(readMeta((await at(garden, logicPath.current(SLUG, "meta")))!)?.logicVersion).toBe("v004");
});

test("L-7 a revert of the revert is a version too", async () => {
  const { garden, dir, second } = await withVersions();
  git(dir, "revert", "--no-edit", second);
  await noticeRevert(garden);
  files(dir, {
    "logic/archivist/current.drakon.json": drawn("друге"),
    "logic/archivist/current.pseudo.md": (await at(garden, logicPath.archived(SLUG, "v002", "pseudo")))!,
  });
  git(dir, "commit", "-qam", "I want the second one after all");
  expect(await noticeRevert(garden)).toMatchObject([{ version: "v004" }]);
  expect(await at(garden, logicPath.changelog(SLUG))).toContain("## v004 — rollback to v002");
  expect(await at(garden, logicPath.rationale(SLUG, "v004"))).toContain("I want the second one after all");
});

test("L-7 a removed archive file comes back without a new version", async () => {
  const { garden, dir } = await withVersions();
  git(dir, "rm", "-q", "logic/archivist/versions/v001.meta.json");
  git(dir, "commit", "-qm", "tidy up");
  expect(await noticeRevert(garden)).toMatchObject([{ slug: SLUG, version: undefined }]);
  expect(await at(garden, logicPath.archived(SLUG, "v001", "meta"))).toContain('"logicVersion": "v001"');
  expect(readMeta((await at(garden, logicPath.current(SLUG, "meta")))!)?.logicVersion).toBe("v002");
});

test.each([
  ["a note was edited", { "notes/a.md": "other\n" }],
  ["the changelog was edited", { "logic/archivist/changelog.md": "# Logic Changelog: archivist\n\nmine\n" }],
  ["the diagram has errors", { "logic/archivist/current.drakon.json": "{" }],
  ["the text does not fit the diagram", { "logic/archivist/current.pseudo.md": procedure("інше") }],
])("L-7 nothing is recorded when %s", async (_, contents) => {
  const { garden, dir } = await withVersions();
  files(dir, contents);
  git(dir, "commit", "-qam", "by hand");
  expect(await noticeRevert(garden)).toEqual([]);
});

test("G-5 an uncommitted edit of the same files delays the record and is not touched", async () => {
  const { garden, dir, second } = await withVersions();
  git(dir, "revert", "--no-edit", second);
  files(dir, { "logic/archivist/changelog.md": "under way\n" });
  expect(await noticeRevert(garden)).toEqual([]);
  git(dir, "checkout", "-q", "--", "logic/archivist/changelog.md");
  expect(await noticeRevert(garden)).toHaveLength(1);
});
