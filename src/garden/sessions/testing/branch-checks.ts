import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Oid } from "../../../domain/git/git-names.ts";
import { sessionBranch, sessionDossier } from "../../../domain/layout.ts";
import { decodeTypedCommit, type TypedCommit } from "../../../domain/session/typed-commit.ts";
import type { Commit } from "../../../ports/repo.ts";
import { commitSession, type SessionCommitWish } from "../commit-session.ts";
import type { SessionGarden } from "../session-garden.ts";
import { spawnSession } from "../spawn-session.ts";
import { briefingOf, sessionHead } from "../topology.ts";
import type { SessionCheck } from "./object-checks.ts";
import { codeOf, filesOf, newSpace, type SessionSpace, spawned } from "./space.ts";

const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** A commit with these files, and only these, on top of the session's head. */
export async function committed(
  space: SessionGarden,
  name: string,
  files: Readonly<Record<string, string>>,
  more: Partial<SessionCommitWish> = {},
): Promise<Oid> {
  const head = await sessionHead(space.repo, name);
  const done = await commitSession(space, name, {
    expect: head,
    kind: "finding",
    message: `Files of ${name}`,
    tree: filesOf(files),
    ...more,
  });
  if (done.kind !== "committed") throw new Error(done.kind);
  return done.commit;
}

export const commitAt = async (space: SessionGarden, at: Oid): Promise<Commit & { readonly typed: TypedCommit }> => {
  const commit = await space.repo.commit(at);
  return { ...commit, typed: decodeTypedCommit(commit.message)! };
};
export const pathsAt = async (space: SessionGarden, at: Oid): Promise<string[]> =>
  (await space.repo.list(at, "")).map(({ path }) => path);

export const one = async (): Promise<SessionSpace & { root: Oid }> => {
  const space = await newSpace({ bare: true });
  return { ...space, root: await spawned(space, "scout", "Find the leak") };
};
const badName = (name: string): SessionCheck => [
  `bad agent name ${JSON.stringify(name.length > 60 ? "x".repeat(12) : name)}`,
  async () => {
    const space = await newSpace({ bare: true });
    expect(await codeOf(spawnSession(space, { name, briefing: { goal: "g" } }))).toBe("VALIDATION_FAILED");
    expect(space.git("for-each-ref")).toBe("");
  },
];

/** B1 to B22. */
export const spawnChecks: readonly SessionCheck[] = [
  [
    "spawn ok",
    async () =>
      expect(await spawnSession(await newSpace(), { name: "a", briefing: { goal: "g" } })).toMatchObject({
        kind: "spawned",
      }),
  ],
  [
    "branch name",
    async () => {
      const { git, root } = await one();
      expect(git("rev-parse", "refs/heads/agents/scout")).toBe(root);
    },
  ],
  [
    "root genesis has no parents",
    async () => {
      const space = await one();
      expect((await commitAt(space, space.root)).parents).toEqual([]);
    },
  ],
  [
    "root genesis has the empty tree",
    async () => {
      const space = await one();
      expect((await commitAt(space, space.root)).tree).toBe(EMPTY_TREE);
    },
  ],
  [
    "genesis kind",
    async () => {
      const space = await one();
      expect((await commitAt(space, space.root)).typed.kind).toBe("spawn");
    },
  ],
  [
    "genesis carries briefing id",
    async () => {
      const space = await one();
      const id = space.git("rev-parse", `${sessionDossier("scout")}:briefing.json`);
      expect((await commitAt(space, space.root)).typed.fields["briefing"]).toBe(id);
    },
  ],
  [
    "briefing-of",
    async () => {
      const { repo } = await one();
      expect(await briefingOf(repo, "scout")).toEqual({ type: "briefing", goal: "Find the leak" });
    },
  ],
  [
    "create-only: conflict value, not an exception",
    async () => {
      const space = await one();
      expect(await spawnSession(space, { name: "scout", briefing: { goal: "Another" } })).toMatchObject({
        kind: "conflict",
      });
    },
  ],
  [
    "conflict changed nothing",
    async () => {
      const space = await one();
      const before = space.git("for-each-ref");
      await spawnSession(space, { name: "scout", briefing: { goal: "Another" } });
      expect(space.git("for-each-ref")).toBe(before);
    },
  ],
  [
    "spawn is atomic: dossier exists with the branch",
    async () => {
      const { git } = await one();
      expect(git("for-each-ref", "--format=%(refname)").split("\n")).toEqual([
        sessionDossier("scout"),
        sessionBranch("scout"),
      ]);
    },
  ],
  [
    "spawn refused if only the dossier is taken",
    async () => {
      const space = await one();
      space.git("update-ref", "-d", sessionBranch("scout"));
      expect(await spawnSession(space, { name: "scout", briefing: { goal: "x" } })).toMatchObject({
        kind: "conflict",
        ref: sessionDossier("scout"),
      });
      expect(await space.repo.resolve(sessionBranch("scout"))).toBeUndefined();
    },
  ],
  ...["A", "a/b", "a..b", "-a", "a-", "", "a b", "агент", "a.lock", "@", "x".repeat(64)].map(badName),
];

/** B23 to B33. */
export const commitChecks: readonly SessionCheck[] = [
  [
    "commit advances",
    async () => {
      const space = await one();
      const next = await committed(space, "scout", { a: "1" });
      expect(await sessionHead(space.repo, "scout")).toBe(next);
    },
  ],
  [
    "parent is the old head",
    async () => {
      const space = await one();
      expect((await commitAt(space, await committed(space, "scout", { a: "1" }))).parents).toEqual([space.root]);
    },
  ],
  [
    "briefing propagates",
    async () => {
      const space = await one();
      const briefing = (await commitAt(space, space.root)).typed.fields["briefing"];
      await committed(space, "scout", { a: "1" });
      expect((await commitAt(space, await committed(space, "scout", { a: "2" }))).typed.fields["briefing"]).toBe(
        briefing,
      );
    },
  ],
  [
    "agent identity propagates",
    async () => {
      const space = await one();
      expect((await commitAt(space, await committed(space, "scout", { a: "1" }))).typed.fields["agent"]).toBe("scout");
    },
  ],
  [
    "files read back",
    async () => {
      const space = await one();
      const at = await committed(space, "scout", { "n/a.md": "один\n", b: "2" });
      expect([
        space.git("show", `${at}:n/a.md`),
        Buffer.from((await space.repo.read(at, "b"))!.bytes).toString(),
      ]).toEqual(["один", "2"]);
    },
  ],
  [
    "snapshot is full: an absent path is gone",
    async () => {
      const space = await one();
      await committed(space, "scout", { a: "1", "b/c": "2" });
      expect(await pathsAt(space, await committed(space, "scout", { a: "1" }))).toEqual(["a"]);
    },
  ],
  [
    "same worktree value = same tree id",
    async () => {
      const space = await one();
      await spawned(space, "other");
      await committed(space, "other", { z: "old", "x/y": "old" });
      const trees = await Promise.all(
        ["scout", "other"].map(
          async (name) => (await commitAt(space, await committed(space, name, { a: "1", "x/z": "2" }))).tree,
        ),
      );
      expect(trees[0]).toBe(trees[1]);
    },
  ],
  [
    "stale expect → conflict, head untouched",
    async () => {
      const space = await one();
      const head = await committed(space, "scout", { a: "1" });
      const late = await commitSession(space, "scout", {
        expect: space.root,
        kind: "test",
        message: "m",
        tree: filesOf({ b: "2" }),
      });
      expect([late, await sessionHead(space.repo, "scout")]).toEqual([{ kind: "conflict", head }, head]);
    },
  ],
  [
    "commit on unknown agent",
    async () => {
      const space = await one();
      expect(
        await codeOf(
          commitSession(space, "nobody-here", { expect: space.root, kind: "test", message: "m", tree: { edits: [] } }),
        ),
      ).toBe("NOT_FOUND");
    },
  ],
  [
    "author is the agent",
    async () => {
      const space = await one();
      const at = await committed(space, "scout", { a: "1" });
      expect(space.git("log", "-1", "--format=%an <%ae> | %cn", at)).toBe(
        "scout <scout@agents.garden.invalid> | Garden Bloom",
      );
    },
  ],
  [
    "no HEAD/index is used (bare, unborn main)",
    async () => {
      const space = await one();
      await committed(space, "scout", { a: "1" });
      expect([readFileSync(join(space.dir, "HEAD"), "utf8").trim(), existsSync(join(space.dir, "index"))]).toEqual([
        "ref: refs/heads/main",
        false,
      ]);
      expect(await space.repo.resolve("refs/heads/main")).toBeUndefined();
    },
  ],
];
