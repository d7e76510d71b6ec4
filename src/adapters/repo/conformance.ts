import { afterEach, describe, expect, test } from "vitest";
import { isFailure } from "../../base/failure.ts";
import type { Oid } from "../../domain/git-names.ts";
import type { CommitDraft, Edit, Repo, Repos, Signature } from "../../ports/repo.ts";

/** Where a member of the family makes its repositories. */
export interface RepoPlace {
  readonly repos: Repos;
  /** A new, empty folder. */
  folder(): string;
}

const MAIN = "refs/heads/main";
const SIDE = "refs/heads/agents/side";
const TRACE = "refs/notes/trace";
const olia: Signature = {
  name: "Оля",
  email: "olia@example.org",
  at: Date.parse("2026-02-14T08:00:00.789Z"),
  zone: 120,
};
const bloom: Signature = {
  name: "Bloom",
  email: "bloom@garden.invalid",
  at: Date.parse("2026-02-14T09:00:00Z"),
  zone: -210,
};

const bytes = (text: string): Uint8Array => Buffer.from(text);
const text = (of: { bytes: Uint8Array } | undefined): string | undefined => of && Buffer.from(of.bytes).toString();
const edit = (path: string, content: string | undefined): Edit => ({
  path,
  bytes: content === undefined ? undefined : bytes(content),
});
const draft = (parents: readonly Oid[], edits: readonly Edit[], message = "Change"): CommitDraft => ({
  parents,
  edits,
  author: olia,
  committer: bloom,
  message,
});

/** What every repository must hold, races included. A new adapter is a member of the family when this passes. */
export function repoConformance(family: string, makePlace: () => RepoPlace): void {
  const open: Repo[] = [];
  afterEach(async () => {
    for (const repo of open.splice(0)) await repo.close();
  });

  async function opened(): Promise<{ repo: Repo; dir: string; repos: Repos }> {
    const place = makePlace();
    const { repos } = place;
    const dir = place.folder();
    await repos.init(dir);
    const repo = await repos.open(dir);
    open.push(repo);
    return { repo, dir, repos };
  }

  /** A commit on a branch, by compare-and-swap. */
  async function landed(repo: Repo, edits: readonly Edit[], ref = MAIN, message = "Change"): Promise<Oid> {
    const from = await repo.resolve(ref);
    const to = await repo.build(draft(from === undefined ? [] : [from], edits, message));
    expect(await repo.move([{ ref, from, to }], "landed")).toMatchObject({ kind: "moved" });
    return to;
  }

  const refusal = async (work: Promise<unknown>): Promise<string | undefined> =>
    work.then(
      () => undefined,
      (error: unknown) => (isFailure(error) ? error.code : String(error)),
    );

  describe(`${family}: building`, () => {
    test("the id follows from the draft alone, to the byte", async () => {
      const { repo } = await opened();
      const root = await repo.build(draft([], [edit("notes/Ясен.md", "дерево\n"), edit("a", "1\n")], "Begin"));
      expect(root).toBe("bec03cd3fbfd8d1df93d3dfbc39f2e3608c628ee");
      const next = await repo.build({
        ...draft([root], [edit("a", undefined), edit("notes.md", "x")], "Move\r\n\r\nbody  \n\n"),
        trailers: [["Proposal", "prop_2026-02-14_080000_abc123"]],
      });
      expect(next).toBe("8726e7c50a7e70b2fd15678cb7dc0e8ed14ca999");
      expect(await repo.build(draft([], [edit("a", "1\n"), edit("notes/Ясен.md", "дерево\n")], "Begin"))).toBe(root);
    });

    test("a commit reads back as it was made", async () => {
      const { repo } = await opened();
      const oid = await repo.build({ ...draft([], [edit("a", "1\n")], "Тема\n\nтіло"), trailers: [["Agent", "rose"]] });
      expect(await repo.commit(oid)).toMatchObject({
        oid,
        parents: [],
        author: { ...olia, at: Date.parse("2026-02-14T08:00:00Z") },
        committer: bloom,
        message: "Тема\n\nтіло\n\nAgent: rose\n",
      });
    });

    test("edits replace, add and delete; a folder that loses its last file is gone; the rest is as it was", async () => {
      const { repo } = await opened();
      const root = await repo.build(
        draft([], [edit("a/b/c", "1"), edit("a/d", "2"), edit("a.b", "3"), edit("a0", "4")]),
      );
      const next = await repo.build(draft([root], [edit("a/b/c", undefined), edit("a/d", "two"), edit("e/f", "5")]));
      expect((await repo.list(next, "")).map(({ path }) => path)).toEqual(["a.b", "a/d", "a0", "e/f"]);
      expect([text(await repo.read(next, "a/d")), text(await repo.read(root, "a/d"))]).toEqual(["two", "2"]);
      expect([await repo.read(next, "a"), await repo.read(next, "a/b/c"), await repo.read(next, "a/d/x")]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
      const emptied = await repo.build(
        draft(
          [root],
          ["a/b/c", "a/d", "a.b", "a0"].map((path) => edit(path, undefined)),
        ),
      );
      expect(await repo.list(emptied, "")).toEqual([]);
      expect((await repo.list(await repo.build(draft([emptied], [edit("x", "1")])), "")).length).toBe(1);
    });

    test("a merge has its parents in order, and may bring a whole tree", async () => {
      const { repo } = await opened();
      const a = await repo.build(draft([], [edit("a", "1")]));
      const b = await repo.build(draft([a], [edit("b", "2")]));
      const { tree } = await repo.commit(b);
      const merged = await repo.build({ ...draft([a, b], [edit("c", "3")]), tree });
      expect((await repo.commit(merged)).parents).toEqual([a, b]);
      expect((await repo.list(merged, "")).map(({ path }) => path)).toEqual(["a", "b", "c"]);
    });

    test.each<[string, Partial<CommitDraft>, string]>([
      ["a way out of the repository", { edits: [edit("../x", "1")] }, "VALIDATION_FAILED"],
      ["git's own folder", { edits: [edit("a/.GIT/config", "1")] }, "VALIDATION_FAILED"],
      ["the machine's own folder", { edits: [edit(".bloom/x", "1")] }, "VALIDATION_FAILED"],
      ["one path twice", { edits: [edit("x", "1"), edit("x", "2")] }, "VALIDATION_FAILED"],
      ["a file where a folder is", { edits: [edit("dir", "1")] }, "VALIDATION_FAILED"],
      ["a folder where a file is", { edits: [edit("file/x", "1")] }, "VALIDATION_FAILED"],
      ["a file and a folder of one name", { edits: [edit("x", "1"), edit("x/y", "1")] }, "VALIDATION_FAILED"],
      ["the deletion of a folder", { edits: [edit("dir", undefined)] }, "VALIDATION_FAILED"],
      ["an empty message", { message: " \n" }, "VALIDATION_FAILED"],
      ["a trailer over two lines", { trailers: [["A", "b\nProposal: x"]] }, "VALIDATION_FAILED"],
      ["a name that ends the line", { author: { ...olia, name: "x\ncommitter y" } }, "VALIDATION_FAILED"],
      ["a name with an address in it", { author: { ...olia, name: "x <y@z>" } }, "VALIDATION_FAILED"],
      ["no name", { committer: { ...olia, name: " " } }, "VALIDATION_FAILED"],
      ["a date that is no number", { committer: { ...olia, at: Number.NaN } }, "VALIDATION_FAILED"],
      ["a parent that is not there", { parents: ["1".repeat(40)] }, "NOT_FOUND"],
      ["a tree that is not there", { tree: "1".repeat(40) }, "NOT_FOUND"],
    ])("%s is refused", async (_, wrong, code) => {
      const { repo } = await opened();
      const root = await repo.build(draft([], [edit("dir/x", "1"), edit("file", "1")]));
      expect(await refusal(repo.build({ ...draft([root], [edit("n", "1")]), ...wrong }))).toBe(code);
    });
  });

  describe(`${family}: moving refs`, () => {
    test("only from the value that was named", async () => {
      const { repo } = await opened();
      const [a, b] = await Promise.all(["1", "2"].map((content) => repo.build(draft([], [edit("a", content)]))));
      expect(await repo.move([{ ref: SIDE, from: b, to: a }], "t")).toEqual({
        kind: "stale",
        ref: SIDE,
        actual: undefined,
      });
      expect(await repo.move([{ ref: SIDE, from: undefined, to: a }], "t")).toMatchObject({ kind: "moved" });
      expect(await repo.move([{ ref: SIDE, from: undefined, to: b }], "t")).toEqual({
        kind: "stale",
        ref: SIDE,
        actual: a,
      });
      expect(await repo.move([{ ref: SIDE, from: b, to: b }], "t")).toEqual({ kind: "stale", ref: SIDE, actual: a });
      expect(await repo.resolve(SIDE)).toBe(a);
      expect(await repo.move([{ ref: SIDE, from: a, to: undefined }], "t")).toMatchObject({ kind: "moved" });
      expect([await repo.resolve(SIDE), await repo.refs("refs/")]).toEqual([undefined, []]);
    });

    test("all or none", async () => {
      const { repo } = await opened();
      const [a, b] = await Promise.all(["1", "2"].map((content) => repo.build(draft([], [edit("a", content)]))));
      const [x, y] = ["refs/heads/agents/x", "refs/heads/agents/y"] as const;
      await repo.move([{ ref: y, from: undefined, to: a }], "t");
      const both = (from: Oid | undefined) => [
        { ref: x, from: undefined, to: b },
        { ref: y, from, to: b },
      ];
      expect(await repo.move(both(b), "t")).toEqual({ kind: "stale", ref: y, actual: a });
      expect([await repo.resolve(x), await repo.resolve(y)]).toEqual([undefined, a]);
      expect(await repo.move(both(a), "t")).toMatchObject({ kind: "moved" });
      expect(await repo.refs("refs/heads/agents/")).toEqual([
        { name: x, oid: b },
        { name: y, oid: b },
      ]);
    });

    test.each<[string, string, string]>([
      ["a name that is none", "refs/heads/a..b", "VALIDATION_FAILED"],
      ["a name outside refs/", "HEAD", "VALIDATION_FAILED"],
      ["a name inside another", `${SIDE}/deeper`, "VALIDATION_FAILED"],
      ["a name above another", "refs/heads/agents", "VALIDATION_FAILED"],
    ])("%s is refused", async (_, ref, code) => {
      const { repo } = await opened();
      const to = await landed(repo, [edit("a", "1")], SIDE);
      expect(await refusal(repo.move([{ ref, from: undefined, to }], "t"))).toBe(code);
    });

    test("a ref to nothing is refused", async () => {
      const { repo } = await opened();
      expect(await refusal(repo.move([{ ref: SIDE, from: undefined, to: "1".repeat(40) }], "t"))).toBe("NOT_FOUND");
    });

    test("of 20 who move one ref from one value, one wins and 19 are told the winner's", async () => {
      const { repo } = await opened();
      const root = await landed(repo, [edit("a", "0")], SIDE);
      const mine = await Promise.all(
        Array.from({ length: 20 }, (_, index) => repo.build(draft([root], [edit("a", `${index}`)], `Try ${index}`))),
      );
      const answers = await Promise.all(mine.map((to) => repo.move([{ ref: SIDE, from: root, to }], "t")));
      const head = await repo.resolve(SIDE);
      expect(answers.filter(({ kind }) => kind === "moved")).toHaveLength(1);
      expect(answers.filter(({ kind }) => kind === "stale")).toEqual(
        Array.from({ length: 19 }, () => ({ kind: "stale", ref: SIDE, actual: head })),
      );
      expect(answers[mine.indexOf(head!)]!.kind).toBe("moved");
    });

    test.each([MAIN, SIDE])("4 writers with 5 commits each on %s lose none", async (ref) => {
      const { repo } = await opened();
      const claimed: Oid[] = [];
      const writer = async (name: string): Promise<void> => {
        for (let done = 0; done < 5; ) {
          const from = await repo.resolve(ref);
          const to = await repo.build(draft(from ? [from] : [], [edit(`${name}/${done}`, name)], `${name} ${done}`));
          if ((await repo.move([{ ref, from, to }], "t")).kind !== "moved") continue;
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

    test("what was moved is there after reopening", async () => {
      const { repo, repos, dir } = await opened();
      const head = await landed(repo, [edit("a", "1")]);
      await repo.close();
      const again = await repos.open(dir);
      open.push(again);
      expect([await again.resolve(MAIN), text(await again.read(head, "a"))]).toEqual([head, "1"]);
    });
  });

  describe(`${family}: looking back`, () => {
    test("history of all, of a file, of a folder, in pages, newest first", async () => {
      const { repo } = await opened();
      const oids: Oid[] = [];
      for (let i = 0; i < 6; i++)
        oids.push(await landed(repo, [edit(i % 2 ? "odd/x" : "even/y[1]", `${i}`)], MAIN, `${i}`));
      const said = async (path: string, page?: { limit?: number; skip?: number }): Promise<string> =>
        (await repo.history(oids[5]!, path, page)).map(({ message }) => message.trim()).join("");
      expect(await Promise.all([said(""), said("odd"), said("even/y[1]"), said("nothing"), said("od*")])).toEqual([
        "543210",
        "531",
        "420",
        "",
        "",
      ]);
      expect([await said("", { limit: 2 }), await said("odd", { skip: 1, limit: 1 })]).toEqual(["54", "3"]);
      expect((await repo.history(oids[2]!, "odd")).map(({ oid }) => oid)).toEqual([oids[1]]);
    });

    test("changes between commits, and from nothing", async () => {
      const { repo } = await opened();
      const a = await landed(repo, [edit("x", "1"), edit("d/y", "1"), edit("d/z", "1"), edit("e/f/g", "1")]);
      const b = await landed(repo, [edit("x", undefined), edit("x/in", "2"), edit("d/y", "2"), edit("n", "1")]);
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
      expect([patch.includes("b/n"), (await repo.patch(undefined, a)).includes("+++ b/e/f/g")]).toEqual([false, true]);
    });

    test("common ancestors, and who is whose", async () => {
      const { repo } = await opened();
      const root = await landed(repo, [edit("a", "1")]);
      const left = await repo.build(draft([root], [edit("a", "2")]));
      const right = await repo.build(draft([root], [edit("a", "3")]));
      const stranger = await repo.build(draft([], [edit("b", "1")]));
      expect(await Promise.all([repo.mergeBase(left, right), repo.mergeBase(left, stranger)])).toEqual([
        root,
        undefined,
      ]);
      expect(
        await Promise.all([repo.isAncestor(root, left), repo.isAncestor(left, root), repo.isAncestor(left, left)]),
      ).toEqual([true, false, true]);
    });

    test("a commit that is not there is a failure, a path that is not there is nothing", async () => {
      const { repo } = await opened();
      const nobody = "1".repeat(40);
      expect(
        await Promise.all([repo.commit(nobody), repo.read(nobody, "a"), repo.history(nobody, "")].map(refusal)),
      ).toEqual(["NOT_FOUND", "NOT_FOUND", "NOT_FOUND"]);
      const head = await landed(repo, [edit("a", "1")]);
      expect([await repo.read(head, "b"), await repo.list(head, "a"), await repo.list(head, "b")]).toEqual([
        undefined,
        [],
        [],
      ]);
    });

    test("bytes that a caller changes do not come back changed", async () => {
      const { repo } = await opened();
      const head = await landed(repo, [edit("a", "1")]);
      (await repo.read(head, "a"))!.bytes.fill(0);
      expect(text(await repo.read(head, "a"))).toBe("1");
    });
  });

  describe(`${family}: merging`, () => {
    const lines = (...changed: [number, string][]): string =>
      Array.from({ length: 20 }, (_, i) => changed.find(([line]) => line === i + 1)?.[1] ?? `line ${i + 1}\n`).join("");

    test("two sides that touched different lines come together", async () => {
      const { repo } = await opened();
      const root = await landed(repo, [edit("f", lines())]);
      const ours = await repo.build(draft([root], [edit("f", lines([2, "ours\n"]))]));
      const theirs = await repo.build(draft([root], [edit("f", lines([18, "theirs\n"])), edit("n", "new")]));
      const merged = await repo.merge(ours, theirs);
      if (merged.kind !== "merged") throw new Error(merged.kind);
      const commit = await repo.build({ ...draft([ours, theirs], [], "Merge"), tree: merged.tree });
      expect(text(await repo.read(commit, "f"))).toBe(lines([2, "ours\n"], [18, "theirs\n"]));
      expect([await repo.merge(commit, theirs), await repo.merge(root, theirs)]).toEqual([
        { kind: "up-to-date" },
        { kind: "fast-forward" },
      ]);
    });

    test("a conflict tells paths, reasons and lines of our version", async () => {
      const { repo } = await opened();
      const root = await landed(repo, [edit("f", lines()), edit("gone", "1\n")]);
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

    test("strangers are refused in words", async () => {
      const { repo } = await opened();
      const [a, b] = await Promise.all(["1", "2"].map((content) => repo.build(draft([], [edit("a", content)]))));
      expect(await refusal(repo.merge(a!, b!))).toBe("VALIDATION_FAILED");
    });
  });

  describe(`${family}: annotations`, () => {
    test("bind, read and rebind; the commit stays, and the ref keeps the old binding in its history", async () => {
      const { repo } = await opened();
      const head = await landed(repo, [edit("a", "1")]);
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
      expect(await refusal(repo.annotate(TRACE, "1".repeat(40), bytes("x"), bloom))).toBe("NOT_FOUND");
    });

    test("20 at once lose none", async () => {
      const { repo } = await opened();
      const commits = await Promise.all(
        Array.from({ length: 20 }, (_, i) => repo.build(draft([], [edit("a", `${i}`)]))),
      );
      await Promise.all(commits.map((oid) => repo.annotate(TRACE, oid, bytes(oid), bloom)));
      const read = await Promise.all(commits.map((oid) => repo.annotation(TRACE, oid)));
      expect(read.map((each) => each && Buffer.from(each).toString())).toEqual(commits);
    });
  });

  test(`${family}: health says what works`, async () => {
    const { repo } = await opened();
    expect(await repo.health()).toMatchObject({ ok: true, remarks: [] });
  });
}
