import { expect } from "vitest";
import type { Oid } from "../../../domain/git/git-names.ts";
import { MERGES } from "../../../domain/session/edges.ts";
import { readEdges } from "../edge-stream.ts";
import { mergeSession, resolveSessionMerge, type SessionMerged } from "../merge-session.ts";
import { sessionHead, sessionLog } from "../topology.ts";
import { commitAt, committed, pathsAt } from "./branch-checks.ts";
import type { SessionCheck } from "./object-checks.ts";
import { filesOf, newSpace, type SessionSpace, spawned } from "./space.ts";
import { family } from "./topology-checks.ts";

type Family = SessionSpace & { readonly root: Oid; readonly fork: Oid; readonly child: Oid };

const commitOf = (merged: SessionMerged): Oid => {
  if (merged.kind !== "merged") throw new Error(merged.kind);
  return merged.commit;
};
const back = { into: "scout", from: "helper" } as const;

/** Both sides changed different files. */
async function apart(): Promise<Family & { ours: Oid; theirs: Oid }> {
  const space = await family();
  const theirs = await committed(space, "helper", { a: "1", b: "theirs" });
  const ours = await committed(space, "scout", { a: "ours", b: "1" });
  return { ...space, ours, theirs };
}

/** Both sides changed one line. */
async function clashing(): Promise<Family & { ours: Oid; theirs: Oid }> {
  const space = await family();
  const theirs = await committed(space, "helper", { a: "theirs", b: "1" });
  const ours = await committed(space, "scout", { a: "ours", b: "1" });
  return { ...space, ours, theirs };
}

const resolution = (space: { ours: Oid; theirs: Oid }) => ({
  ...back,
  ours: space.ours,
  theirs: space.theirs,
  tree: filesOf({ a: "both", new: "n" }),
});

/** B48 to B64. */
export const mergeChecks: readonly SessionCheck[] = [
  ["session merge ok", async () => expect(await mergeSession(await apart(), back)).toMatchObject({ kind: "merged" })],
  [
    "two parents, ours first",
    async () => {
      const space = await apart();
      expect((await commitAt(space, commitOf(await mergeSession(space, back)))).parents).toEqual([
        space.ours,
        space.theirs,
      ]);
    },
  ],
  [
    "no-ff even when ff is possible",
    async () => {
      const space = await family();
      const theirs = await committed(space, "helper", { a: "2", b: "1" });
      const merge = await commitAt(space, commitOf(await mergeSession(space, back)));
      expect([merge.parents, merge.tree]).toEqual([[space.fork, theirs], (await commitAt(space, theirs)).tree]);
    },
  ],
  [
    "merged-agent metadata",
    async () => {
      const space = await apart();
      const { typed } = await commitAt(space, commitOf(await mergeSession(space, back)));
      expect([typed.kind, typed.fields["merged"], typed.fields["agent"]]).toEqual(["session-merge", "helper", "scout"]);
    },
  ],
  [
    "merged content",
    async () => {
      const space = await apart();
      const at = commitOf(await mergeSession(space, back));
      expect([space.git("show", `${at}:a`), space.git("show", `${at}:b`)]).toEqual(["ours", "theirs"]);
    },
  ],
  [
    "merges edge",
    async () => {
      const space = await apart();
      await mergeSession(space, back);
      expect((await readEdges(space.repo)).outOf(MERGES, "scout")).toEqual(["helper"]);
    },
  ],
  [
    "up-to-date passes through",
    async () => {
      const space = await apart();
      const at = commitOf(await mergeSession(space, back));
      expect([await mergeSession(space, back), await sessionHead(space.repo, "scout")]).toEqual([
        { kind: "up-to-date" },
        at,
      ]);
    },
  ],
  [
    "source branch untouched by merge",
    async () => {
      const space = await apart();
      await mergeSession(space, back);
      expect(await sessionHead(space.repo, "helper")).toBe(space.theirs);
    },
  ],
  [
    "session-log continues through the merge by first parent",
    async () => {
      const space = await apart();
      const at = commitOf(await mergeSession(space, back));
      const after = await committed(space, "scout", { c: "1" });
      expect((await sessionLog(space.repo, "scout")).commits.map(({ commit }) => commit.oid)).toEqual([
        after,
        at,
        space.ours,
        space.fork,
        space.root,
      ]);
    },
  ],
  [
    "conflict reported with paths",
    async () => {
      const space = await clashing();
      expect(await mergeSession(space, back)).toMatchObject({
        kind: "conflicts",
        ours: space.ours,
        theirs: space.theirs,
        conflicts: [
          {
            path: "a",
            hunks: [{ line: 1, ours: expect.stringContaining("ours"), theirs: expect.stringContaining("theirs") }],
          },
        ],
      });
    },
  ],
  [
    "conflict commits nothing",
    async () => {
      const space = await clashing();
      const before = space.git("for-each-ref");
      await mergeSession(space, back);
      expect(space.git("for-each-ref")).toBe(before);
    },
  ],
  [
    "conflict asserts no edge",
    async () => {
      const space = await clashing();
      await mergeSession(space, back);
      expect((await readEdges(space.repo)).all().filter(({ kind }) => kind === MERGES)).toEqual([]);
    },
  ],
  [
    "resolve: same two-parent shape",
    async () => {
      const space = await clashing();
      const merge = await commitAt(space, commitOf(await resolveSessionMerge(space, resolution(space))));
      expect([merge.parents, merge.typed.kind, merge.typed.fields["merged"]]).toEqual([
        [space.ours, space.theirs],
        "session-merge",
        "helper",
      ]);
    },
  ],
  [
    "resolve uses the given worktree verbatim",
    async () => {
      const space = await clashing();
      const at = commitOf(await resolveSessionMerge(space, resolution(space)));
      expect([await pathsAt(space, at), space.git("show", `${at}:a`)]).toEqual([["a", "new"], "both"]);
    },
  ],
  [
    "resolve asserts the edge",
    async () => {
      const space = await clashing();
      await resolveSessionMerge(space, resolution(space));
      expect((await readEdges(space.repo)).has({ kind: MERGES, from: "scout", to: "helper" })).toBe(true);
    },
  ],
  [
    "resolve is CAS too",
    async () => {
      const space = await clashing();
      const head = await committed(space, "scout", { a: "moved", b: "1" });
      const mine = await resolveSessionMerge(space, resolution(space));
      const moved = await committed(space, "helper", { a: "moved", b: "2" });
      const theirs = await resolveSessionMerge(space, { ...resolution(space), ours: head });
      expect([mine, theirs, await sessionHead(space.repo, "scout")]).toEqual([
        { kind: "conflict", head },
        { kind: "conflict", head: moved },
        head,
      ]);
    },
  ],
  [
    "merge of unrelated histories works",
    async () => {
      const space = await newSpace({ bare: true });
      for (const name of ["scout", "helper"]) {
        await spawned(space, name);
        await committed(space, name, { [name]: "1" });
      }
      expect(await pathsAt(space, commitOf(await mergeSession(space, back)))).toEqual(["helper", "scout"]);
    },
  ],
];
