import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import { repoCrashPoints } from "../crash-points.ts";
import { commit, edit, garden, moved, put } from "../testing/garden.ts";
import { byHand, personalEnvironment, scratch } from "../testing/scratch.ts";

const points = repoCrashPoints.slice(
  repoCrashPoints.indexOf("repo.move.checked"),
  repoCrashPoints.indexOf("repo.follow.unlocked"),
);

test.each([
  { name: "commit -a", args: ["commit", "-qam", "by hand"] },
  { name: "commit of the index", args: ["commit", "-qm", "by hand"], isStaged: true },
  { name: "commit of a path", args: ["commit", "-qm", "by hand", "--only", "--", "notes/b.md"] },
  { name: "commit --amend", args: ["commit", "-qa", "--amend", "-m", "by hand"] },
])(
  "G-5 a `git $name` that read HEAD and the index during our move, and takes the lock after it, takes nothing back",
  async ({ args, isStaged }) => {
    const results: Record<string, unknown> = {};
    const passed: string[] = [];
    for (const point of points.filter((name) => !/pack/.test(name))) {
      const { dir, core } = await garden();
      put(dir, "notes/b.md", "mine\n");
      if (isStaged) byHand(dir, "add", "notes/b.md");
      const person = pausedGit(dir, args);
      const disarm = armCrashPoints((name) => {
        if (name !== point) return;
        passed.push(point);
        person.start();
      });
      const answer = await commit(core, [edit("notes/new.md", "ours\n")]);
      disarm();
      await person.end();
      while (existsSync(join(dir, ".git/index.lock"))) await delay(5);
      if (byHand(dir, "status", "--porcelain") !== "") byHand(dir, "commit", "-qam", "repeated");
      results[point] = {
        answer,
        ours: byHand(dir, "show", "main:notes/new.md"),
        theirs: byHand(dir, "show", "main:notes/b.md"),
        status: byHand(dir, "status", "--porcelain"),
      };
    }
    const expected = { answer: moved("notes/new.md"), ours: "ours", theirs: "mine", status: "" };
    expect(results).toEqual(Object.fromEntries(passed.map((point) => [point, expected])));
    expect(passed.length).toBeGreaterThan(8);
  },
);

test("G-5 an index from before our move, written by a git command after it, gets our entries back and keeps staged ones", async () => {
  const { dir, core } = await garden();
  put(dir, "notes/b.md", "mine\n");
  byHand(dir, "add", "notes/b.md");
  const index = join(dir, ".git/index");
  const stale = readFileSync(index);
  await commit(core, [edit("notes/new.md", "ours\n"), edit("notes/a.md", "ours\n"), edit("deep/er/c.md", undefined)]);
  const settled = byHand(dir, "status", "--porcelain");
  writeFileSync(index, stale);
  expect(byHand(dir, "status", "--porcelain")).not.toBe(settled);
  await core.follow();
  expect(byHand(dir, "status", "--porcelain")).toBe(settled);
});

/** A git command that pauses after it has read HEAD and the index, before it takes the lock: git calls `core.fsmonitor` there. */
function pausedGit(dir: string, args: readonly string[]) {
  const aside = scratch();
  const [hook, here, go] = ["hook", "here", "go"].map((name) => join(aside, name)) as [string, string, string];
  writeFileSync(hook, `#!/bin/sh\n: > ${here}\nwhile [ ! -e ${go} ]; do sleep 0.01; done\nprintf '/\\0'\n`);
  chmodSync(hook, 0o755);
  let ended: Promise<unknown> = Promise.resolve();
  return {
    /** Returns when git has paused. Blocks the process: a crash point is synchronous. */
    start() {
      const settings = ["-c", `core.fsmonitor=${hook}`, "-c", "core.fsmonitorHookVersion=2"];
      // Through a shell, because git commands of our own process are not waited for.
      const child = spawn("sh", ["-c", 'git "$@"; :', "sh", ...settings, ...args], {
        cwd: dir,
        env: personalEnvironment,
        stdio: "ignore",
      });
      ended = once(child, "close");
      const pause = new Int32Array(new SharedArrayBuffer(4));
      for (let waited = 0; !existsSync(here); waited += 5) {
        if (waited > 60_000) throw new Error("git did not ask the file system monitor");
        Atomics.wait(pause, 0, 0, 5);
      }
    },
    async end() {
      writeFileSync(go, "");
      await ended;
    },
  };
}
