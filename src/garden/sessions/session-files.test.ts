import { expect, test } from "vitest";
import { byHand } from "../../adapters/repo/git/testing/scratch.ts";
import { mergeSession } from "./merge-session.ts";
import { sessionCommitFiles, sessionCommitSizes } from "./session-files.ts";
import { sessionGraph } from "./session-graph.ts";
import { spawnSessionAt, spawnSessionFrom } from "./spawn-session.ts";
import { committed } from "./testing/branch-checks.ts";
import { codeOf, newSpace, type SessionSpace, spawned } from "./testing/space.ts";

/** A space whose main has two commits. */
async function withMain(): Promise<SessionSpace> {
  const space = await newSpace();
  for (const text of ["one", "two"])
    byHand(space.dir, "commit", "-q", "--allow-empty", "-m", text, "--date=2026-02-01T00:00:00Z");
  return space;
}

test("S-4 the graph has the commits of each branch, where it began, and main's own commits since then", async () => {
  const space = await withMain();
  const main = space.git("rev-parse", "main");
  await spawnSessionAt(space, main, { name: "scout", briefing: { goal: "Find the leak" } });
  await committed(space, "scout", { "a.md": "a\n" });
  await spawnSessionFrom(space, "scout", { name: "helper", briefing: { goal: "Links" } });
  await committed(space, "helper", { "a.md": "a\n", "b.md": "b\n" });
  const merged = await mergeSession(space, { into: "scout", from: "helper" });
  const { main: ofMain, lanes } = await sessionGraph(space.repo, ["scout", "helper", "scout", "nobody"]);
  const scout = lanes[0]!;
  expect({
    names: lanes.map(({ name, goal }) => [name, goal]),
    began: scout.from,
    helperBegan: lanes[1]!.from === scout.commits[1]!.commit,
    kinds: scout.commits.map(({ kind }) => kind),
    merge: [merged.kind === "merged" && scout.commits[0]!.commit === merged.commit, scout.commits[0]!.merged],
    second: scout.commits[0]!.parents[1] === lanes[1]!.commits[0]!.commit,
    main: ofMain.map(({ message }) => message),
    none: await sessionGraph(space.repo, ["nobody"]),
  }).toEqual({
    names: [
      ["scout", "Find the leak"],
      ["helper", "Links"],
    ],
    began: main,
    helperBegan: true,
    kinds: ["session-merge", "finding", "spawn"],
    merge: [true, "helper"],
    second: true,
    main: ["two"],
    none: { main: [], lanes: [] },
  });
});

test("S-4 a commit of a session shows its files with their lines and patches; a picture has neither", async () => {
  const space = await newSpace();
  await spawned(space, "scout");
  await committed(space, "scout", { "a.md": "one\ntwo\n", "gone.md": "x\n" });
  const oid = await committed(space, "scout", { "a.md": "one\nthree\nfour\n", "p.png": "\0" }, { body: "More words." });
  const { files, body, more } = await sessionCommitFiles(space.repo, "scout", oid);
  const [changed, gone, picture] = files;
  expect({
    changed: [changed!.path, changed!.change, changed!.added, changed!.removed],
    patch: changed!.patch?.includes("\n-two\n+three\n+four\n"),
    gone: [gone!.path, gone!.change, gone!.removed],
    picture,
    rest: [body, more],
    sizes: (await sessionCommitSizes(space.repo, "scout")).map(({ files: count, added, removed }) => [
      count,
      added,
      removed,
    ]),
    elsewhere: await codeOf(sessionCommitFiles(space.repo, "scout", "a".repeat(40))),
  }).toEqual({
    changed: ["a.md", "changed", 2, 1],
    patch: true,
    gone: ["gone.md", "removed", 1],
    picture: { path: "p.png", change: "added" },
    rest: ["More words.", 0],
    sizes: [
      [3, 2, 2],
      [2, 3, 0],
      [0, 0, 0],
    ],
    elsewhere: "NOT_FOUND",
  });
});
