import { expect, test } from "vitest";
import { realWorld } from "../../../base/world.ts";
import { TRACE_REF } from "../../../domain/layout.ts";
import { openCore } from "./core.ts";
import { byHand, environment, scratch } from "./testing/scratch.ts";
import { startCommitter } from "./testing/started.ts";

async function race(dir: string, processes: number, commits: number, ref: string, notes?: string): Promise<string[]> {
  const started = Array.from({ length: processes }, (_, index) =>
    startCommitter({ dir, ref, name: `p${index}`, commits, ...(notes && { notes }) }),
  );
  await Promise.all(started.map(({ end }) => end));
  return started.flatMap(({ acknowledged }) => acknowledged);
}

const sorted = (lines: readonly string[]): string[] => lines.toSorted((a, b) => (a < b ? -1 : 1));

test.each(["refs/heads/main", "refs/heads/agents/one"])(
  "8 processes on %s: every claimed commit is in history",
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
  60_000,
);

test("6 processes with 10 notes each: 60 of 60, and git reads them", async () => {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  const claimed = await race(dir, 6, 10, "refs/heads/agents/one", TRACE_REF);
  const noted = byHand(dir, "notes", "--ref=trace", "list").split("\n");
  console.log(`notes: 6 processes, ${claimed.length} written, ${noted.length} there`);
  expect(sorted(noted.map((line) => line.split(" ")[1]!))).toEqual(sorted(claimed));
  expect(byHand(dir, "log", "-1", "--notes=trace", "--format=%N", claimed[0]!)).toMatch(/^\{"n":\d\}/);
  expect(byHand(dir, "fsck", "--strict", "--no-dangling")).toBe("");
}, 60_000);
