import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { byHand, scratch } from "../../../adapters/repo/git/testing/scratch.ts";
import type { Oid } from "../../../domain/git/git-names.ts";
import { sessionBranch } from "../../../domain/layout.ts";
import { SUB_AGENT_OF } from "../../../domain/session/edges.ts";
import type { FileMode } from "../../../ports/repo.ts";
import { readEdges } from "../edge-stream.ts";
import { spawnSessionAt, spawnSessionFrom } from "../spawn-session.ts";
import { briefingOf, genesisOf, sessionHead, sessionHeads, sessionLog } from "../topology.ts";
import { commitAt, committed, one, pathsAt } from "./branch-checks.ts";
import type { SessionCheck } from "./object-checks.ts";
import { codeOf, commitOfSpawn, file, newSpace, reopened, type SessionSpace, spawned } from "./space.ts";

/** A parent with one commit, and a child that forked from it. */
export async function family(): Promise<SessionSpace & { root: Oid; fork: Oid; child: Oid }> {
  const space = await one();
  const fork = await committed(space, "scout", { a: "1", b: "1" });
  const child = commitOfSpawn(await spawnSessionFrom(space, "scout", { name: "helper", briefing: { goal: "Help" } }));
  return { ...space, fork, child };
}

/** The newest commit that both sessions contain; undefined for two without common history. */
const forkPoint = async ({ repo }: SessionSpace, a: string, b: string): Promise<Oid | undefined> =>
  repo.mergeBase(await sessionHead(repo, a), await sessionHead(repo, b));

/** B34 to B47. */
export const topologyChecks: readonly SessionCheck[] = [
  [
    "spawn-from forks at the head",
    async () => {
      const space = await family();
      expect((await commitAt(space, space.child)).parents).toEqual([space.fork]);
    },
  ],
  [
    "spawn-from inherits the tree",
    async () => {
      const space = await family();
      expect((await commitAt(space, space.child)).tree).toBe((await commitAt(space, space.fork)).tree);
    },
  ],
  [
    "sub-agent-of edge",
    async () => {
      const { repo } = await family();
      expect((await readEdges(repo)).all()).toEqual([{ kind: SUB_AGENT_OF, from: "helper", to: "scout" }]);
    },
  ],
  [
    "parent recorded in the commit too",
    async () => {
      const space = await family();
      expect((await commitAt(space, space.child)).typed.fields["parent"]).toBe("scout");
    },
  ],
  [
    "own briefing, not the parent’s",
    async () => {
      const { repo } = await family();
      expect((await briefingOf(repo, "helper"))!.goal).toBe("Help");
    },
  ],
  [
    "spawn-from unknown parent",
    async () => {
      const space = await one();
      expect(await codeOf(spawnSessionFrom(space, "nobody-here", { name: "x", briefing: { goal: "g" } }))).toBe(
        "NOT_FOUND",
      );
    },
  ],
  [
    "spawn-at arbitrary commit",
    async () => {
      const space = await family();
      const at = commitOfSpawn(await spawnSessionAt(space, space.root, { name: "late", briefing: { goal: "g" } }));
      expect((await commitAt(space, at)).parents).toEqual([space.root]);
    },
  ],
  [
    "spawn-at a non-commit",
    async () => {
      const space = await family();
      const blob = space.git("rev-parse", `${space.fork}:a`);
      const codes = await Promise.all(
        [blob, "1".repeat(40), "main"].map((at) =>
          codeOf(spawnSessionAt(space, at, { name: "x", briefing: { goal: "g" } })),
        ),
      );
      expect(codes).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
    },
  ],
  [
    "agents lists sorted",
    async () => {
      const space = await newSpace();
      for (const name of ["zoe", "ada", "m-1"]) await spawned(space, name);
      space.git("update-ref", "refs/heads/agents/of/a-person", await sessionHead(space.repo, "zoe"));
      expect((await sessionHeads(space.repo)).map(({ name }) => name)).toEqual(["ada", "m-1", "zoe"]);
    },
  ],
  [
    "session-log newest first, only own",
    async () => {
      const space = await family();
      const work = await committed(space, "helper", { a: "2", b: "1" });
      expect((await sessionLog(space.repo, "helper")).commits.map(({ commit }) => commit.oid)).toEqual([
        work,
        space.child,
      ]);
      expect((await sessionLog(space.repo, "scout")).commits.map(({ commit }) => commit.oid)).toEqual([
        space.fork,
        space.root,
      ]);
    },
  ],
  [
    "genesis of child is its own spawn",
    async () => {
      const space = await family();
      expect((await genesisOf(space.repo, "helper"))?.commit.oid).toBe(space.child);
    },
  ],
  [
    "fork-point = merge-base",
    async () => {
      const space = await family();
      await committed(space, "scout", { c: "1" });
      expect(await forkPoint(space, "scout", "helper")).toBe(space.fork);
    },
  ],
  [
    "fork-point symmetric",
    async () => {
      const space = await family();
      await committed(space, "scout", { c: "1" });
      expect(await forkPoint(space, "helper", "scout")).toBe(space.fork);
    },
  ],
  [
    "fork-point of unrelated roots is null",
    async () => {
      const space = await one();
      await spawned(space, "other");
      expect(await forkPoint(space, "scout", "other")).toBeUndefined();
    },
  ],
];

/** B65 to B70. */
export const plainGitChecks: readonly SessionCheck[] = [
  [
    "edges survive reopen",
    async () => {
      const space = await family();
      expect((await readEdges((await reopened(space.dir)).repo)).all()).toEqual((await readEdges(space.repo)).all());
    },
  ],
  [
    "unicode paths round trip",
    async () => {
      const space = await one();
      const path = "нотатки/їжак 🦔.md";
      const at = await committed(space, "scout", { [path]: "x" });
      expect([
        await pathsAt(space, at),
        space.git("-c", "core.quotePath=false", "ls-tree", "-r", "--name-only", at),
      ]).toEqual([[path], path]);
    },
  ],
  [
    "executable mode kept",
    async () => {
      const space = await one();
      const modeAt = async (at: Oid): Promise<FileMode> => (await space.repo.read(at, "run.sh"))!.mode;
      const run = { bytes: Buffer.from("#!/bin/sh\n"), mode: "100755" as const };
      const first = await committed(space, "scout", {}, { tree: { files: new Map([["run.sh", run]]) } });
      const known = (await space.repo.list(first, "")).map(({ path, oid, mode }) => [path, { oid, mode }] as const);
      const second = await committed(space, "scout", {}, { tree: { files: new Map([...known, ["b", file("1")]]) } });
      expect([await modeAt(first), await modeAt(second)]).toEqual(["100755", "100755"]);
    },
  ],
  [
    "reflog records the reason",
    async () => {
      const space = await one();
      await committed(space, "scout", { a: "1" });
      expect(space.git("reflog", "show", "--format=%gs", sessionBranch("scout")).split("\n")).toEqual([
        "bloom commit",
        "bloom spawn",
      ]);
    },
  ],
  ["fsck clean", async () => expect((await family()).git("fsck", "--strict", "--no-dangling")).toBe("")],
  [
    "a plain git client can check the branch out",
    async () => {
      const space = await family();
      const clone = join(scratch(), "clone");
      byHand(space.dir, "clone", "-q", "--branch", "agents/scout", space.dir, clone);
      expect(readFileSync(join(clone, "a"), "utf8")).toBe("1");
    },
  ],
];
