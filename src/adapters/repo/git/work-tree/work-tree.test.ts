import { chmodSync, existsSync, statSync, symlinkSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderSync } from "../disk/folder-sync.ts";
import { commit, edit, garden, MAIN, moved, open, put, status, textAt } from "../testing/garden.ts";
import { attempt, byHand, scratch } from "../testing/scratch.ts";
import { followRecord } from "./follow-record.ts";

describe("work tree and index follow the checked-out branch", () => {
  test("a commit changes, adds and removes files, and the git status stays clean", async () => {
    const { dir, core } = await garden();
    expect(
      await commit(core, [edit("notes/a.md", "A\n"), edit("new/x y.md", "x\n"), edit("deep/er/c.md", undefined)]),
    ).toEqual(moved("deep/er/c.md", "new/x y.md", "notes/a.md"));
    expect({
      status: status(dir),
      unstaged: byHand(dir, "diff-files"),
      changed: textAt(dir, "notes/a.md"),
      added: textAt(dir, "new/x y.md"),
    }).toEqual({ status: "", unstaged: "", changed: "A\n", added: "x\n" });
    expect(existsSync(join(dir, "deep"))).toBe(false);
  });

  test("G-5 after our commit, a manual `git add other && git commit` reverts nothing", async () => {
    const { dir, core } = await garden();
    put(dir, "notes/b.md", "by hand\n");
    await commit(core, [edit("notes/a.md", "ours\n"), edit("notes/new.md", "new\n")]);
    byHand(dir, "add", "notes/b.md");
    byHand(dir, "commit", "-q", "-m", "By hand");
    expect(byHand(dir, "show", "--name-only", "--format=", "HEAD")).toBe("notes/b.md");
    expect({
      changed: byHand(dir, "show", "HEAD:notes/a.md"),
      added: byHand(dir, "show", "HEAD:notes/new.md"),
      status: status(dir),
    }).toEqual({ changed: "ours", added: "new", status: "" });
  });

  test("the first commit of an empty repository writes its files", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "main");
    const core = await open(dir);
    expect(await commit(core, [edit("notes/a.md", "a\n")])).toEqual(moved("notes/a.md"));
    expect({ status: status(dir), text: textAt(dir, "notes/a.md") }).toEqual({ status: "", text: "a\n" });
  });

  test("file modes stay: an executable file, and permissions that the person narrowed", async () => {
    const { dir, core } = await garden();
    put(dir, "run.sh", "#!/bin/sh\n");
    chmodSync(join(dir, "run.sh"), 0o755);
    chmodSync(join(dir, "notes/a.md"), 0o600);
    byHand(dir, "add", ".");
    byHand(dir, "commit", "-q", "-m", "script");
    await commit(core, [edit("run.sh", "#!/bin/sh\ntrue\n"), edit("notes/a.md", "A\n")]);
    expect({
      script: statSync(join(dir, "run.sh")).mode & 0o777,
      note: statSync(join(dir, "notes/a.md")).mode & 0o777,
    }).toEqual({ script: 0o755, note: 0o600 });
    expect({ status: status(dir), mode: byHand(dir, "ls-tree", "HEAD", "run.sh").slice(0, 6) }).toEqual({
      status: "",
      mode: "100755",
    });
  });

  test("a file can replace a folder, and a folder can replace a file", async () => {
    const { dir, core } = await garden();
    await commit(core, [edit("deep/er/c.md", undefined), edit("deep", "file\n")]);
    expect({ text: textAt(dir, "deep"), status: status(dir) }).toEqual({ text: "file\n", status: "" });
    await commit(core, [edit("deep", undefined), edit("deep/er/c.md", "c\n")]);
    expect({ text: textAt(dir, "deep/er/c.md"), status: status(dir) }).toEqual({ text: "c\n", status: "" });
  });

  test.each(["feature.manyFiles=true", "index.version=4", "core.splitIndex=true", "core.untrackedCache=true"])(
    "an index of the kind %s follows too",
    async (setting) => {
      const { dir, core } = await garden(setting);
      byHand(dir, "status");
      await commit(core, [edit("notes/a.md", "A\n"), edit("notes/aa.md", "n\n"), edit("notes/b.md", undefined)]);
      await commit(core, [edit("notes/a.md", "AA\n")]);
      expect({ status: status(dir), files: byHand(dir, "ls-files") }).toEqual({
        status: "",
        files: "deep/er/c.md\nnotes/a.md\nnotes/aa.md",
      });
      byHand(dir, "fsck", "--strict");
    },
  );

  test("a sparse checkout stays sparse", async () => {
    const { dir, core } = await garden();
    byHand(dir, "sparse-checkout", "set", "notes");
    await commit(core, [edit("deep/er/c.md", "C\n"), edit("notes/a.md", "A\n")]);
    expect({
      outsideExists: existsSync(join(dir, "deep")),
      text: textAt(dir, "notes/a.md"),
      status: status(dir),
    }).toEqual({ outsideExists: false, text: "A\n", status: "" });
  });

  test("the commit to follow is recorded in the machine's folder, which git does not see", async () => {
    const { dir, core: first } = await garden();
    await commit(first, [edit("notes/a.md", "A\n")]);
    await first.close();
    put(dir, ".bloom/.gitignore", "*\n");
    const core = await open(dir);
    await commit(core, [edit("notes/a.md", "AA\n")]);
    const record = followRecord(dir, join(dir, ".git"), folderSync());
    expect(await record.read()).toEqual({ commit: byHand(dir, "rev-parse", "main"), pending: undefined });
    expect(status(dir)).toBe("");
  });

  test("a linked work tree follows its own branch", async () => {
    const { dir } = await garden();
    const linked = join(scratch(), "linked");
    byHand(dir, "worktree", "add", "-q", "-b", "side", linked);
    const core = await open(linked);
    expect(await commit(core, [edit("notes/a.md", "A\n")], "refs/heads/side")).toEqual(moved("notes/a.md"));
    expect({ status: status(linked), linked: textAt(linked, "notes/a.md"), main: textAt(dir, "notes/a.md") }).toEqual({
      status: "",
      linked: "A\n",
      main: "a\n",
    });
  });
});

describe("G-5 an uncommitted manual edit stops the move and is kept", () => {
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
    expect({ head: await core.resolve(MAIN), status: status(dir) }).toEqual({ head, status: before });
    expect(existsSync(join(dir, ".git/index.lock"))).toBe(false);
  });

  test("an unmerged path is an uncommitted edit", async () => {
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

  test("an edit of another path does not stop the move, nor does an untracked file with the same content", async () => {
    const { dir, core } = await garden();
    put(dir, "notes/b.md", "mine\n");
    put(dir, "new.md", "ours\n");
    expect(await commit(core, [edit("notes/a.md", "ours\n"), edit("new.md", "ours\n")])).toEqual(moved("notes/a.md"));
    expect(status(dir)).toBe("M notes/b.md".padStart(13));
    expect(await core.edited(["notes/a.md", "notes/b.md", "new.md"])).toEqual(["notes/b.md"]);
  });

  test("a merge that the person has in progress keeps its parents", async () => {
    const { dir, core } = await garden();
    byHand(dir, "checkout", "-q", "-b", "other");
    put(dir, "notes/b.md", "theirs\n");
    byHand(dir, "commit", "-qam", "theirs");
    byHand(dir, "checkout", "-q", "main");
    byHand(dir, "merge", "-q", "--no-ff", "--no-commit", "other");
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual(moved("notes/a.md"));
    byHand(dir, "commit", "-q", "-m", "Merge");
    expect({ ours: byHand(dir, "show", "HEAD:notes/a.md"), theirs: byHand(dir, "show", "HEAD:notes/b.md") }).toEqual({
      ours: "ours",
      theirs: "theirs",
    });
  });
});

describe("a branch that is not checked out", () => {
  test("main moves and the files stay when HEAD is detached", async () => {
    const { dir, core } = await garden();
    byHand(dir, "checkout", "-q", "--detach");
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual(moved());
    expect({ text: textAt(dir, "notes/a.md"), status: status(dir) }).toEqual({ text: "a\n", status: "" });
  });

  test("main moves and the files stay when another branch is checked out; checking out main shows the commit", async () => {
    const { dir, core } = await garden();
    byHand(dir, "checkout", "-q", "-b", "mine");
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual(moved());
    expect({ text: textAt(dir, "notes/a.md"), status: status(dir) }).toEqual({ text: "a\n", status: "" });
    byHand(dir, "checkout", "-q", "main");
    expect({ text: textAt(dir, "notes/a.md"), status: status(dir), followed: await core.follow() }).toEqual({
      text: "ours\n",
      status: "",
      followed: { written: [], behind: [] },
    });
  });

  test("main stays during a rebase of main, and the reason says how to finish it", async () => {
    const { dir, core } = await garden();
    put(dir, "notes/a.md", "mine\n");
    byHand(dir, "commit", "-qam", "mine");
    byHand(dir, "checkout", "-q", "-b", "other", "HEAD~");
    put(dir, "notes/a.md", "theirs\n");
    byHand(dir, "commit", "-qam", "theirs");
    byHand(dir, "checkout", "-q", "main");
    expect(attempt(dir, "rebase", "other").code).toBe(1);
    const busy = { kind: "busy", why: { en: expect.stringContaining("git rebase --continue") } };
    expect(await commit(core, [edit("notes/b.md", "ours\n")])).toMatchObject(busy);
    expect(await core.hold(MAIN, async () => "not called")).toMatchObject(busy);
    byHand(dir, "rebase", "--abort");
    expect(await commit(core, [edit("notes/b.md", "ours\n")])).toEqual(moved("notes/b.md"));
  });
});

describe("a person's changes of history are kept", () => {
  test("`git reset --soft` and a staged revert survive follow and reopening", async () => {
    const { dir, core } = await garden();
    await commit(core, [edit("notes/a.md", "ours\n")]);
    byHand(dir, "reset", "-q", "--soft", "HEAD~");
    const before = status(dir);
    await core.follow();
    await core.close();
    await (await open(dir)).follow();
    expect({ status: status(dir), text: textAt(dir, "notes/a.md") }).toEqual({ status: before, text: "ours\n" });
  });

  test("an older version that the person restored by hand is an edit", async () => {
    const { dir, core } = await garden();
    await commit(core, [edit("notes/a.md", "one\n")]);
    put(dir, "notes/a.md", "a\n");
    expect(await commit(core, [edit("notes/a.md", "two\n")])).toEqual({ kind: "edited", paths: ["notes/a.md"] });
    byHand(dir, "checkout", "-q", "HEAD~", "--", "notes/a.md");
    expect(await commit(core, [edit("notes/a.md", "two\n")])).toEqual({ kind: "edited", paths: ["notes/a.md"] });
  });
});
