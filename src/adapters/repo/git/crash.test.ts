import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { prove } from "../../../base/testing/prove.ts";
import { realWorld } from "../../../base/world.ts";
import { openCore } from "./core.ts";
import { startCommitter } from "./testing/committer-process.ts";
import { killAtEveryPoint, killAtRandom, summaryOf } from "./testing/crash-suite.ts";
import { byHand, environment, scratch } from "./testing/scratch.ts";

test("a process that dies at any crash point loses no acknowledged commit, and work tree and index follow", async () => {
  const report = await killAtEveryPoint({ folder: scratch, environment }, [5]);
  prove({ kills: report.kills, losses: report.lost.length + report.wrong.length });
  console.log(summaryOf(report));
  expect({ lost: report.lost, wrong: report.wrong }).toEqual({ lost: [], wrong: [] });
});

test("a process that is killed at any moment loses no acknowledged commit, and a manual edit survives", async () => {
  const report = await killAtRandom({ folder: scratch, environment }, 6);
  prove({ kills: report.kills, losses: report.lost.length + report.wrong.length });
  console.log(summaryOf(report));
  expect({ lost: report.lost, wrong: report.wrong }).toEqual({ lost: [], wrong: [] });
  expect(report.acknowledged).toBeGreaterThan(0);
});

test("G-5 a person's untracked file with the text of a move stays when a crash takes the move back", async () => {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  mkdirSync(join(dir, "notes/x"), { recursive: true });
  writeFileSync(join(dir, "notes/x/0.md"), "x 0\n"); // by hand, and the same as the committer writes
  const crashAt = "repo.follow.after-index";
  await startCommitter({ dir, ref: "refs/heads/main", name: "x", commits: 1, crashAt }, environment).end;
  const core = await openCore({ dir, environment }, { world: realWorld });
  await core.follow();
  await core.close();
  expect({
    file: readFileSync(join(dir, "notes/x/0.md"), "utf8"),
    status: byHand(dir, "status", "--porcelain"),
  }).toEqual({ file: "x 0\n", status: "?? notes/" });
});

describe("G-5 a person's edit between the crash and the reopening is kept", () => {
  test.each([
    { crashAt: "repo.move.after-swap", title: "the move has happened", status: " M memory/x.md", behind: [] },
    {
      crashAt: "repo.follow.after-index",
      title: "the move is taken back",
      status: "?? memory/",
      behind: ["memory/x.md"],
    },
  ])("and $title, after a crash at $crashAt", async ({ crashAt, status, behind }) => {
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "main");
    await startCommitter({ dir, ref: "refs/heads/main", name: "x", commits: 1, crashAt }, environment).end;
    expect(readFileSync(join(dir, "notes/x/0.md"), "utf8")).toBe("x 0\n");
    writeFileSync(join(dir, "memory/x.md"), "mine\n");
    const core = await openCore({ dir, environment }, { world: realWorld });
    const followed = await core.follow();
    await core.close();
    expect({
      behind: followed.behind.map(({ path }) => path),
      edited: readFileSync(join(dir, "memory/x.md"), "utf8"),
      hasFile: existsSync(join(dir, "notes/x/0.md")),
      status: byHand(dir, "status", "--porcelain"),
    }).toEqual({ behind, edited: "mine\n", hasFile: behind.length === 0, status });
  });
});
