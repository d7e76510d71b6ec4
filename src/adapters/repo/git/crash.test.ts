import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
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

test("G-5 a person's edit between the crash and the reopening is kept", async () => {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  const what = { dir, ref: "refs/heads/main", name: "x", commits: 1, crashAt: "repo.move.after-swap" };
  await startCommitter(what, environment).end;
  expect(existsSync(join(dir, "notes"))).toBe(false);
  mkdirSync(join(dir, "memory"));
  writeFileSync(join(dir, "memory/x.md"), "mine\n");
  const core = await openCore({ dir, environment }, { world: realWorld });
  const { behind } = await core.follow();
  await core.close();
  expect(behind.map(({ path }) => path)).toEqual(["memory/x.md"]);
  expect({
    edited: readFileSync(join(dir, "memory/x.md"), "utf8"),
    committed: readFileSync(join(dir, "notes/x/0.md"), "utf8"),
  }).toEqual({ edited: "mine\n", committed: "x 0\n" });
  expect(byHand(dir, "status", "--porcelain")).toBe(" M memory/x.md");
});
