import { execFileSync } from "node:child_process";
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import { repoPathProblem } from "../../../domain/git/git-names.ts";
import type { Edit } from "../../../ports/repo.ts";
import { openCore, type RepoCore } from "./core.ts";
import type { Environment } from "./process/git-process.ts";
import { byHand, environment, scratch } from "./testing/scratch.ts";
import { gardener } from "./testing/signatures.ts";

const MAIN = "refs/heads/main";
const SIDE = "refs/heads/agents/side";
const opened: RepoCore[] = [];
afterEach(async () => {
  for (const core of opened.splice(0)) await core.close();
});

async function open(dir: string, as: Environment = environment): Promise<RepoCore> {
  const core = await openCore({ dir, environment: as }, { world: realWorld });
  opened.push(core);
  return core;
}

async function bare(): Promise<{ dir: string; core: RepoCore }> {
  const dir = scratch();
  byHand(dir, "init", "-q", "--bare", "-b", "main");
  return { dir, core: await open(dir) };
}

const edit = (path: string, text: string | undefined): Edit => ({
  path,
  bytes: text === undefined ? undefined : Buffer.from(text),
});
const built = (core: RepoCore, parents: string[], edits: Edit[]): Promise<string> =>
  core.build({ parents, edits, author: gardener, committer: gardener, message: "Change" });

async function landed(core: RepoCore, edits: Edit[], ref = MAIN): Promise<string> {
  const from = await core.resolve(ref);
  const to = await built(core, from ? [from] : [], edits);
  expect(await core.move([{ ref, from, to }])).toMatchObject({ kind: "moved" });
  return to;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => error);
const looseOf = (dir: string, oid: string): string => join(dir, "objects", oid.slice(0, 2), oid.slice(2));
const clean = (dir: string): void => expect(byHand(dir, "fsck", "--strict", "--no-dangling")).toBe("");

describe("objects", () => {
  const names = fc.constantFrom("a", "a.b", "a0", "b", "B", "є", "𝒳", "\uffee", "a-", "_");
  const paths = fc
    .array(names, { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join("/"))
    .filter((path) => repoPathProblem(path) === undefined);

  test("for any edits, the tree equals the one that git's own index gives", async () => {
    const { dir, core } = await bare();
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uniqueArray(paths, { maxLength: 6 }), { minLength: 1, maxLength: 3 }),
        async (rounds) => {
          let head: string | undefined;
          const files = new Map<string, string>();
          for (const [round, chosen] of rounds.entries()) {
            const edits: Edit[] = [];
            for (const path of chosen) {
              const clash = [...files.keys()].some((has) => has.startsWith(`${path}/`) || path.startsWith(`${has}/`));
              if (clash) continue;
              const text = files.has(path) ? undefined : `${round} ${path}\n`;
              edits.push(edit(path, text));
              if (text === undefined) files.delete(path);
              else files.set(path, text);
            }
            head = await built(core, head ? [head] : [], edits);
          }
          const index = join(dir, "some-index");
          rmSync(index, { force: true });
          const git = (args: string[], input?: string): string =>
            execFileSync("git", args, { cwd: dir, input, env: { ...environment, GIT_INDEX_FILE: index } })
              .toString()
              .trim();
          const lines = [...files].map(
            ([path, text]) => `100644 ${git(["hash-object", "-w", "--stdin"], text)}\t${path}\0`,
          );
          git(["update-index", "--add", "-z", "--index-info"], lines.join(""));
          expect((await core.commit(head!)).tree).toBe(git(["write-tree"]));
        },
      ),
      { numRuns: 15 },
    );
    clean(dir);
  });

  test("an existing object is freshened, not rewritten; an empty or torn one is rewritten", async () => {
    const { dir, core } = await bare();
    const head = await built(core, [], [edit("a", "content\n")]);
    const blob = (await core.read(head, "a"))!.oid;
    const path = looseOf(dir, blob);
    const { ino } = statSync(path);
    utimesSync(path, 1, 1);
    await built(core, [], [edit("a", "content\n")]);
    expect({
      inode: statSync(path).ino,
      isFresh: statSync(path).mtimeMs > 1e12,
      mode: statSync(path).mode & 0o777,
    }).toEqual({ inode: ino, isFresh: true, mode: 0o444 });
    for (const torn of [Buffer.alloc(0), deflateSync("blob 8\0content\n").subarray(0, 12), deflateSync("blob 1\0x")]) {
      chmodSync(path, 0o644);
      writeFileSync(path, torn);
      await core.close();
      const again = await open(dir);
      expect(await built(again, [], [edit("a", "content\n")])).toBe(head);
      expect(byHand(dir, "cat-file", "blob", blob)).toBe("content");
    }
    clean(dir);
  });

  test("a commit of 3,000 files does not run out of open files", async () => {
    const { dir, core } = await bare();
    const edits = Array.from({ length: 3_000 }, (_, index) => edit(`n/${index % 30}/${index}`, `${index}\n`));
    expect(await core.list(await landed(core, edits), "n")).toHaveLength(3_000);
    clean(dir);
  });

  test("a damaged object is reported by name, and the reader continues", async () => {
    const { dir, core } = await bare();
    const head = await landed(core, [edit("a", "one\n"), edit("b", "two\n")]);
    const blob = (await core.read(head, "a"))!.oid;
    await core.close();
    chmodSync(looseOf(dir, blob), 0o644);
    // Garbage; a torn object, which makes git exit; an object with another one's bytes.
    const torn = deflateSync(`blob 4\0uno\n${"x".repeat(500)}`);
    for (const wrong of ["garbage", torn, torn.subarray(0, 16), deflateSync("blob 4\0uno\n")]) {
      writeFileSync(looseOf(dir, blob), wrong);
      const again = await open(dir);
      const [a, b] = await Promise.all([failureOf(again.read(head, "a")), again.read(head, "b")]);
      expect(isFailure(a, "UPSTREAM_UNAVAILABLE") && a.details["object"]).toBe(blob);
      expect(Buffer.from((b as { bytes: Uint8Array }).bytes).toString()).toBe("two\n");
      expect((await again.read(head, "b"))?.mode).toBe("100644");
    }
  });

  test("names that are not UTF-8, links and submodules are kept, and cannot be written through", async () => {
    const { dir, core } = await bare();
    const blob = execFileSync("git", ["hash-object", "-w", "--stdin"], { cwd: dir, input: "x" }).toString().trim();
    const lines = [
      `100644 ${blob}\t`,
      `120000 ${blob}\tlink\0`,
      `160000 ${"1".repeat(40)}\tmodule\0`,
      `100755 ${blob}\trun\0`,
    ];
    const input = Buffer.concat([
      Buffer.from(lines[0]!),
      Buffer.from([0xff, 0xfe, 0]),
      Buffer.from(lines.slice(1).join("")),
    ]);
    execFileSync("git", ["update-index", "--add", "-z", "--index-info"], { cwd: dir, input });
    const root = byHand(dir, "commit-tree", "-m", "odd", byHand(dir, "write-tree"));
    const next = await built(core, [root], [edit("run", "new\n"), edit("a", "1")]);
    expect(byHand(dir, "ls-tree", "--format=%(objectmode) %(path)", next)).toBe(
      '100644 a\n120000 link\n160000 module\n100755 run\n100644 "\\377\\376"',
    );
    for (const path of ["link", "link/x", "module", "module/x"])
      expect(isFailure(await failureOf(built(core, [root], [edit(path, "1")])), "VALIDATION_FAILED")).toBe(true);
    expect((await core.list(await built(core, [root], [edit("link", undefined)]), "")).length).toBe(3);
    expect(await core.read(root, "module")).toBeUndefined();
  });

  test("a merge with a conflict writes nothing, in a folder of any name", async () => {
    const dir = join(scratch(), 'a:b "c" \\d');
    mkdirSync(dir);
    byHand(dir, "init", "-q", "--bare", "-b", "main");
    const core = await open(dir);
    const root = await landed(core, [edit("f", "1\n")]);
    const [ours, theirs] = await Promise.all(["2\n", "3\n"].map((text) => built(core, [root], [edit("f", text)])));
    const all = (): string => (readdirSync(dir, { recursive: true }) as string[]).toSorted().join("\n");
    const before = all();
    expect(await core.merge(ours!, theirs!)).toMatchObject({ kind: "conflict" });
    expect(all()).toBe(before);
    const apart = await built(core, [root], [edit("g", "1\n")]);
    expect(await core.merge(ours!, apart)).toMatchObject({ kind: "merged" });
    clean(dir);
  });
});

describe("refs", () => {
  test("packed refs are read, moved and deleted, and a change of the file is noticed", async () => {
    const { dir, core } = await bare();
    const a = await landed(core, [edit("a", "1")], SIDE);
    await landed(core, [edit("a", "1")], MAIN);
    byHand(dir, "pack-refs", "--all");
    expect(existsSync(join(dir, SIDE))).toBe(false);
    expect(await core.resolve(SIDE)).toBe(a);
    const b = await landed(core, [edit("a", "2")], SIDE);
    byHand(dir, "pack-refs", "--all");
    expect({ packed: await core.resolve(SIDE), missing: await core.resolve("refs/heads/none") }).toEqual({
      packed: b,
      missing: undefined,
    });
    expect(await core.move([{ ref: SIDE, from: b, to: undefined }])).toMatchObject({ kind: "moved" });
    expect({ side: await core.resolve(SIDE), refs: byHand(dir, "for-each-ref", "--format=%(refname)") }).toEqual({
      side: undefined,
      refs: MAIN,
    });
  });

  test("a move waits for a short lock of its ref, and reports one that stays", async () => {
    const { dir, core } = await bare();
    const head = await landed(core, [edit("a", "1")], SIDE);
    const next = await built(core, [head], [edit("a", "2")]);
    const lock = join(dir, `${SIDE}.lock`);
    writeFileSync(lock, "");
    setTimeout(() => rmSync(lock), 300);
    expect(await core.move([{ ref: SIDE, from: head, to: next }])).toMatchObject({ kind: "moved" });
    const holder = openSync(lock, "w"); // held by a live process: this one
    const busy = await failureOf(core.move([{ ref: SIDE, from: next, to: head }]));
    expect(isFailure(busy, "CONCURRENT_MODIFICATION")).toBe(true);
    closeSync(holder);
    rmSync(lock);
    expect({
      side: await core.resolve(SIDE),
      moved: await core.move([{ ref: SIDE, from: next, to: head }]),
    }).toMatchObject({ side: next, moved: { kind: "moved" } });
  });

  test("every move adds a line to the reflog", async () => {
    const { dir, core } = await bare();
    await landed(core, [edit("a", "1")], SIDE);
    const head = await landed(core, [edit("a", "2")], SIDE);
    const lines = readFileSync(join(dir, "logs", SIDE), "utf8")
      .trim()
      .split("\n");
    expect({ lines: lines.length, head: lines[1]!.split(" ")[1], message: lines[1]!.split("\t")[1] }).toEqual({
      lines: 2,
      head,
      message: "bloom",
    });
  });

  test("notes written by git itself, flat or nested, are read, and replaced in place", async () => {
    const { dir, core } = await bare();
    const [flat, deep] = [await landed(core, [edit("a", "1")]), await landed(core, [edit("a", "2")])];
    byHand(dir, "notes", "--ref=trace", "add", "-m", "flat", flat);
    const blob = byHand(dir, "notes", "--ref=trace", "list", flat);
    const nested = `${deep.slice(0, 2)}/${deep.slice(2, 4)}/${deep.slice(4)}`;
    const tree = execFileSync("git", ["mktree"], { cwd: dir, input: `100644 blob ${blob}\t${deep.slice(4)}\n` });
    const upper = execFileSync("git", ["mktree"], {
      cwd: dir,
      input: `040000 tree ${tree.toString().trim()}\t${deep.slice(2, 4)}\n`,
    });
    const root = execFileSync("git", ["mktree"], {
      cwd: dir,
      input: `100644 blob ${blob}\t${flat}\n040000 tree ${upper.toString().trim()}\t${deep.slice(0, 2)}\n`,
    });
    byHand(dir, "update-ref", "refs/notes/trace", byHand(dir, "commit-tree", "-m", "deep", root.toString().trim()));
    expect(byHand(dir, "ls-tree", "-r", "--name-only", "refs/notes/trace").split("\n")).toContain(nested);
    for (const oid of [flat, deep]) {
      expect(Buffer.from((await core.annotation("refs/notes/trace", oid))!).toString()).toBe("flat\n");
      await core.annotate("refs/notes/trace", oid, Buffer.from("ours\n"), gardener);
      expect(byHand(dir, "notes", "--ref=trace", "show", oid)).toBe("ours");
    }
    expect(byHand(dir, "ls-tree", "-r", "--name-only", "refs/notes/trace").split("\n").toSorted()).toEqual(
      [flat, deep].map((oid) => `${oid.slice(0, 2)}/${oid.slice(2)}`).toSorted(),
    );
  });
});

describe("the person's settings", () => {
  test("for signing, hooks, line endings, templates and replacements have no effect", async () => {
    const home = scratch();
    const marker = join(home, "hook-ran");
    const hooks = join(home, "hooks");
    mkdirSync(hooks);
    for (const folder of [hooks]) {
      for (const hook of ["reference-transaction", "post-index-change", "pre-commit", "update"]) {
        writeFileSync(join(folder, hook), `#!/bin/sh\ntouch ${marker}\nexit 1\n`, { mode: 0o755 });
      }
    }
    writeFileSync(
      join(home, ".gitconfig"),
      `[commit]\n gpgsign = true\n[gpg]\n program = false\n[core]\n hooksPath = ${hooks}\n autocrlf = input\n abbrev = 4\n logAllRefUpdates = false\n[diff]\n noprefix = true\n external = false\n renames = false\n[i18n]\n commitEncoding = KOI8-U\n[user]\n name = Nobody\n useConfigOnly = true\n[log]\n showSignature = true\n`,
    );
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "main");
    for (const hook of readdirSync(hooks)) symlinkSync(join(hooks, hook), join(dir, ".git/hooks", hook));
    const plain = scratch();
    byHand(plain, "init", "-q", "-b", "main");
    const [hostile, quiet] = [await open(dir, { ...environment, HOME: home }), await open(plain)];
    const ids = await Promise.all(
      [hostile, quiet].map(async (core) => {
        const first = await landed(core, [edit("a", "one\r\ntwo\n"), edit("b", "1\n2\n3\n")]);
        const second = await landed(core, [edit("b", undefined), edit("c", "1\n2\n3\n")]);
        await core.annotate("refs/notes/trace", second, Buffer.from("{}\n"), gardener);
        return [first, second, await core.resolve("refs/notes/trace"), await core.patch(first, second)];
      }),
    );
    expect(ids[0]).toEqual(ids[1]);
    expect(existsSync(marker)).toBe(false);
    expect(readFileSync(join(dir, "a"), "utf8")).toBe("one\r\ntwo\n");
    byHand(dir, "-c", "core.hooksPath=/dev/null", "replace", ids[0]![0] as string, ids[0]![1] as string);
    await hostile.close();
    expect((await (await open(dir)).read(ids[0]![0] as string, "b"))?.mode).toBe("100644");
  });
});

describe("opening", () => {
  test.each<[string, (dir: string) => void, string]>([
    [
      "a repository with SHA-256 ids",
      (dir) => byHand(dir, "init", "-q", "--object-format=sha256"),
      "VALIDATION_FAILED",
    ],
    ["an empty folder", () => undefined, "UPSTREAM_UNAVAILABLE"],
    [
      "a repository with a broken HEAD",
      (dir) => (byHand(dir, "init", "-q"), writeFileSync(join(dir, ".git/HEAD"), "x")),
      "UPSTREAM_UNAVAILABLE",
    ],
  ])("%s is refused with a hint", async (_, make, code) => {
    const dir = scratch();
    make(dir);
    const thrown = await failureOf(open(dir));
    expect(isFailure(thrown) && { code: thrown.code, isTranslated: thrown.text.uk !== "" }).toEqual({
      code,
      isTranslated: true,
    });
  });

  test("a folder inside a repository is refused", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q");
    mkdirSync(join(dir, "inner"));
    expect(isFailure(await failureOf(open(join(dir, "inner"))), "VALIDATION_FAILED")).toBe(true);
  });

  test("a missing and an old git are reported with a hint", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q");
    const path = scratch();
    const missing = await failureOf(open(dir, { PATH: path }));
    expect(isFailure(missing, "UPSTREAM_UNAVAILABLE") && missing.hint?.en).toContain("2.39");
    writeFileSync(join(path, "git"), "#!/bin/sh\necho git version 2.34.1\n", { mode: 0o755 });
    const old = await failureOf(open(dir, { PATH: path }));
    expect(isFailure(old, "UPSTREAM_UNAVAILABLE") && { part: old.details["part"], hint: old.hint?.en }).toEqual({
      part: "git",
      hint: "Install git 2.39 or newer.",
    });
  });
});
