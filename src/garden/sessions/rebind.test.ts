import { expect, test } from "vitest";
import { attempt } from "../../adapters/repo/git/testing/scratch.ts";
import { fixedWorld } from "../../base/testing/fixed-world.ts";
import { seeded } from "../../base/testing/seeded.ts";
import { isThorough } from "../../base/testing/tries.ts";
import { sessionBranch } from "../../domain/layout.ts";
import { commitWithTrace } from "./commit-with-trace.ts";
import { rebindTraces } from "./rebind-traces.ts";
import { newSpace, reopened, type SessionSpace, spawned } from "./testing/space.ts";
import { say, textsOf, traced } from "./testing/trace-checks.ts";
import { traceHistory } from "./traces.ts";

/** A session with `count` commits of one file each, every one with a trace. */
async function worked(count: number): Promise<SessionSpace> {
  const space = await newSpace({ world: fixedWorld("2026-02-14T08:00:00Z", 1000) });
  await spawned(space, "scout");
  const files: Record<string, string> = {};
  for (let i = 0; i < count; i++) {
    await say(space, `said ${i}`);
    files[`f${i}`] = `${i}\n`;
    await traced(space, "scout", files);
  }
  return space;
}

/** Every text that a commit of some branch carries. */
async function boundTexts(space: SessionSpace): Promise<Set<string>> {
  const commits = space.git("rev-list", "--branches").split("\n");
  return new Set((await Promise.all(commits.map((commit) => textsOf(space, commit)))).flat());
}
const texts = (count: number): Set<string> => new Set(Array.from({ length: count }, (_, index) => `said ${index}`));
const tip = (space: SessionSpace, at = "HEAD"): string => space.git("rev-parse", at);

const editor = (script: string): string[] => ["-c", `sequence.editor=sed -i ${script}`, "-c", "core.editor=true"];

/** Rewrites by a person on the checked-out branch of the session. */
const rewrites: readonly (readonly [name: string, rewrite: (space: SessionSpace) => void])[] = [
  ["an amended commit", ({ git }) => git("commit", "-q", "--amend", "--no-edit", "--allow-empty")],
  ["an amended commit with another message", ({ git }) => git("commit", "-q", "--amend", "-m", "Said otherwise")],
  [
    "a rebase onto another root",
    ({ git }) => {
      const root = git("commit-tree", "4b825dc642cb6eb9a060e54bf8d69288fbee4904", "-m", "Another root");
      git("rebase", "-q", "--root", "--onto", root);
    },
  ],
  [
    "a squash of the last three commits",
    ({ git }) => git(...editor("'2,3s/^pick/squash/'"), "rebase", "-q", "-i", "HEAD~3"),
  ],
  ["a fixup of the last commit", ({ git }) => git(...editor("'2s/^pick/fixup/'"), "rebase", "-q", "-i", "HEAD~2")],
  ["commits in another order", ({ git }) => git(...editor("'1{h;d};2G'"), "rebase", "-q", "-i", "HEAD~2")],
];

test.each(rewrites)("S-6 the trace stays with its change after %s", async (_, rewrite) => {
  const space = await worked(4);
  space.git("checkout", "-q", "agents/scout");
  rewrite(space);
  const rebound = await rebindTraces(space);
  expect([rebound.orphans, await boundTexts(space)]).toEqual([[], texts(4)]);
  expect(await rebindTraces(space)).toEqual({ bound: [], orphans: [] });
});

test("S-6 a cherry-pick gets the trace too, and a squash merge gets all of them", async () => {
  const space = await worked(3);
  space.git("checkout", "-q", "--orphan", "main");
  space.git("commit", "-q", "--allow-empty", "-m", "Begin");
  space.git("cherry-pick", "agents/scout");
  space.git("checkout", "-q", "-b", "squashed", "main~1");
  space.git("merge", "-q", "--squash", "--allow-unrelated-histories", "agents/scout");
  space.git("commit", "-q", "--no-edit");
  await rebindTraces(space);
  expect([await textsOf(space, tip(space, "main")), (await textsOf(space, tip(space, "squashed"))).toSorted()]).toEqual(
    [["said 2"], [...texts(3)]],
  );
  expect(space.git("cat-file", "-t", tip(space, "agents/scout"))).toBe("commit");
  expect(await textsOf(space, tip(space, "agents/scout"))).toEqual(["said 2"]);
});

test("S-6 a commit that a person dropped is reported, and its trace is kept", async () => {
  const space = await worked(3);
  const dropped = tip(space, "agents/scout");
  space.git("update-ref", sessionBranch("scout"), `${dropped}~1`);
  expect(await rebindTraces(space)).toEqual({ bound: [], orphans: [dropped] });
  expect(await textsOf(space, dropped)).toEqual(["said 2"]);
});

test("S-6 traces of commits that a gc removed are bound by the change id that they carry", async () => {
  const space = await worked(2);
  space.git("checkout", "-q", "agents/scout");
  space.git("commit", "-q", "--amend", "--no-edit", "--date=2026-03-01T00:00:00Z");
  await space.repo.close();
  space.git("reflog", "expire", "--expire=now", "--all");
  space.git("gc", "--quiet", "--prune=now");
  const again = await reopened(space.dir);
  await rebindTraces(again);
  expect(await boundTexts(again)).toEqual(texts(2));
  expect((await traceHistory(again.repo, tip(again))).map(({ why }) => why)).toEqual(["Traces bound again: 1 commits"]);
});

/** A new repository each, because a rebase takes as long as its history: 500 rewrites in `npm run soak`. */
const rounds = Array.from({ length: isThorough ? 25 : 1 }, (_, index) => index + 1);
const REWRITES = isThorough ? 20 : 10;

test.each(rounds)(`S-6 ${REWRITES} random rewrites leave no trace behind, round %i`, async (seed) => {
  const space = await worked(6);
  const random = seeded(seed);
  space.git("checkout", "-q", "agents/scout");
  const count = { said: 6, done: 0 };
  for (let tried = 0; count.done < REWRITES && tried < 4 * REWRITES; tried++) {
    const [, rewrite] = rewrites[Math.floor(random() * rewrites.length)]!;
    try {
      rewrite(space);
      count.done++;
    } catch {
      attempt(space.dir, "rebase", "--abort"); // a conflict, or too few commits: the person gives up
    }
    if (random() < 0.5) expect((await rebindTraces(space)).orphans).toEqual([]);
    await workMore(space, count, `r${tried}`);
  }
  expect((await rebindTraces(space)).orphans).toEqual([]);
  expect([count.done, await boundTexts(space)]).toEqual([REWRITES, texts(count.said)]);
  expect(space.git("fsck", "--strict", "--no-dangling")).toBe("");
});

/** Two more commits on the branch that the person has checked out. */
async function workMore(space: SessionSpace, count: { said: number }, name: string): Promise<void> {
  for (const part of ["a", "b"]) {
    await say(space, `said ${count.said++}`);
    const done = await commitWithTrace(space, "scout", {
      expect: tip(space),
      kind: "finding",
      message: `Work ${name}${part}`,
      tree: { edits: [{ path: `${name}${part}`, bytes: Buffer.from(`${name}${part}\n`) }] },
    });
    expect(done.kind).toBe("committed");
  }
}
