import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { prove } from "../../../../base/testing/prove.ts";
import { realWorld } from "../../../../base/world.ts";
import { TRACE_REF } from "../../../../domain/layout.ts";
import { openCore } from "../core.ts";
import { startCommitter } from "../testing/committer-process.ts";
import { attempt, byHand, environment, scratch } from "../testing/scratch.ts";

async function race(dir: string, processes: number, commits: number, ref: string, notes?: string): Promise<string[]> {
  const started = Array.from({ length: processes }, (_, index) =>
    startCommitter({ dir, ref, name: `p${index}`, commits, ...(notes && { notes }) }, environment),
  );
  await Promise.all(started.map(({ end }) => end));
  prove({ races: 1 });
  return started.flatMap(({ acknowledged }) => acknowledged);
}

const sorted = (lines: readonly string[]): string[] => lines.toSorted((a, b) => (a < b ? -1 : 1));

test.each(["refs/heads/main", "refs/heads/agents/one"])(
  "8 processes on %s: every acknowledged commit is in history",
  async (ref) => {
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "main");
    const claimed = await race(dir, 8, 10, ref);
    const history = byHand(dir, "rev-list", ref).split("\n");
    console.log(`race on ${ref}: 8 processes, ${claimed.length} claimed, ${history.length} in history`);
    expect(sorted(claimed)).toEqual(sorted(history));
    expect(history).toHaveLength(80);
    expect(byHand(dir, "fsck", "--strict", "--no-dangling")).toBe("");
    const core = await openCore({ dir, environment }, { world: realWorld });
    await core.follow();
    await core.close();
    expect(byHand(dir, "status", "--porcelain")).toBe("");
  },
);

test("6 processes with 10 notes each lose no note, and git reads them", async () => {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  const claimed = await race(dir, 6, 10, "refs/heads/agents/one", TRACE_REF);
  const noted = byHand(dir, "notes", "--ref=trace", "list").split("\n");
  console.log(`notes: 6 processes, ${claimed.length} written, ${noted.length} there`);
  expect(sorted(noted.map((line) => line.split(" ")[1]!))).toEqual(sorted(claimed));
  expect(byHand(dir, "log", "-1", "--notes=trace", "--format=%N", claimed[0]!)).toMatch(/^\{"n":\d\}/);
  expect(byHand(dir, "fsck", "--strict", "--no-dangling")).toBe("");
});

test("G-5 concurrent commits by hand revert none of ours, and ours revert none of theirs", async () => {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  byHand(dir, "commit", "-q", "--allow-empty", "-m", "Begin");
  const ours = startCommitter({ dir, ref: "refs/heads/main", name: "ours", commits: 40 }, environment);
  let committed = 0;
  let refused = 0;
  for (let round = 0; ours.child.exitCode === null && round < 2_000; round++) {
    writeFileSync(join(dir, "hand.md"), `${round}\n`);
    // Git fails at once if a lock is held or HEAD has moved; a person would try again.
    const done =
      attempt(dir, "add", "hand.md").code === 0 && attempt(dir, "commit", "-q", "-m", `hand ${round}`).code === 0;
    if (done) committed++;
    else refused++;
    await delay(5);
  }
  await ours.end;
  console.log(`beside ${ours.acknowledged.length} of ours: ${committed} by hand, ${refused} refused by git`);
  expect(committed).toBeGreaterThan(0);
  const touched = (author: string): Set<string> =>
    new Set(byHand(dir, "log", `--author=${author}`, "--name-only", "--format=").split("\n").filter(Boolean));
  expect([...touched("Оля")]).toEqual(["hand.md"]);
  expect(touched("Gardener").has("hand.md")).toBe(false);
  const history = byHand(dir, "rev-list", "main").split("\n");
  expect(ours.acknowledged.filter((oid) => !history.includes(oid))).toEqual([]);
  expect(byHand(dir, "status", "--porcelain").replace(" M hand.md", "").replace("M  hand.md", "")).toBe("");
});
