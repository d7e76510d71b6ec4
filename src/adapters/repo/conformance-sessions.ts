import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Oid } from "../../domain/git/git-names.ts";
import type { Repo } from "../../ports/repo.ts";
import {
  bloom,
  bytes,
  draft,
  edit,
  failureCode,
  land,
  MAIN,
  type RepoSuite,
  SIDE,
  TRACE,
  text,
} from "./conformance-setup.ts";

/** The parts of the port that sessions need: blobs by id, commits by message, annotations that move with other refs, and copies. */
export function sessionConformance(ground: RepoSuite): void {
  describe(`${ground.family}: commits of sessions`, () => {
    test("a commit takes blobs that the repository has, with their modes", async () => {
      const { repo } = await ground.opened();
      const root = await repo.build(draft([], [edit("a", "1"), { ...edit("run", "x"), mode: "100755" }]));
      const files = await repo.list(root, "");
      const moved = files.map(({ path, ...blob }) => ({ path: `b/${path}`, ...blob }));
      const next = await repo.build({
        ...draft([root], []),
        edits: [...moved, edit("a", undefined), edit("run", undefined)],
      });
      expect(await repo.list(next, "")).toEqual(moved);
    });

    test("commits are found by a text in their message, and after a rewrite by the reflog", async () => {
      const { repo } = await ground.opened();
      const kept = await land(repo, [edit("a", "1")], SIDE, "Kept: Change-Id");
      const dropped = await land(repo, [edit("a", "2")], SIDE, "Dropped");
      await repo.move([{ ref: SIDE, from: dropped, to: kept }]);
      expect({
        now: await repo.reachable([kept]),
        before: new Set(await repo.reachable([kept], { reflogs: true })),
        text: await repo.reachable([dropped], { text: "Change-Id" }),
      }).toEqual({ now: [kept], before: new Set([kept, dropped]), text: [kept] });
    });

    test("commits that other commits descend from are left out of a walk", async () => {
      const { repo } = await ground.opened();
      const first = await land(repo, [edit("a", "1")], SIDE);
      const second = await land(repo, [edit("a", "2")], SIDE);
      expect(await repo.reachable([second, first], { without: [first] })).toEqual([second]);
      expect(await repo.reachable([first], { without: [second] })).toEqual([]);
      expect(await repo.reachable([first], { without: [] })).toEqual([first]);
    });

    test("annotations are built without a move, beside other files, and moved with a branch or not at all", async () => {
      const { repo } = await ground.opened();
      const head = await land(repo, [edit("a", "1")], SIDE);
      const next = await repo.build(draft([head], [edit("a", "2")]));
      const build = (at: Oid | undefined, content: string | undefined): Promise<Oid> =>
        repo.buildAnnotations(at, {
          notes: [{ commit: next, bytes: content === undefined ? undefined : bytes(content) }],
          beside: [edit("texts/x", "long")],
          by: bloom,
          message: "Trace",
        });
      const notes = await build(undefined, "said");
      expect(await repo.resolve(TRACE)).toBe(undefined);
      const move = (from: Oid): Promise<{ kind: string }> =>
        repo.move([
          { ref: TRACE, from: undefined, to: notes },
          { ref: SIDE, from, to: next },
        ]);
      expect([(await move(next)).kind, await repo.resolve(TRACE)]).toEqual(["stale", undefined]);
      expect([(await move(head)).kind, await repo.annotation(TRACE, next)]).toEqual(["moved", expect.anything()]);
      expect([await build(notes, "said"), text(await repo.read(notes, "texts/x"))]).toEqual([notes, "long"]);
      const without = await build(notes, undefined);
      await repo.move([{ ref: TRACE, from: notes, to: without }]);
      expect(await repo.annotation(TRACE, next)).toBe(undefined);
    });

    test("two refs are deleted together, and neither if one of them moved", async () => {
      const { repo } = await ground.opened();
      const head = await land(repo, [edit("a", "1")], SIDE);
      const other = "refs/agentic/agents/side";
      await repo.move([{ ref: other, from: undefined, to: head }]);
      const gone = (from: Oid): Promise<{ kind: string }> =>
        repo.move([
          { ref: other, from: head, to: undefined },
          { ref: SIDE, from, to: undefined },
        ]);
      const next = await repo.build(draft([head], []));
      expect([(await gone(next)).kind, await repo.resolve(other)]).toEqual(["stale", head]);
      expect([(await gone(head)).kind, await repo.resolve(other), await repo.resolve(SIDE)]).toEqual([
        "moved",
        undefined,
        undefined,
      ]);
    });
  });

  describe(`${ground.family}: copies`, () => {
    test("a copy has the files of a commit; work there is taken back as often as it is asked for, and moves no ref", async () => {
      const { repo, dir } = await ground.opened();
      const head = await land(repo, [edit("a/b", "1"), edit("c", "1")], SIDE);
      await land(repo, [edit("m", "1")]);
      const refs = await repo.refs("refs/");
      const folder = join(dir, ".bloom/copy");
      const copy = { at: head, branch: SIDE, by: bloom };
      const tree = await repo.copyOut(folder, copy);
      expect(readFileSync(join(tree, "a/b"), "utf8")).toBe("1");
      expect(await repo.takeCopy(folder, copy)).toEqual({
        commits: [],
        isRewritten: false,
        tree: (await repo.commit(head)).tree,
      });
      rmSync(join(tree, "a/b"));
      writeFileSync(join(tree, "c"), "2");
      const taken = await repo.takeCopy(folder, copy);
      expect(await repo.takeCopy(folder, copy)).toEqual(taken);
      const commit = await repo.build({ ...draft([head], []), tree: taken.tree });
      expect([await names(repo, commit), text(await repo.read(commit, "c"))]).toEqual([["c"], "2"]);
      expect([await repo.refs("refs/"), await repo.resolve(MAIN)]).toEqual([refs, expect.any(String)]);
    });

    test("a copy that is no copy is a failure", async () => {
      const { repo, dir } = await ground.opened();
      const head = await land(repo, [edit("a", "1")], SIDE);
      const copy = { at: head, branch: SIDE, by: bloom };
      expect(await failureCode(repo.takeCopy(join(dir, ".bloom/none"), copy))).not.toBe(undefined);
    });
  });
}

const names = async (repo: Repo, at: Oid): Promise<string[]> => (await repo.list(at, "")).map(({ path }) => path);
