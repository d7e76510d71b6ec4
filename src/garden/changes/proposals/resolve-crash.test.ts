import { cpSync } from "node:fs";
import { expect, test } from "vitest";
import { commandLineOwner } from "../../../domain/identity.ts";
import { MAIN_REF } from "../../../domain/layout.ts";
import type { Proposal } from "../../../domain/proposal/proposal.ts";
import { closeGarden, type Garden, openGarden } from "../../core/garden.ts";
import { commitSession } from "../../sessions/commit-session.ts";
import { spawnSessionAt } from "../../sessions/spawn-session.ts";
import { closed, files, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { type LifeAct, perform } from "../apply/testing/life-acts.ts";
import { runLife } from "../apply/testing/run-life.ts";
import { receive } from "../inbox/receive.ts";
import { decide } from "./decide.ts";
import { listPending } from "./list-proposals.ts";

const NOW = Date.parse("2026-02-14T09:00:00Z");

/** A session that changed one file, and the proposal to merge it. */
async function proposedWork(garden: Garden, name: string, path: string): Promise<Proposal> {
  const at = (await garden.repo.resolve(MAIN_REF))!;
  const spawned = await spawnSessionAt(garden, at, { name, briefing: { goal: "Tidy" } });
  if (spawned.kind !== "spawned") throw new Error(spawned.kind);
  const tree = { edits: [{ path, bytes: Buffer.from("theirs\n") }] };
  await commitSession(garden, name, { expect: spawned.commit, kind: "refactor", message: "Tidy", tree });
  const got = await receive(garden, {
    identity: commandLineOwner,
    action: "propose-merge",
    payload: { session: name },
  });
  if (got.kind === "refused") throw got.failure;
  return got.proposal;
}

/** The state of a garden after the call was killed at a point, and repeated. */
async function afterKill(template: string, point: string, act: LifeAct, session: string): Promise<unknown> {
  const dir = `${template}-${point}`;
  cpSync(template, dir, { recursive: true, preserveTimestamps: true });
  const { killed } = await runLife(dir, point, NOW, [act]);
  const garden = await openGarden(testPorts(), dir);
  try {
    const told = await perform(garden, act);
    const branch = git(dir, "branch", "--list", session, "--format=%(refname:short)");
    return {
      killed,
      told: Array.isArray(told) ? told.map(({ status }) => status) : told,
      waiting: (await listPending(garden, {})).proposals.filter(({ target }) => target === branch).length,
      commits: Number(git(dir, "rev-list", "--first-parent", "--count", `main..${branch}`)),
    };
  } finally {
    await closeGarden(garden);
  }
}

test("S-5 P-10b a resolution and a revert that are killed are completed by the same call, and doubled by none", async () => {
  const made = await gardenWith({ "notes/a.md": "one\n", "notes/b.md": "B\n" });
  const { garden, dir } = made;
  const applied = await proposedWork(garden, "first", "notes/b.md");
  const { id, digest } = applied;
  await decide(garden, { proposal: id, verdict: "approve", digest, by: commandLineOwner });
  const open = await proposedWork(garden, "second", "notes/a.md");
  files(dir, { "notes/a.md": "ours\n" });
  git(dir, "-c", "user.name=O", "-c", "user.email=o@example.org", "commit", "-qam", "By hand");
  await closed(made);

  const resolve: LifeAct = { kind: "resolve", id: open.id, files: { "notes/a.md": "both\n" } };
  const resolved = { killed: true, told: ["rejected", "pending"], waiting: 1, commits: 3 };
  for (const point of ["resolve.built", "resolve.committed", "resolve.proposed"])
    expect([point, await afterKill(dir, point, resolve, "agents/second")]).toEqual([point, resolved]);
  const revert: LifeAct = { kind: "revert", id, token: "A mistake" };
  expect(await afterKill(dir, "revert.spawned", revert, "agents/revert-*")).toEqual({
    killed: true,
    told: ["pending"],
    waiting: 1,
    commits: 2,
  });
});
