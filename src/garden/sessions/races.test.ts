import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { environment } from "../../adapters/repo/git/testing/scratch.ts";
import { prove } from "../../base/testing/prove.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { TRACE_REF } from "../../domain/layout.ts";
import { edgeEvents } from "./edge-stream.ts";
import type { ActorTask } from "./testing/actor.ts";
import { newSpace, type SessionSpace, spawned } from "./testing/space.ts";
import { sessionLog } from "./topology.ts";
import { pendingTrace } from "./trace-buffer.ts";

const PROCESSES = ["p0", "p1", "p2", "p3", "p4", "p5"];

/** Six processes at once; what they printed. */
async function race(space: SessionSpace, task: Pick<ActorTask, "act" | "count">): Promise<string[]> {
  const program = testProgram(join(import.meta.dirname, "testing/actor.ts"));
  const ran = await Promise.all(
    PROCESSES.map((name) =>
      ranNode([program, JSON.stringify({ ...task, dir: space.dir, session: "scout", name })], {
        env: environment,
      }),
    ),
  );
  prove({ races: 1 });
  expect(ran.map(({ status, stderr }) => [status, stderr])).toEqual(PROCESSES.map(() => [0, ""]));
  return ran.flatMap(({ stdout }) => stdout.trim().split("\n"));
}

async function spawnedSpace(): Promise<SessionSpace> {
  const space = await newSpace();
  await spawned(space, "scout");
  return space;
}
const isClean = (space: SessionSpace): void => expect(space.git("fsck", "--strict", "--no-dangling")).toBe("");

/** X6, of six answers to one request, belongs to durable sessions. X7 (`fsck` clean) is part of each. */
describe("S-2 S-3 S-4 S-6 six processes at once", () => {
  test("X1. 6 processes spawn one name: exactly one ok, five conflicts", async () => {
    const space = await newSpace();
    const answers = await race(space, { act: "spawn", count: 1 });
    expect(answers.toSorted()).toEqual([...Array.from({ length: 5 }, () => "conflict"), "spawned"]);
    isClean(space);
  });

  test("X2. 60 CAS commits by 6 processes: none lost", async () => {
    const space = await spawnedSpace();
    const claimed = await race(space, { act: "commit", count: 10 });
    const { commits } = await sessionLog(space.repo, "scout");
    expect([commits.length, (await space.repo.list(commits[0]!.commit.oid, "")).length]).toEqual([61, 60]);
    expect(
      commits
        .slice(0, -1)
        .map(({ commit }) => commit.oid)
        .toSorted(),
    ).toEqual(claimed.toSorted());
    isClean(space);
  });

  test("X3. 60 notes by 6 processes: none lost", async () => {
    const space = await spawnedSpace();
    const claimed = await race(space, { act: "traced", count: 10 });
    const noted = space
      .git("notes", `--ref=${TRACE_REF}`, "list")
      .split("\n")
      .map((line) => line.split(" ")[1]!);
    expect(noted.toSorted()).toEqual(claimed.toSorted());
    isClean(space);
  });

  test("X4. 150 trace appends by 6 processes: none lost, none torn", async () => {
    const space = await spawnedSpace();
    await race(space, { act: "record", count: 25 });
    const texts = (await pendingTrace(space, "scout")).entries.map(({ text }) => text);
    const wanted = PROCESSES.flatMap((name) =>
      Array.from({ length: 25 }, (_, index) => `${name} ${index} ${"x".repeat(300)}`),
    );
    expect(texts.toSorted()).toEqual(wanted.toSorted());
  });

  test("X5. 60 edges by 6 processes: none lost", async () => {
    const space = await spawnedSpace();
    await race(space, { act: "edge", count: 10 });
    const wanted = PROCESSES.flatMap((name) => Array.from({ length: 10 }, (_, index) => `${name}-${index}`));
    expect((await edgeEvents(space.repo)).map(({ to }) => to).toSorted()).toEqual(wanted.toSorted());
    isClean(space);
  });
});
