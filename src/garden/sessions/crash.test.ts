import { join } from "node:path";
import { expect, test } from "vitest";
import { environment } from "../../adapters/repo/git/testing/scratch.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { isThorough } from "../../base/testing/tries.ts";
import { edgeEvents } from "./edge-stream.ts";
import type { ActorTask } from "./testing/actor.ts";
import { committed } from "./testing/branch-checks.ts";
import { newSpace, reopened, type SessionSpace, spawned } from "./testing/space.ts";
import { say } from "./testing/trace-checks.ts";
import { sessionLog } from "./topology.ts";
import { pendingTrace } from "./trace-buffer.ts";
import { sessionTraces } from "./traces.ts";

const program = testProgram(join(import.meta.dirname, "testing/actor.ts"));
const act = async (dir: string, task: Pick<ActorTask, "act" | "name" | "crashAt">): Promise<NodeJS.Signals | null> =>
  (
    await ranNode([program, JSON.stringify({ dir, session: "scout", count: 1, ...task })], {
      env: environment,
    })
  ).signal;

/** A session with a helper that has work to merge, and two entries that no commit has. */
async function ground(): Promise<SessionSpace> {
  const space = await newSpace();
  await spawned(space, "scout");
  await spawned(space, "helper");
  await committed(space, "helper", { h: "1" });
  await say(space, "one");
  await say(space, "two");
  return space;
}

/** Everything that an act may change. */
async function state(
  dir: string,
): Promise<{ commits: number; merges: number; texts: string[]; edges: number; child: boolean }> {
  const space = await reopened(dir);
  const { commits } = await sessionLog(space.repo, "scout");
  const traces = await sessionTraces(space.repo, "scout");
  const texts = traces.flatMap(({ traces: bound }) => bound.flatMap(({ entries }) => entries.map(({ text }) => text)));
  return {
    commits: commits.length,
    merges: commits.filter(({ commit }) => commit.parents.length === 2).length,
    texts: [...texts, ...(await pendingTrace(space, "scout")).entries.map(({ text }) => text)],
    edges: (await edgeEvents(space.repo)).length,
    child: (await space.repo.resolve("refs/heads/agents/child")) !== undefined,
  };
}

const own: readonly (readonly [ActorTask["act"], string, readonly string[]])[] = [
  ["spawn-from", "child", ["session.spawn.built", "session.spawn.landed"]],
  ["commit", "work", ["session.commit.built", "session.commit.landed"]],
  ["traced", "work", ["session.drain.built", "session.drain.landed", "session.drain.cursor"]],
  ["merge", "helper", ["session.merge.built", "session.merge.landed"]],
];
/** The points of the repository below; the last ones lie inside the move of the refs. */
const below = [
  "repo.move.packed",
  "repo.move.before-swap",
  "repo.move.prepared",
  "repo.move.after-swap",
  "repo.move.after-ref-sync",
];
const cells = own.flatMap(([verb, name, points]) =>
  [...points, ...(isThorough ? below : below.slice(2, 4))].map((crashAt) => ({ verb, name, crashAt })),
);

test.each(cells)(
  "S-2 S-3 S-5 S-6 $verb killed at $crashAt happened or not, loses and doubles nothing",
  async ({ verb, name, crashAt }) => {
    const space = await ground();
    const before = await state(space.dir);
    const after = {
      ...before,
      ...(verb === "spawn-from" && { edges: 1, child: true }),
      ...((verb === "commit" || verb === "traced") && { commits: 2 }),
      ...(verb === "merge" && { commits: 2, merges: 1, edges: 1 }),
    };
    const signal = await act(space.dir, { act: verb, name, crashAt });
    const found = await state(space.dir);
    expect([before, after]).toContainEqual(found);
    if (/landed|cursor|after/.test(crashAt)) expect(found).toEqual(after);
    if (signal === "SIGKILL" && found.commits === 1 && !found.child) {
      await act(space.dir, { act: verb, name });
      expect(await state(space.dir)).toEqual(after);
    }
    expect(space.git("fsck", "--strict", "--no-dangling")).toBe("");
  },
);
