import { describe, expect, test } from "vitest";
import type { Oid } from "../../domain/git/git-names.ts";
import type { CommitDraft, Repo } from "../../ports/repo.ts";
import {
  bloom,
  draft,
  edit,
  failureCode,
  land,
  MAIN,
  olia,
  type RepoSuite,
  SIDE,
  TRACE,
  text,
} from "./conformance-setup.ts";

/** Commits and refs. */
export function writingConformance(ground: RepoSuite): void {
  describe(`${ground.family}: building`, () => {
    test("the id of a commit depends on the draft alone, to the byte", async () => {
      const { repo } = await ground.opened();
      const root = await repo.build(draft([], [edit("notes/Ясен.md", "дерево\n"), edit("a", "1\n")], "Begin"));
      expect(root).toBe("bec03cd3fbfd8d1df93d3dfbc39f2e3608c628ee");
      const next = await repo.build({
        ...draft([root], [edit("a", undefined), edit("notes.md", "x")], "Move\r\n\r\nbody  \n\n"),
        trailers: [["Proposal", "prop_2026-02-14_080000_abc123"]],
      });
      expect(next).toBe("8726e7c50a7e70b2fd15678cb7dc0e8ed14ca999");
      expect(await repo.build(draft([], [edit("a", "1\n"), edit("notes/Ясен.md", "дерево\n")], "Begin"))).toBe(root);
    });

    test("a commit is read back as it was built", async () => {
      const { repo } = await ground.opened();
      const oid = await repo.build({ ...draft([], [edit("a", "1\n")], "Тема\n\nтіло"), trailers: [["Agent", "rose"]] });
      expect(await repo.commit(oid)).toMatchObject({
        oid,
        parents: [],
        author: { ...olia, at: Date.parse("2026-02-14T08:00:00Z") },
        committer: bloom,
        message: "Тема\n\nтіло\n\nAgent: rose\n",
      });
    });

    test("a signed commit is read back with its signature and the bytes that it covers", async () => {
      const { repo } = await ground.opened();
      const plain = await repo.build(draft([], [edit("a", "1\n")], "Тема"));
      let covered: Uint8Array | undefined;
      const sign = (content: Uint8Array): string => {
        covered = content;
        return "-----BEGIN SSH SIGNATURE-----\nU1NI\n-----END SSH SIGNATURE-----\n";
      };
      const signed = await repo.build({ ...draft([plain], [], "Тема"), sign });
      const { signed: found, message } = await repo.commit(signed);
      expect({ ...found, message, plain: (await repo.commit(plain)).signed }).toEqual({
        signature: sign(covered!),
        content: Buffer.from(covered!),
        message: "Тема\n",
        plain: undefined,
      });
    });

    test("edits replace, add and delete files; a folder without files is removed; other files stay unchanged", async () => {
      const { repo } = await ground.opened();
      const root = await repo.build(
        draft([], [edit("a/b/c", "1"), edit("a/d", "2"), edit("a.b", "3"), edit("a0", "4")]),
      );
      const next = await repo.build(draft([root], [edit("a/b/c", undefined), edit("a/d", "two"), edit("e/f", "5")]));
      expect((await repo.list(next, "")).map(({ path }) => path)).toEqual(["a.b", "a/d", "a0", "e/f"]);
      expect({ after: text(await repo.read(next, "a/d")), before: text(await repo.read(root, "a/d")) }).toEqual({
        after: "two",
        before: "2",
      });
      expect({
        folder: await repo.read(next, "a"),
        deleted: await repo.read(next, "a/b/c"),
        belowFile: await repo.read(next, "a/d/x"),
      }).toEqual({ folder: undefined, deleted: undefined, belowFile: undefined });
      const emptied = await repo.build(
        draft(
          [root],
          ["a/b/c", "a/d", "a.b", "a0"].map((path) => edit(path, undefined)),
        ),
      );
      expect(await repo.list(emptied, "")).toEqual([]);
      expect((await repo.list(await repo.build(draft([emptied], [edit("x", "1")])), "")).length).toBe(1);
    });

    test("a merge keeps the order of its parents, and may bring a whole tree", async () => {
      const { repo } = await ground.opened();
      const a = await repo.build(draft([], [edit("a", "1")]));
      const b = await repo.build(draft([a], [edit("b", "2")]));
      const { tree } = await repo.commit(b);
      const merged = await repo.build({ ...draft([a, b], [edit("c", "3")]), tree });
      expect((await repo.commit(merged)).parents).toEqual([a, b]);
      expect((await repo.list(merged, "")).map(({ path }) => path)).toEqual(["a", "b", "c"]);
    });

    test.each<[string, Partial<CommitDraft>, string]>([
      ["a path that leaves the repository", { edits: [edit("../x", "1")] }, "VALIDATION_FAILED"],
      ["git's own folder", { edits: [edit("a/.GIT/config", "1")] }, "VALIDATION_FAILED"],
      ["the machine's own folder", { edits: [edit(".bloom/x", "1")] }, "VALIDATION_FAILED"],
      ["one path twice", { edits: [edit("x", "1"), edit("x", "2")] }, "VALIDATION_FAILED"],
      ["a file where a folder is", { edits: [edit("dir", "1")] }, "VALIDATION_FAILED"],
      ["a folder where a file is", { edits: [edit("file/x", "1")] }, "VALIDATION_FAILED"],
      ["a file and a folder of one name", { edits: [edit("x", "1"), edit("x/y", "1")] }, "VALIDATION_FAILED"],
      ["the deletion of a folder", { edits: [edit("dir", undefined)] }, "VALIDATION_FAILED"],
      ["an empty message", { message: " \n" }, "VALIDATION_FAILED"],
      ["a trailer over two lines", { trailers: [["A", "b\nProposal: x"]] }, "VALIDATION_FAILED"],
      ["a name with a line end", { author: { ...olia, name: "x\ncommitter y" } }, "VALIDATION_FAILED"],
      ["a name with an address in it", { author: { ...olia, name: "x <y@z>" } }, "VALIDATION_FAILED"],
      ["no name", { committer: { ...olia, name: " " } }, "VALIDATION_FAILED"],
      ["a date that is not a number", { committer: { ...olia, at: Number.NaN } }, "VALIDATION_FAILED"],
      ["a missing parent", { parents: ["1".repeat(40)] }, "NOT_FOUND"],
      ["a missing tree", { tree: "1".repeat(40) }, "NOT_FOUND"],
    ])("a commit with %s is refused", async (_, wrong, code) => {
      const { repo } = await ground.opened();
      const root = await repo.build(draft([], [edit("dir/x", "1"), edit("file", "1")]));
      expect(await failureCode(repo.build({ ...draft([root], [edit("n", "1")]), ...wrong }))).toBe(code);
    });
  });

  describe(`commits that become durable with their move`, () => {
    /** A chain of commits, each with a file of its own, without moving a ref. */
    const chained = async (repo: Repo, from: readonly Oid[], length: number): Promise<Oid[]> => {
      const chain: Oid[] = [];
      for (let i = 0; i < length; i++)
        chain.push(
          await repo.build(draft(chain.slice(-1).concat(i ? [] : from), [edit(`c/${i}`, `${i}`)], `Step ${i}`), {
            durable: "with-move",
          }),
        );
      return chain;
    };

    test.each([3, 20])(
      "%i deferred commits are moved to in one move, and are found after reopening",
      async (length) => {
        const { repo, repos, dir } = await ground.opened();
        const root = await land(repo, [edit("a", "1")]);
        const chain = await chained(repo, [root], length);
        expect(await repo.resolve(MAIN)).toBe(root);
        expect(await repo.move([{ ref: MAIN, from: root, to: chain.at(-1)! }])).toEqual({
          kind: "moved",
          followed: { written: chain.map((_, i) => `c/${i}`).toSorted(), behind: [] },
        });
        await repo.close();
        const again = await ground.again(dir, repos);
        const history = await again.history((await again.resolve(MAIN))!, "");
        expect(history.map(({ oid }) => oid)).toEqual([...chain.toReversed(), root]);
        expect(await Promise.all(chain.map(async (oid, i) => text(await again.read(oid, `c/${i}`))))).toEqual(
          chain.map((_, i) => `${i}`),
        );
        expect(await again.inspect({ everything: true })).toEqual([]);
      },
    );

    test("a deferred commit has the id of a commit that is durable at once", async () => {
      const { repo } = await ground.opened();
      const one = draft([], [edit("a", "1")]);
      expect(await repo.build(one, { durable: "with-move" })).toBe(await repo.build(one));
    });

    test("deferred commits are read, listed, compared, merged and built upon like others before any move", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("a", "1")]);
      const [first, second] = (await chained(repo, [root], 2)) as [Oid, Oid];
      const other = await repo.build(draft([root], [edit("a", "2")]), { durable: "with-move" });
      const paths = async (oid: Oid): Promise<string[]> => (await repo.list(oid, "")).map(({ path }) => path);
      expect({ text: text(await repo.read(second, "c/0")), paths: await paths(second) }).toEqual({
        text: "0",
        paths: ["a", "c/0", "c/1"],
      });
      expect((await repo.changes(first, second)).map(({ path }) => path)).toEqual(["c/1"]);
      expect((await repo.commit(second)).parents).toEqual([first]);
      expect((await repo.history(second, "c")).map(({ oid }) => oid)).toEqual([second, first]);
      expect(await repo.patch(first, second)).toContain("+++ b/c/1");
      expect({
        isAncestor: await repo.isAncestor(first, second),
        mergeBase: await repo.mergeBase(second, other),
      }).toEqual({ isAncestor: true, mergeBase: root });
      const merged = await repo.merge(second, other);
      if (merged.kind !== "merged") throw new Error(merged.kind);
      const merge = await repo.build({ ...draft([second, other], []), tree: merged.tree });
      expect({ text: text(await repo.read(merge, "a")), paths: await paths(merge) }).toEqual({
        text: "2",
        paths: ["a", "c/0", "c/1"],
      });
    });

    test("a commit that is durable at once makes the commits it builds on durable", async () => {
      const { repo, repos, dir } = await ground.opened();
      const [, second] = (await chained(repo, [], 2)) as [Oid, Oid];
      const { tree } = await repo.commit(second);
      const upon = await repo.build(draft([second], [edit("b", "1")]));
      const [another] = (await chained(repo, [upon], 1)) as [Oid];
      const borrowed = await repo.build({ ...draft([], []), tree: (await repo.commit(another)).tree });
      await repo.annotate(TRACE, another, Buffer.from("x"), bloom);
      await repo.close();
      const again = await ground.again(dir, repos);
      expect((await again.list(upon, "")).map(({ path }) => path)).toEqual(["b", "c/0", "c/1"]);
      expect({ tree: (await again.commit(second)).tree, borrowed: await again.list(borrowed, "") }).toEqual({
        tree,
        borrowed: await again.list(another, ""),
      });
    });

    test("a chain that lost the race moves nothing, and a commit keeps the bytes of the moment it was built", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("a", "1")]);
      const chain = await chained(repo, [root], 12);
      const head = await land(repo, [edit("b", "1")]);
      expect(await repo.move([{ ref: MAIN, from: root, to: chain.at(-1)! }])).toMatchObject({ kind: "stale" });
      const reused = Buffer.from("mine");
      const edits = [{ path: "x", bytes: reused }];
      const built = await repo.build(draft([head], edits), { durable: "with-move" });
      reused.fill(0);
      await repo.move([{ ref: MAIN, from: head, to: built }]);
      expect(text(await repo.read(built, "x"))).toBe("mine");
      expect(await repo.inspect({ everything: true })).toEqual([]);
    });

    test("several chains at once, each moved to its own ref, lose nothing", async () => {
      const { repo } = await ground.opened();
      const root = await land(repo, [edit("a", "1")]);
      const refs = Array.from({ length: 6 }, (_, i) => `refs/heads/agents/${i}`);
      const heads = await Promise.all(
        refs.map(async (ref, i) => {
          const begin = await repo.build(draft([root], [edit("a", `${i}`)]), { durable: "with-move" });
          const to = (await chained(repo, [begin], 8)).at(-1)!;
          await repo.move([{ ref, from: undefined, to }]);
          return to;
        }),
      );
      expect(await repo.refs("refs/heads/agents/")).toEqual(refs.map((name, i) => ({ name, oid: heads[i] })));
      expect(await repo.inspect({ everything: true })).toEqual([]);
    });
  });

  describe(`${ground.family}: moving refs`, () => {
    test("a ref moves only from the value that the caller named", async () => {
      const { repo } = await ground.opened();
      const [a, b] = await Promise.all(["1", "2"].map((content) => repo.build(draft([], [edit("a", content)]))));
      expect(await repo.move([{ ref: SIDE, from: b, to: a }])).toEqual({
        kind: "stale",
        ref: SIDE,
        actual: undefined,
      });
      expect(await repo.move([{ ref: SIDE, from: undefined, to: a }])).toMatchObject({ kind: "moved" });
      expect(await repo.move([{ ref: SIDE, from: undefined, to: b }])).toEqual({
        kind: "stale",
        ref: SIDE,
        actual: a,
      });
      expect(await repo.move([{ ref: SIDE, from: b, to: b }])).toEqual({ kind: "stale", ref: SIDE, actual: a });
      expect(await repo.resolve(SIDE)).toBe(a);
      expect(await repo.move([{ ref: SIDE, from: a, to: undefined }])).toMatchObject({ kind: "moved" });
      expect({ side: await repo.resolve(SIDE), refs: await repo.refs("refs/") }).toEqual({ side: undefined, refs: [] });
    });

    test("several refs move all or none", async () => {
      const { repo } = await ground.opened();
      const [a, b] = await Promise.all(["1", "2"].map((content) => repo.build(draft([], [edit("a", content)]))));
      const [x, y] = ["refs/heads/agents/x", "refs/heads/agents/y"] as const;
      await repo.move([{ ref: y, from: undefined, to: a }]);
      const both = (from: Oid | undefined) => [
        { ref: x, from: undefined, to: b },
        { ref: y, from, to: b },
      ];
      expect(await repo.move(both(b))).toEqual({ kind: "stale", ref: y, actual: a });
      expect({ x: await repo.resolve(x), y: await repo.resolve(y) }).toEqual({ x: undefined, y: a });
      expect(await repo.move(both(a))).toMatchObject({ kind: "moved" });
      expect(await repo.refs("refs/heads/agents/")).toEqual([
        { name: x, oid: b },
        { name: y, oid: b },
      ]);
    });

    test.each<[string, string, string]>([
      ["an invalid name", "refs/heads/a..b", "VALIDATION_FAILED"],
      ["a name outside refs/", "HEAD", "VALIDATION_FAILED"],
      ["a name inside another", `${SIDE}/deeper`, "VALIDATION_FAILED"],
      ["a name above another", "refs/heads/agents", "VALIDATION_FAILED"],
    ])("a ref with %s is refused", async (_, ref, code) => {
      const { repo } = await ground.opened();
      const to = await land(repo, [edit("a", "1")], SIDE);
      expect(await failureCode(repo.move([{ ref, from: undefined, to }]))).toBe(code);
    });

    test("a ref to a missing commit is refused", async () => {
      const { repo } = await ground.opened();
      expect(await failureCode(repo.move([{ ref: SIDE, from: undefined, to: "1".repeat(40) }]))).toBe("NOT_FOUND");
    });

    test.each([MAIN, SIDE])(
      "one of 20 moves of %s from one value wins, and the other 19 get the winner's value",
      async (ref) => {
        const { repo } = await ground.opened();
        const root = await land(repo, [edit("a", "0")], ref);
        const mine = await Promise.all(
          Array.from({ length: 20 }, (_, index) => repo.build(draft([root], [edit("a", `${index}`)], `Try ${index}`))),
        );
        const answers = await Promise.all(mine.map((to) => repo.move([{ ref, from: root, to }])));
        const head = await repo.resolve(ref);
        expect(answers.filter(({ kind }) => kind === "moved")).toHaveLength(1);
        expect(answers.filter(({ kind }) => kind === "stale")).toEqual(
          Array.from({ length: 19 }, () => ({ kind: "stale", ref, actual: head })),
        );
        expect(answers[mine.indexOf(head!)]!.kind).toBe("moved");
      },
    );

    test.each([MAIN, SIDE])("4 writers with 5 commits each on %s lose none", async (ref) => {
      const { repo } = await ground.opened();
      const claimed: Oid[] = [];
      const writer = async (name: string): Promise<void> => {
        for (let done = 0; done < 5; ) {
          const from = await repo.resolve(ref);
          const to = await repo.build(draft(from ? [from] : [], [edit(`${name}/${done}`, name)], `${name} ${done}`));
          if ((await repo.move([{ ref, from, to }])).kind !== "moved") continue;
          claimed.push(to);
          done++;
        }
      };
      await Promise.all(["a", "b", "c", "d"].map(writer));
      const head = (await repo.resolve(ref))!;
      const history = (await repo.history(head, "")).map(({ oid }) => oid);
      expect(new Set(history)).toEqual(new Set(claimed));
      expect(await repo.list(head, "")).toHaveLength(20);
    });

    test("a moved ref keeps its value after reopening", async () => {
      const { repo, repos, dir } = await ground.opened();
      const head = await land(repo, [edit("a", "1")]);
      await repo.close();
      const again = await ground.again(dir, repos);
      expect({ head: await again.resolve(MAIN), text: text(await again.read(head, "a")) }).toEqual({ head, text: "1" });
    });
  });
}
