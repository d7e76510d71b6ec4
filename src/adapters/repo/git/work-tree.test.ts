import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { isFailure } from "../../../base/failure.ts";
import { realWorld } from "../../../base/world.ts";
import type { Edit, Moved } from "../../../ports/repo.ts";
import { openCore, type RepoCore } from "./core.ts";
import { attempt, byHand, environment, scratch } from "./testing/scratch.ts";
import { gardener } from "./testing/signatures.ts";

const MAIN = "refs/heads/main";
const opened: RepoCore[] = [];
afterEach(async () => {
  for (const core of opened.splice(0)) await core.close();
});

async function open(dir: string): Promise<RepoCore> {
  const core = await openCore({ dir, environment }, { world: realWorld });
  opened.push(core);
  return core;
}

/** A garden with three notes, committed by hand. */
async function garden(...settings: string[]): Promise<{ dir: string; core: RepoCore }> {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  for (const setting of settings) byHand(dir, "config", ...setting.split("="));
  put(dir, "notes/a.md", "a\n");
  put(dir, "notes/b.md", "b\n");
  put(dir, "deep/er/c.md", "c\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "Begin");
  return { dir, core: await open(dir) };
}

function put(dir: string, path: string, text: string): void {
  mkdirSync(join(dir, path, ".."), { recursive: true });
  writeFileSync(join(dir, path), text);
}

const textAt = (dir: string, path: string): string => readFileSync(join(dir, path), "utf8");
const edit = (path: string, text: string | undefined): Edit => ({
  path,
  bytes: text === undefined ? undefined : Buffer.from(text),
});

async function commit(core: RepoCore, edits: Edit[], ref = MAIN): Promise<Moved> {
  const from = await core.resolve(ref);
  const to = await core.build({
    parents: from ? [from] : [],
    edits,
    author: gardener,
    committer: gardener,
    message: "Apply",
  });
  return core.move([{ ref, from, to }], "test");
}

const status = (dir: string): string => byHand(dir, "status", "--porcelain");
const moved = (...written: string[]): Moved => ({ kind: "moved", followed: { written, behind: [] } });

describe("work tree and index follow the checked-out branch", () => {
  test("a commit changes, adds and removes files, and git sees nothing to do", async () => {
    const { dir, core } = await garden();
    expect(
      await commit(core, [edit("notes/a.md", "A\n"), edit("new/x y.md", "x\n"), edit("deep/er/c.md", undefined)]),
    ).toEqual(moved("deep/er/c.md", "new/x y.md", "notes/a.md"));
    expect([status(dir), byHand(dir, "diff-files"), textAt(dir, "notes/a.md"), textAt(dir, "new/x y.md")]).toEqual([
      "",
      "",
      "A\n",
      "x\n",
    ]);
    expect(existsSync(join(dir, "deep"))).toBe(false);
  });

  test("G-5 after our commit, `git add other && git commit` by hand reverts nothing", async () => {
    const { dir, core } = await garden();
    put(dir, "notes/b.md", "by hand\n");
    await commit(core, [edit("notes/a.md", "ours\n"), edit("notes/new.md", "new\n")]);
    byHand(dir, "add", "notes/b.md");
    byHand(dir, "commit", "-q", "-m", "By hand");
    expect(byHand(dir, "show", "--name-only", "--format=", "HEAD")).toBe("notes/b.md");
    expect([byHand(dir, "show", "HEAD:notes/a.md"), byHand(dir, "show", "HEAD:notes/new.md"), status(dir)]).toEqual([
      "ours",
      "new",
      "",
    ]);
  });

  test("the first commit of an empty repository brings its files", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "main");
    const core = await open(dir);
    expect(await commit(core, [edit("notes/a.md", "a\n")])).toEqual(moved("notes/a.md"));
    expect([status(dir), textAt(dir, "notes/a.md")]).toEqual(["", "a\n"]);
  });

  test("modes stay: an executable file, and permissions that the person narrowed", async () => {
    const { dir, core } = await garden();
    put(dir, "run.sh", "#!/bin/sh\n");
    chmodSync(join(dir, "run.sh"), 0o755);
    chmodSync(join(dir, "notes/a.md"), 0o600);
    byHand(dir, "add", ".");
    byHand(dir, "commit", "-q", "-m", "script");
    await commit(core, [edit("run.sh", "#!/bin/sh\ntrue\n"), edit("notes/a.md", "A\n")]);
    expect([statSync(join(dir, "run.sh")).mode & 0o777, statSync(join(dir, "notes/a.md")).mode & 0o777]).toEqual([
      0o755, 0o600,
    ]);
    expect([status(dir), byHand(dir, "ls-tree", "HEAD", "run.sh").slice(0, 6)]).toEqual(["", "100755"]);
  });

  test("a file takes the place of a folder, and a folder that of a file", async () => {
    const { dir, core } = await garden();
    await commit(core, [edit("deep/er/c.md", undefined), edit("deep", "file\n")]);
    expect([textAt(dir, "deep"), status(dir)]).toEqual(["file\n", ""]);
    await commit(core, [edit("deep", undefined), edit("deep/er/c.md", "c\n")]);
    expect([textAt(dir, "deep/er/c.md"), status(dir)]).toEqual(["c\n", ""]);
  });

  test.each(["feature.manyFiles=true", "index.version=4", "core.splitIndex=true", "core.untrackedCache=true"])(
    "an index of the kind %s follows too",
    async (setting) => {
      const { dir, core } = await garden(setting);
      byHand(dir, "status");
      await commit(core, [edit("notes/a.md", "A\n"), edit("notes/aa.md", "n\n"), edit("notes/b.md", undefined)]);
      await commit(core, [edit("notes/a.md", "AA\n")]);
      expect([status(dir), byHand(dir, "ls-files")]).toEqual(["", "deep/er/c.md\nnotes/a.md\nnotes/aa.md"]);
      byHand(dir, "fsck", "--strict");
    },
  );

  test("a sparse checkout stays sparse", async () => {
    const { dir, core } = await garden();
    byHand(dir, "sparse-checkout", "set", "notes");
    await commit(core, [edit("deep/er/c.md", "C\n"), edit("notes/a.md", "A\n")]);
    expect([existsSync(join(dir, "deep")), textAt(dir, "notes/a.md"), status(dir)]).toEqual([false, "A\n", ""]);
  });

  test("a linked work tree follows its own branch", async () => {
    const { dir } = await garden();
    const linked = join(scratch(), "linked");
    byHand(dir, "worktree", "add", "-q", "-b", "side", linked);
    const core = await open(linked);
    expect(await commit(core, [edit("notes/a.md", "A\n")], "refs/heads/side")).toEqual(moved("notes/a.md"));
    expect([status(linked), textAt(linked, "notes/a.md"), textAt(dir, "notes/a.md")]).toEqual(["", "A\n", "a\n"]);
  });
});

describe("G-5 an uncommitted edit by hand stops the move and is kept", () => {
  const hand: [string, (dir: string) => void][] = [
    ["a changed file", (dir) => put(dir, "notes/a.md", "mine\n")],
    ["a staged edit", (dir) => (put(dir, "notes/a.md", "mine\n"), byHand(dir, "add", "notes/a.md"))],
    [
      "a staged edit whose file was put back",
      (dir) => {
        put(dir, "notes/a.md", "mine\n");
        byHand(dir, "add", "notes/a.md");
        put(dir, "notes/a.md", "a\n");
      },
    ],
    ["a file deleted by hand", (dir) => unlinkSync(join(dir, "notes/a.md"))],
    ["a staged deletion", (dir) => byHand(dir, "rm", "-q", "--cached", "notes/a.md")],
    ["a changed mode", (dir) => chmodSync(join(dir, "notes/a.md"), 0o755)],
    [
      "a folder replaced by a link",
      (dir) => {
        byHand(dir, "mv", "notes", "elsewhere");
        byHand(dir, "reset", "-q");
        symlinkSync("elsewhere", join(dir, "notes"));
      },
    ],
    ["an untracked file in the way", (dir) => put(dir, "new.md", "untracked\n")],
    ["an untracked folder in the way", (dir) => put(dir, "new.md/inside", "untracked\n")],
    ["an untracked file where a folder is needed", (dir) => put(dir, "folder", "untracked\n")],
    ["an untracked link where a folder is needed", (dir) => symlinkSync("/", join(dir, "folder"))],
    ["a file announced with `git add -N`", (dir) => (put(dir, "new.md", "x\n"), byHand(dir, "add", "-N", "new.md"))],
    ["an edit in a conversion of line endings", (dir) => put(dir, "notes/a.md", "mine\r\n")],
  ];
  test.each(hand)("%s", async (_, act) => {
    const { dir, core } = await garden();
    const head = await core.resolve(MAIN);
    act(dir);
    const before = status(dir);
    const result = await commit(core, [
      edit("notes/a.md", "ours\n"),
      edit("new.md", "ours\n"),
      edit("folder/x.md", "ours\n"),
    ]);
    expect(result).toMatchObject({ kind: "edited" });
    expect([await core.resolve(MAIN), status(dir)]).toEqual([head, before]);
    expect(existsSync(join(dir, ".git/index.lock"))).toBe(false);
  });

  test("an unmerged path", async () => {
    const { dir, core } = await garden();
    byHand(dir, "checkout", "-q", "-b", "other");
    put(dir, "notes/a.md", "theirs\n");
    byHand(dir, "commit", "-qam", "theirs");
    byHand(dir, "checkout", "-q", "main");
    put(dir, "notes/a.md", "mine\n");
    byHand(dir, "commit", "-qam", "mine");
    expect(attempt(dir, "merge", "other").code).toBe(1);
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual({ kind: "edited", paths: ["notes/a.md"] });
    expect(await commit(core, [edit("notes/b.md", "ours\n")])).toEqual(moved("notes/b.md"));
    expect(byHand(dir, "ls-files", "-u", "notes/a.md").split("\n")).toHaveLength(3);
  });

  test("but not an edit of another path, nor an untracked file that is already what we bring", async () => {
    const { dir, core } = await garden();
    put(dir, "notes/b.md", "mine\n");
    put(dir, "new.md", "ours\n");
    expect(await commit(core, [edit("notes/a.md", "ours\n"), edit("new.md", "ours\n")])).toEqual(moved("notes/a.md"));
    expect(status(dir)).toBe("M notes/b.md".padStart(13));
    expect(await core.edited(["notes/a.md", "notes/b.md", "new.md"])).toEqual(["notes/b.md"]);
  });

  test("a merge of branches that the person has under way keeps its parents", async () => {
    const { dir, core } = await garden();
    byHand(dir, "checkout", "-q", "-b", "other");
    put(dir, "notes/b.md", "theirs\n");
    byHand(dir, "commit", "-qam", "theirs");
    byHand(dir, "checkout", "-q", "main");
    byHand(dir, "merge", "-q", "--no-ff", "--no-commit", "other");
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual(moved("notes/a.md"));
    byHand(dir, "commit", "-q", "-m", "Merge");
    expect([byHand(dir, "show", "HEAD:notes/a.md"), byHand(dir, "show", "HEAD:notes/b.md")]).toEqual([
      "ours",
      "theirs",
    ]);
  });
});

describe("a branch that is not checked out", () => {
  test("HEAD detached: main moves, the files stay", async () => {
    const { dir, core } = await garden();
    byHand(dir, "checkout", "-q", "--detach");
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual(moved());
    expect([textAt(dir, "notes/a.md"), status(dir)]).toEqual(["a\n", ""]);
  });

  test("another branch checked out: main moves, the files stay, and coming back shows ours", async () => {
    const { dir, core } = await garden();
    byHand(dir, "checkout", "-q", "-b", "mine");
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual(moved());
    expect([textAt(dir, "notes/a.md"), status(dir)]).toEqual(["a\n", ""]);
    byHand(dir, "checkout", "-q", "main");
    expect([textAt(dir, "notes/a.md"), status(dir), await core.follow()]).toEqual([
      "ours\n",
      "",
      { written: [], behind: [] },
    ]);
  });

  test("a rebase of main under way: main stays, and the hint says how to finish", async () => {
    const { dir, core } = await garden();
    put(dir, "notes/a.md", "mine\n");
    byHand(dir, "commit", "-qam", "mine");
    byHand(dir, "checkout", "-q", "-b", "other", "HEAD~");
    put(dir, "notes/a.md", "theirs\n");
    byHand(dir, "commit", "-qam", "theirs");
    byHand(dir, "checkout", "-q", "main");
    expect(attempt(dir, "rebase", "other").code).toBe(1);
    const thrown = await commit(core, [edit("notes/b.md", "ours\n")]).catch((error: unknown) => error);
    expect(isFailure(thrown, "CONCURRENT_MODIFICATION") && thrown.hint?.en).toContain("git rebase --continue");
  });
});

describe("git's index.lock held by somebody else", () => {
  test("the ref moves, the files are told as behind, and follow when the lock is gone", async () => {
    const { dir, core } = await garden();
    const lock = join(dir, ".git/index.lock");
    writeFileSync(lock, "");
    const result = await commit(core, [edit("notes/a.md", "ours\n")]);
    expect(result).toMatchObject({ kind: "moved", followed: { written: [], behind: [{ path: "notes/a.md" }] } });
    expect([textAt(dir, "notes/a.md"), byHand(dir, "show", "main:notes/a.md")]).toEqual(["a\n", "ours"]);
    const second = await commit(core, [edit("notes/a.md", "ours again\n"), edit("notes/n.md", "n\n")]);
    expect(second).toMatchObject({ kind: "moved" });
    expect(await core.edited(["notes/a.md"])).toEqual([]);
    unlinkSync(lock);
    await expect.poll(() => textAt(dir, "notes/a.md"), { timeout: 10_000 }).toBe("ours again\n");
    await core.follow();
    expect(status(dir)).toBe("");
  });

  test("what the person edited meanwhile stays, is told, and the index moves on under it", async () => {
    const { dir, core } = await garden();
    const lock = join(dir, ".git/index.lock");
    writeFileSync(lock, "");
    await commit(core, [edit("notes/a.md", "ours\n"), edit("notes/b.md", "ours\n")]);
    put(dir, "notes/a.md", "mine\n");
    unlinkSync(lock);
    const { behind } = await core.follow();
    expect(behind.map(({ path }) => path)).toEqual(["notes/a.md"]);
    expect([textAt(dir, "notes/a.md"), textAt(dir, "notes/b.md"), byHand(dir, "diff", "--cached")]).toEqual([
      "mine\n",
      "ours\n",
      "",
    ]);
    expect((await core.follow()).behind.map(({ path }) => path)).toEqual(["notes/a.md"]);
    byHand(dir, "checkout", "--", "notes/a.md");
    expect((await core.follow()).behind).toEqual([]);
  });

  test("a lock that a killed process of ours left is removed at opening, git's own is not", async () => {
    const { dir, core } = await garden();
    await core.close();
    const lock = join(dir, ".git/index.lock");
    writeFileSync(lock, "garden-bloom 4194399 12345\n");
    expect((await (await open(dir)).health()).remarks[0]?.en).toContain("index.lock");
    expect(existsSync(lock)).toBe(false);
    writeFileSync(lock, "");
    await open(dir);
    expect(existsSync(lock)).toBe(true);
  });

  test("locks of refs that nobody holds are removed at opening and told, fresh ones stay", async () => {
    const { dir, core } = await garden();
    await core.close();
    const [old, fresh] = ["refs/heads/main.lock", "HEAD.lock"].map((name) => join(dir, ".git", name)) as [
      string,
      string,
    ];
    writeFileSync(old, "");
    utimesSync(old, 1_700_000_000, 1_700_000_000);
    writeFileSync(fresh, "");
    const remarks = (await (await open(dir)).health()).remarks.map(({ en }) => en);
    expect(remarks).toEqual(["removed the lock refs/heads/main.lock, which a killed process had left"]);
    expect(existsSync(fresh)).toBe(true);
  });
});

describe("what the person does to history is left alone", () => {
  test("`git reset --soft` and a staged revert survive follow and reopening", async () => {
    const { dir, core } = await garden();
    await commit(core, [edit("notes/a.md", "ours\n")]);
    byHand(dir, "reset", "-q", "--soft", "HEAD~");
    const before = status(dir);
    await core.follow();
    await core.close();
    await (await open(dir)).follow();
    expect([status(dir), textAt(dir, "notes/a.md")]).toEqual([before, "ours\n"]);
  });

  test("an older version that the person put back by hand is an edit", async () => {
    const { dir, core } = await garden();
    await commit(core, [edit("notes/a.md", "one\n")]);
    put(dir, "notes/a.md", "a\n");
    expect(await commit(core, [edit("notes/a.md", "two\n")])).toEqual({ kind: "edited", paths: ["notes/a.md"] });
    byHand(dir, "checkout", "-q", "HEAD~", "--", "notes/a.md");
    expect(await commit(core, [edit("notes/a.md", "two\n")])).toEqual({ kind: "edited", paths: ["notes/a.md"] });
  });
});

describe("files that git converts", () => {
  test("a repository with CRLF in the work tree", async () => {
    const { dir, core: first } = await garden("core.autocrlf=true");
    await first.close();
    byHand(dir, "rm", "-q", "-r", "--cached", ".");
    byHand(dir, "reset", "-q", "--hard");
    expect(textAt(dir, "notes/a.md")).toBe("a\r\n");
    const core = await open(dir);
    expect(await commit(core, [edit("notes/a.md", "ours\n"), edit("new.md", "n\n")])).toMatchObject({
      kind: "moved",
      followed: { behind: [] },
    });
    expect([textAt(dir, "notes/a.md"), textAt(dir, "new.md"), status(dir)]).toEqual(["ours\r\n", "n\r\n", ""]);
    put(dir, "notes/a.md", "mine\r\n");
    expect(await commit(core, [edit("notes/a.md", "ours 2\n")])).toEqual({ kind: "edited", paths: ["notes/a.md"] });
  });

  test("a filter of the person's own", async () => {
    const { dir, core } = await garden("filter.rot.clean=tr a-z n-za-m", "filter.rot.smudge=tr a-z n-za-m");
    await commit(core, [edit(".gitattributes", "*.rot filter=rot\n")]);
    expect(await commit(core, [edit("x.rot", "abc\n")])).toMatchObject({ kind: "moved", followed: { behind: [] } });
    expect([textAt(dir, "x.rot"), status(dir)]).toEqual(["nop\n", ""]);
    expect(await commit(core, [edit("x.rot", "xyz\n")])).toMatchObject({ kind: "moved", followed: { behind: [] } });
    expect([textAt(dir, "x.rot"), status(dir)]).toEqual(["klm\n", ""]);
  });
});

describe("a folder that cannot be written", () => {
  test("is told as behind, and follows when it can be", async () => {
    const { dir, core } = await garden();
    byHand(dir, "gc", "-q");
    const result = await asNobody(dir, async () => {
      chmodSync(join(dir, "notes"), 0o555);
      const answer = await commit(core, [edit("notes/a.md", "ours\n"), edit("deep/er/c.md", "C\n")]);
      chmodSync(join(dir, "notes"), 0o755);
      return answer;
    });
    expect(result).toMatchObject({
      kind: "moved",
      followed: {
        written: ["deep/er/c.md"],
        behind: [{ path: "notes/a.md", why: { en: "no permission to write there" } }],
      },
    });
    expect([byHand(dir, "diff", "--cached"), textAt(dir, "notes/a.md")]).toEqual(["", "a\n"]);
    expect((await core.follow()).written).toEqual(["notes/a.md"]);
    expect(status(dir)).toBe("");
  });

  /** Root may write anywhere, so for the length of this the process is nobody. */
  async function asNobody<T>(dir: string, work: () => Promise<T>): Promise<T> {
    if (process.getuid?.() !== 0) return work();
    const owner = (uid: number): void => {
      for (const path of [".", ...(readdirSync(dir, { recursive: true }) as string[])])
        lchownSync(join(dir, path), uid, uid);
    };
    owner(65534);
    process.seteuid!(65534);
    try {
      return await work();
    } finally {
      process.seteuid!(0);
      owner(0);
    }
  }
});
