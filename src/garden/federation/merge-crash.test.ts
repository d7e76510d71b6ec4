import { cpSync } from "node:fs";
import { expect, test } from "vitest";
import { type LifeAct, perform } from "../changes/apply/testing/life-acts.ts";
import { runLife } from "../changes/apply/testing/run-life.ts";
import { recoverChanges } from "../changes/recover-changes.ts";
import { closeGarden, openGarden } from "../core/garden.ts";
import { git, testPorts } from "../testing/scratch.ts";
import { herWork, mayMerge, proposedMerge, workingGardens } from "./testing/working-gardens.ts";

/** Copies the garden, kills the call at this point, repeats it, and counts what it made. */
async function afterKill(template: string, point: string, act: LifeAct): Promise<string> {
  const dir = `${template}-${point}`;
  cpSync(template, dir, { recursive: true, preserveTimestamps: true });
  const { killed } = await runLife(dir, point, Date.parse("2026-02-14T09:00:00Z"), [act]);
  const garden = await openGarden(testPorts(), dir);
  try {
    await recoverChanges(garden);
    await perform(garden, act);
  } finally {
    await closeGarden(garden);
  }
  const origins = git(dir, "log", "--merges", "--format=%(trailers:key=Origin,valueonly)", "main").split("\n");
  const refs = git(dir, "for-each-ref", "--format=%(refname)", "refs/heads/agents/").split("\n").filter(Boolean);
  const own = refs.length === 0 ? "0" : git(dir, "rev-list", "--count", "--first-parent", ...refs);
  return `${point}: ${killed ? "killed" : "not killed"}, merges ${origins.filter(Boolean).length}, sessions ${refs.length} with ${own} commits`;
}

test("S-10 a merge from another garden that is killed at any point is made once by the same call", async () => {
  const gardens = await workingGardens();
  await mayMerge(gardens);
  await herWork(gardens, "scout", { "notes/cellar.md": "The cellar leaks\n" });
  await herWork(gardens, "editor", { "notes/both.md": "hers\n" });
  const [clean, conflicting] = [
    await proposedMerge(gardens.bob, "alice/scout"),
    await proposedMerge(gardens.bob, "alice/editor"),
  ];
  await closeGarden(gardens.bob);
  await closeGarden(gardens.alice);
  const approve: LifeAct = { kind: "approve", id: clean.id };
  const resolve: LifeAct = { kind: "resolve", id: conflicting.id, files: { "notes/both.md": "both\n" } };
  const rows: string[] = [];
  const points = ["apply.pinned", "apply.planned", "apply.moved", "apply.projected"];
  for (const point of points) rows.push(await afterKill(gardens.bobDir, point, approve));
  const resolving = ["resolve.spawned", "resolve.built", "resolve.committed", "resolve.proposed"];
  for (const point of resolving) rows.push(await afterKill(gardens.bobDir, point, resolve));
  expect(rows).toEqual([
    ...points.map((point) => `${point}: killed, merges 1, sessions 0 with 0 commits`),
    // Her two commits, the beginning of the session here, and the resolution.
    ...resolving.map((point) => `${point}: killed, merges 0, sessions 1 with 4 commits`),
  ]);
});
