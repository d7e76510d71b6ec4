import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../../base/crash-point.ts";
import { contractKey, keys, MAIN_REF, memoryPath } from "../../../domain/layout.ts";
import {
  commitByHand,
  fact,
  type MemoryGarden,
  memoryGarden,
  SLUG,
} from "../../agents/memory/testing/memory-garden.ts";
import { closeFound, closeGarden, findGarden, type Garden } from "../../core/garden.ts";
import { verifyGarden } from "../../insight/verify/verify.ts";
import { explain } from "../../insight/why/explain.ts";
import { gardensLike, git, testPorts } from "../../testing/scratch.ts";
import { memoryTextAt } from "./memory-state.ts";
import { readReport, rotateReports } from "./run-reports.ts";

const OLD = "run_2025-11-15_080000_aaaaaa";
const YOUNG = "run_2025-11-16_080000_bbbbbb";
const report = (run: string): string => `# ${run}: ${SLUG}\n\n- 08:00 щось сталося\n`;

/** 2026-02-14 is the ninetieth day after the younger one's. */
const reported = (): Promise<MemoryGarden> =>
  memoryGarden({ [`runs/${OLD}.md`]: report(OLD), [`runs/${YOUNG}.md`]: report(YOUNG), "runs/by-hand.md": "mine\n" });

const inGit = async ({ garden, head }: MemoryGarden): Promise<string[]> =>
  (await garden.repo.list(await head(), "memory/archivist/runs")).map(({ path }) => path.split("/").at(-1)!);

describe("M-1 reports of runs after 90 days", () => {
  test("move from git to the store in one bookkeeping commit, and can still be read", async () => {
    const ground = await reported();
    const { garden, dir, head } = ground;
    const commit = await rotateReports(garden);
    expect(await inGit(ground)).toEqual(["by-hand.md", `${YOUNG}.md`]);
    expect(git(dir, "log", "-1", "--format=%s|%(trailers:key=Bookkeeping,valueonly)").trim()).toBe(
      "memory: reports of 1 runs before 2025-11-16 are in the store|rotation",
    );
    expect(await readReport(garden, await head(), SLUG, OLD)).toEqual({
      agentId: SLUG,
      run: OLD,
      text: report(OLD),
      from: "store",
    });
    expect(await readReport(garden, await head(), SLUG, YOUNG)).toMatchObject({ from: "git" });
    await expect(readReport(garden, await head(), SLUG, "run_2025-11-15_080000_cccccc")).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(git(dir, "log", "--format=%H", "--", memoryPath.run(SLUG, OLD)).split("\n")).toHaveLength(2);
    expect((await explain(garden, commit!)).subject).toMatchObject({ kind: "commit" });
    expect(await rotateReports(garden)).toBeUndefined();
  });

  test("exist once after a crash between the store and git, and a retry", async () => {
    for (const point of ["memory.report-kept", "repo.move.after-swap"]) {
      const ground = await reported();
      const disarm = armCrashPoints((name) => {
        if (name === point) throw new Error("killed");
      });
      await rotateReports(ground.garden).catch(() => undefined);
      disarm();
      await rotateReports(ground.garden);
      const stored = Buffer.from((await ground.garden.store.get(keys.runReport(SLUG, OLD)))!.bytes).toString();
      expect({ point, stored, inGit: await inGit(ground) }).toEqual({
        point,
        stored: report(OLD),
        inGit: ["by-hand.md", `${YOUNG}.md`],
      });
    }
  });

  test("wait for an uncommitted edit, and include a committed one", async () => {
    const ground = await reported();
    const { garden, dir, byHand } = ground;
    byHand(`runs/${OLD}.md`, "мій текст\n");
    git(dir, "rm", "-q", "--cached", memoryPath.run(SLUG, OLD));
    expect(await rotateReports(garden)).toBeUndefined();
    git(dir, "reset", "-q", "--hard");
    await rotateReports(garden);
    expect(Buffer.from((await garden.store.get(keys.runReport(SLUG, OLD)))!.bytes).toString()).toBe("мій текст\n");
  });
});

const gardens = gardensLike(async () => {
  const ground = await reported();
  await ground.garden.store.create(contractKey(SLUG), Buffer.from(CONTRACT));
  await ground.update(fact("one"));
  await rotateReports(ground.garden);
  return ground;
});
const metaText = async ({ repo }: Garden): Promise<string> =>
  (await memoryTextAt(repo, (await repo.resolve(MAIN_REF))!, memoryPath.meta(SLUG)))!;

test.each<[string, string[], (garden: Garden, dir: string) => unknown]>([
  ["no damage", [], () => undefined],
  ["a fact added by hand", [], (_, dir) => commitByHand(dir, "facts.md", "- моє\n")],
  [
    "a snapshot beyond its limit",
    ["memory-limits memory/archivist/snapshot.md"],
    (_, dir) => commitByHand(dir, "snapshot.md", "слово ".repeat(2100)),
  ],
  [
    "one fact of 2 MB",
    ["memory-limits memory/archivist/facts.md"],
    (_, dir) => commitByHand(dir, "facts.md", `- ${"x".repeat(2_000_000)}\n`),
  ],
  [
    "a meta.json that cannot be read",
    ["memory-meta memory/archivist/meta.json"],
    (_, dir) => commitByHand(dir, "meta.json", "{"),
  ],
  [
    "a deleted meta.json",
    ["memory-meta memory/archivist/meta.json"],
    (_, dir) => git(dir, "rm", "-q", "memory/archivist/meta.json") + git(dir, "commit", "-qm", "gone"),
  ],
  [
    "a meta.json with other counts",
    ["memory-meta memory/archivist/meta.json"],
    async (garden, dir) => commitByHand(dir, "meta.json", (await metaText(garden)).replace('"facts": 1', '"facts": 7')),
  ],
  [
    "invalid values",
    ["memory-meta memory/archivist/values.json"],
    (_, dir) => commitByHand(dir, "values.json", "[]\n"),
  ],
  [
    "a report that the store lost",
    [`memory-reports store:${keys.runReport(SLUG, OLD)}`],
    async ({ store }) => store.remove(keys.runReport(SLUG, OLD), (await store.get(keys.runReport(SLUG, OLD)))!.hash),
  ],
  [
    "a report that was changed in the store",
    [`memory-reports store:${keys.runReport(SLUG, OLD)}`],
    async ({ store }) =>
      store.swap(keys.runReport(SLUG, OLD), (await store.get(keys.runReport(SLUG, OLD)))!.hash, Buffer.from("x")),
  ],
])("§14 verify of a memory with %s reports only that", async (_, expected, damage) => {
  const { garden, dir } = await gardens.open();
  await damage(garden, dir);
  await closeGarden(garden);
  const found = await findGarden(testPorts(), dir);
  const findings = await verifyGarden(found);
  await closeFound(found);
  expect(findings.filter(({ check }) => check !== "registry").map(({ check, where }) => `${check} ${where}`)).toEqual(
    expected,
  );
});

const CONTRACT = `---
name: archivist
slug: archivist
version: 1.0.0
description: Looks after things
model: bloom/follower
tools: [read-notes, propose-memory-update]
safe_outputs: [memory-update]
created_at: 2026-02-01T10:00:00Z
updated_at: 2026-02-01T10:00:00Z
created_by: owner
status: draft
---
Do what is asked.
`;
