import { describe, expect, test } from "vitest";
import type { Oid } from "../../domain/git/git-names.ts";
import {
  bloom,
  bytes,
  draft,
  edit,
  failureCode,
  land,
  MAIN,
  type RepoSuite,
  TRACE,
  text,
} from "./conformance-setup.ts";

/** History, merges and annotations. */
export function readingConformance(ground: RepoSuite): void {
  describe(`reading history`, () => {
    test("history lists all commits, those of a file or of a folder, in pages, newest first", async () => {
      const { repo } = await ground.opened();
      const oids: Oid[] = [];
      for (let i = 0; i < 6; i++)
        oids.push(await land(repo, [edit(i % 2 ? "odd/x" : "even/y[1]", `${i}`)], MAIN, `${i}`));
      const said = async (path: string, page?: { limit?: number; skip?: number }): Promise<string> =>
        (await repo.history(oids[5]!, path, page)).map(({ message }) => message.trim()).join("");
      expect({
        all: await said(""),
        folder: await said("odd"),
        file: await said("even/y[1]"),
        missing: await said("nothing"),
        pattern: await said("od*"),
      }).toEqual({ all: "543210", folder: "531", file: "420", missing: "", pattern: "" });
      expect({ limited: await said("", { limit: 2 }), skipped: await said("odd", { skip: 1, limit: 1 }) }).toEqual({
        limited: "54",
        skipped: "3",
      });
      expect((await repo.history(oids[2]!, "odd")).map(({ oid }) => oid)).toEqual([oids[1]]);
    });

    test("changes lists the differences between two commits, and from nothing", async () => {
      const { repo } = await ground.opened();
      const a = await land(repo, [edit("x", "1"), edit("d/y", "1"), edit("d/z", "1"), edit("e/f/g", "1")]);
      const b = await land(repo, [edit("x", undefined), edit("x/in", "2"), edit("d/y", "2"), edit("n", "1")]);
      const shape = async (from: Oid | undefined, to: Oid, folder?: string): Promise<string[]> =>
        (await repo.changes(from, to, folder)).map(
          ({ path, before, after }) => `${before ? (after ? "M" : "D") : "A"} ${path}`,
        );
      expect(await shape(a, b)).toEqual(["M d/y", "A n", "D x", "A x/in"]);
      expect(await shape(b, a, "d")).toEqual(["M d/y"]);
      expect(await shape(undefined, a, "e")).toEqual(["A e/f/g"]);
      expect(await shape(a, a)).toEqual([]);
      const patch = await repo.patch(a, b, ["d"]);
      expect(patch).toContain("--- a/d/y\n+++ b/d/y\n@@ -1 +1 @@\n-1\n");
      expect({
        patchHasOtherPath: patch.includes("b/n"),
        wholePatchHasPath: (await repo.patch(undefined, a)).includes("+++ b/e/f/g"),
      }).toEqual({ patchHasOtherPath: false, wholePatchHasPath: true });
    });

    test("originOfLine finds the commit of a line through later edits above it and a merge", async () => {
      const { repo } = await ground.opened();
      const first = await land(repo, [edit("n[1].md", "one\ntwo\nthree\n")]);
      const above = await land(repo, [edit("n[1].md", "zero\none\ntwo\nthree\n")]);
      const side = await repo.build(draft([above], [edit("n[1].md", "zero\none\ntwo\n3\n")]));
      const other = await repo.build(draft([above], [edit("b", "b")]));
      const merged = await repo.merge(other, side);
      if (merged.kind !== "merged") throw new Error(merged.kind);
      const head = await repo.build({ ...draft([other, side], []), tree: merged.tree });
      const origins = await Promise.all([1, 2, 4, 5, 0].map((line) => repo.originOfLine(head, "n[1].md", line)));
      expect(origins).toEqual([
        { commit: above, path: "n[1].md", line: 1 },
        { commit: first, path: "n[1].md", line: 1 },
        { commit: side, path: "n[1].md", line: 4 },
        undefined,
        undefined,
      ]);
      expect(await repo.originOfLine(head, "nothing.md", 1)).toBeUndefined();
      const ranges = [
        [1, 4],
        [3, 99],
        [5, 9],
        [0, 2],
        [2, 1],
      ] as const;
      const found = await Promise.all(ranges.map(([from, to]) => repo.originsOfLines(head, "n[1].md", from, to)));
      expect(found.map((lines) => lines.map(({ commit, line }) => [commit, line]))).toEqual([
        [
          [above, 1],
          [first, 1],
          [first, 2],
          [side, 4],
        ],
        [
          [first, 2],
          [side, 4],
        ],
        [],
        [],
        [],
      ]);
    });

    test("commitsLike finds commits only, by at least four digits of their id", async () => {
      const { repo } = await ground.opened();
      const oid = await land(repo, [edit("a", "1")]);
      const { tree } = await repo.commit(oid);
      const found = await Promise.all(
        [oid.slice(0, 12), oid, tree, oid.slice(0, 3), "--all", ""].map((prefix) => repo.commitsLike(prefix)),
      );
      expect(found).toEqual([[oid], [oid], [], [], [], []]);
    });

    test("mergeBase and isAncestor answer for related and unrelated commits", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("a", "1")]);
      const left = await repo.build(draft([root], [edit("a", "2")]));
      const right = await repo.build(draft([root], [edit("a", "3")]));
      const stranger = await repo.build(draft([], [edit("b", "1")]));
      expect({
        related: await repo.mergeBase(left, right),
        unrelated: await repo.mergeBase(left, stranger),
      }).toEqual({ related: root, unrelated: undefined });
      expect({
        parent: await repo.isAncestor(root, left),
        child: await repo.isAncestor(left, root),
        itself: await repo.isAncestor(left, left),
      }).toEqual({ parent: true, child: false, itself: true });
    });

    test("firstCommit answers the oldest commit without parents", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("a", "1")]);
      const child = await repo.build(draft([root], [edit("a", "2")]));
      const stranger = await repo.build(draft([], [edit("b", "1")]));
      expect([await repo.firstCommit(child), await repo.firstCommit(stranger)]).toEqual([root, stranger]);
    });

    test("a missing commit is a failure, and a missing path has no content", async () => {
      const { repo } = await ground.opened();
      const missing = "1".repeat(40);
      expect({
        commit: await failureCode(repo.commit(missing)),
        read: await failureCode(repo.read(missing, "a")),
        history: await failureCode(repo.history(missing, "")),
      }).toEqual({ commit: "NOT_FOUND", read: "NOT_FOUND", history: "NOT_FOUND" });
      const head = await land(repo, [edit("a", "1")]);
      expect({
        missing: await repo.read(head, "b"),
        ofFile: await repo.list(head, "a"),
        ofMissing: await repo.list(head, "b"),
      }).toEqual({ missing: undefined, ofFile: [], ofMissing: [] });
    });

    test("bytes that a caller changes are read unchanged the next time", async () => {
      const { repo } = await ground.opened();
      const head = await land(repo, [edit("a", "1")]);
      (await repo.read(head, "a"))!.bytes.fill(0);
      expect(text(await repo.read(head, "a"))).toBe("1");
    });
  });

  describe(`${ground.family}: merging`, () => {
    const lines = (...changed: [number, string][]): string =>
      Array.from({ length: 20 }, (_, i) => changed.find(([line]) => line === i + 1)?.[1] ?? `line ${i + 1}\n`).join("");

    test("a merge combines two sides that changed different lines", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("f", lines())]);
      const ours = await repo.build(draft([root], [edit("f", lines([2, "ours\n"]))]));
      const theirs = await repo.build(draft([root], [edit("f", lines([18, "theirs\n"])), edit("n", "new")]));
      const merged = await repo.merge(ours, theirs);
      if (merged.kind !== "merged") throw new Error(merged.kind);
      const commit = await repo.build({ ...draft([ours, theirs], [], "Merge"), tree: merged.tree });
      expect(text(await repo.read(commit, "f"))).toBe(lines([2, "ours\n"], [18, "theirs\n"]));
      expect({ upToDate: await repo.merge(commit, theirs), fastForward: await repo.merge(root, theirs) }).toEqual({
        upToDate: { kind: "up-to-date" },
        fastForward: { kind: "fast-forward" },
      });
    });

    test("a conflict names paths, reasons and lines of our version", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("f", lines()), edit("gone", "1\n")]);
      const ours = await repo.build(
        draft([root], [edit("f", lines([1, "one\nand a half\n"], [10, "ours\n"])), edit("gone", undefined)]),
      );
      const theirs = await repo.build(
        draft([root], [edit("f", lines([4, ""], [10, "theirs\n<<<<<<< x\n"], [19, "end\n"])), edit("gone", "2\n")]),
      );
      expect(await repo.merge(ours, theirs)).toEqual({
        kind: "conflict",
        conflicts: [
          {
            path: "f",
            why: { en: "both sides changed the same lines", uk: "обидві сторони змінили ті самі рядки" },
            hunks: [{ line: 11, ours: "ours\n", theirs: "theirs\n<<<<<<< x\n" }],
          },
          {
            path: "gone",
            why: { en: "one side deleted what the other changed", uk: "одна сторона видалила те, що інша змінила" },
            hunks: [],
          },
        ],
      });
    });

    test("a conflict with marked paths has a tree that holds everything else merged", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("f", "1\n"), edit("g", "1\n"), edit("gone", "1\n")]);
      const ours = await repo.build(draft([root], [edit("f", "ours\n"), edit("gone", undefined)]));
      const theirs = await repo.build(draft([root], [edit("f", "theirs\n"), edit("g", "2\n"), edit("gone", "2\n")]));
      const merged = await repo.merge(ours, theirs, { marked: true });
      if (merged.kind !== "conflict" || merged.tree === undefined) throw new Error(merged.kind);
      const resolved = [edit("f", "both\n"), edit("gone", undefined)];
      const commit = await repo.build({ ...draft([ours, theirs], resolved, "Merge"), tree: merged.tree });
      const files = await Promise.all(["f", "g", "gone"].map((path) => repo.read(commit, path)));
      expect(files.map((file) => file && text(file))).toEqual(["both\n", "2\n", undefined]);
    });

    test("a merge of unrelated histories is refused, and with the option for it everything is an addition", async () => {
      const { repo } = await ground.opened();
      const [a, b] = await Promise.all(["a", "b"].map((path) => repo.build(draft([], [edit(path, path)]))));
      expect(await failureCode(repo.merge(a!, b!))).toBe("VALIDATION_FAILED");
      const merged = await repo.merge(a!, b!, { unrelated: true });
      if (merged.kind !== "merged") throw new Error(merged.kind);
      const commit = await repo.build({ ...draft([a!, b!], [], "Merge"), tree: merged.tree });
      expect(await repo.names(commit, "")).toEqual(["a", "b"]);
    });
  });

  describe(`${ground.family}: annotations`, () => {
    test("an annotation is bound, read and rebound; the commit stays, and the ref keeps the old binding in its history", async () => {
      const { repo } = await ground.opened();
      const head = await land(repo, [edit("a", "1")]);
      expect(await repo.annotation(TRACE, head)).toBeUndefined();
      await repo.annotate(TRACE, head, bytes("{}\n"), bloom);
      await repo.annotate(TRACE, head, bytes("[]\n"), bloom);
      await repo.annotate(TRACE, head, bytes("[]\n"), bloom);
      expect(Buffer.from((await repo.annotation(TRACE, head))!).toString()).toBe("[]\n");
      const notes = await repo.history((await repo.resolve(TRACE))!, "");
      expect(notes.map(({ message, committer }) => [message, committer.name])).toEqual([
        [`Annotate ${head}\n`, "Bloom"],
        [`Annotate ${head}\n`, "Bloom"],
      ]);
      expect(await repo.resolve(MAIN)).toBe(head);
      expect(await failureCode(repo.annotate(TRACE, "1".repeat(40), bytes("x"), bloom))).toBe("NOT_FOUND");
    });

    test("20 concurrent annotations lose none", async () => {
      const { repo } = await ground.opened();
      const commits = await Promise.all(
        Array.from({ length: 20 }, (_, i) => repo.build(draft([], [edit("a", `${i}`)]))),
      );
      await Promise.all(commits.map((oid) => repo.annotate(TRACE, oid, bytes(oid), bloom)));
      const read = await Promise.all(commits.map((oid) => repo.annotation(TRACE, oid)));
      expect(read.map((each) => each && Buffer.from(each).toString())).toEqual(commits);
    });
  });
}
