import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setImmediate as otherWork } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { armCrashPoints } from "../../../../base/crash-point.ts";
import type { CommitDraft, Edit } from "../../../../ports/repo.ts";
import { processMark } from "../../../process-mark.ts";
import { asNobody } from "../testing/as-nobody.ts";
import { startCommitter } from "../testing/committer-process.ts";
import { commit, edit, garden, MAIN, moved, open, put, status, textAt } from "../testing/garden.ts";
import { attempt, byHand, environment, scratch } from "../testing/scratch.ts";
import { gardener } from "../testing/signatures.ts";
import { lockHeld, lockHeldByBloom } from "./failures.ts";
import { type IndexLock, indexLockHolder, takeIndexLock } from "./index-lock.ts";

const draftOn = (parent: string, ...edits: Edit[]): CommitDraft => ({
  parents: [parent],
  edits,
  author: gardener,
  committer: gardener,
  message: "Apply",
});

describe("git's index.lock is held by another process", () => {
  test("G-5 no branch moves, whether it is checked out or not, and it moves when the lock is gone", async () => {
    const { dir, core } = await garden();
    const [lock, head] = [join(dir, ".git/index.lock"), byHand(dir, "rev-parse", "main")];
    writeFileSync(lock, "");
    const busy = { kind: "busy", why: lockHeld };
    expect(await commit(core, [edit("notes/a.md", "ours\n")])).toEqual(busy);
    expect(await commit(core, [edit("notes/a.md", "ours\n")], "refs/heads/side")).toEqual(busy);
    expect(await core.hold(MAIN, async () => "not called")).toEqual(busy);
    expect({ why: await core.busy(MAIN), refs: byHand(dir, "for-each-ref", "--format=%(objectname)") }).toEqual({
      why: busy.why,
      refs: head,
    });
    unlinkSync(lock);
    expect({ why: await core.busy(MAIN), moved: await commit(core, [edit("notes/a.md", "ours\n")]) }).toEqual({
      why: undefined,
      moved: moved("notes/a.md"),
    });
    expect(status(dir)).toBe("");
  });

  test("G-5 while a branch is held, git commits nothing, and the branch moves from the value that was read", async () => {
    const { dir, core } = await garden();
    put(dir, "notes/b.md", "mine\n");
    const answer = await core.hold(MAIN, async (move) => {
      const from = await core.resolve(MAIN);
      expect(attempt(dir, "commit", "-qam", "by hand").said).toContain("index.lock");
      const to = await core.build(draftOn(from!, edit("notes/a.md", "ours\n")));
      return move([{ ref: MAIN, from, to }]);
    });
    expect(answer).toEqual({ kind: "held", result: moved("notes/a.md") });
    byHand(dir, "commit", "-qam", "by hand");
    expect({
      ours: byHand(dir, "show", "main:notes/a.md"),
      theirs: byHand(dir, "show", "main:notes/b.md"),
      status: status(dir),
    }).toEqual({ ours: "ours", theirs: "mine", status: "" });
  });

  test("G-5 the lock of a killed process names its owner, and is taken over until the index is that of the branch", async () => {
    const { dir, core } = await garden();
    await core.close();
    const lock = join(dir, ".git/index.lock");
    const killed = { dir, ref: MAIN, name: "x", commits: 1, crashAt: "repo.follow.after-index" };
    await startCommitter(killed, environment).end;
    expect(textAt(dir, ".git/index.lock")).toContain("This lock belongs to Garden Bloom");
    expect(attempt(dir, "commit", "--allow-empty", "-m", "by hand").code).not.toBe(0);
    // The next process cannot write the index yet: a folder is in the way of its copy.
    mkdirSync(join(dir, `.git/index.bloom-copy-${process.pid}-0`));
    const next = await open(dir);
    expect({ behind: (await next.health()).remarks.length > 1, locked: existsSync(lock) }).toEqual({
      behind: true,
      locked: true,
    });
    expect((await next.follow()).behind).toEqual([]);
    expect({ locked: existsSync(lock), status: status(dir), remark: (await next.health()).remarks[0]?.en }).toEqual({
      locked: false,
      status: "",
      remark: expect.stringContaining("took over index.lock from a killed bloom process"),
    });
  });

  test("G-5 a power cut kept the new branch and lost the new index: git is refused until the index is that of the branch", async () => {
    const { dir, core } = await garden();
    await core.close();
    const index = join(dir, ".git/index");
    const before = readFileSync(index);
    const killed = { dir, ref: MAIN, name: "x", commits: 1, crashAt: "repo.move.after-swap" };
    await startCommitter(killed, environment).end;
    writeFileSync(index, before);
    const refused = attempt(dir, "commit", "--allow-empty", "-m", "by hand");
    const next = await open(dir);
    await next.follow();
    expect({ refused: refused.code !== 0, status: status(dir), staged: byHand(dir, "diff", "--cached") }).toEqual({
      refused: true,
      status: "",
      staged: "",
    });
  });

  test.each([
    { of: "a process that runs", mark: () => processMark(process.pid), holder: "bloom" },
    { of: "an older version that runs", mark: () => withoutBoot(process.pid), holder: "bloom" },
    { of: "a process whose pid another one has now", mark: async () => `${process.pid} 1`, holder: "dead-bloom" },
    {
      of: "a process of an earlier boot with the same pid and start",
      mark: async () => `${await withoutBoot(process.pid)} 00000000-0000-4000-8000-000000000000`,
      holder: "dead-bloom",
    },
  ])(
    "G-5 the holder of the lock of $of is $holder, also if that pid belongs to another user",
    async ({ mark, holder }) => {
      const gitDir = scratch();
      writeFileSync(join(gitDir, "index.lock"), `garden-bloom ${await mark()} 0\n`);
      const own = await indexLockHolder(gitDir);
      const kill = vi.spyOn(process, "kill").mockImplementation(() => {
        throw Object.assign(new Error("kill EPERM"), { code: "EPERM" }); // the kernel's answer for a process of another user
      });
      onTestFinished(() => kill.mockRestore());
      expect({ own, ofAnotherUser: await indexLockHolder(gitDir) }).toEqual({ own: holder, ofAnotherUser: holder });
    },
  );
  const withoutBoot = async (pid: number): Promise<string> => (await processMark(pid)).split(" ", 2).join(" ");

  test.each([
    { moment: "before its heir is chosen", names: ["index.bloom-lock-"] },
    { moment: "when its heir is chosen", names: ["index.bloom-heir"] },
    { moment: "right before it is replaced", names: ["index.bloom-heir", "index.bloom-lock-"] },
  ])("G-5 a git command that gets the index.lock of a dead process $moment keeps it", async ({ names }) => {
    const gitDir = scratch();
    const lock = join(gitDir, "index.lock");
    let isGits = false;
    let taken: IndexLock | undefined;
    for (let tries = 0; tries < 200 && !isGits; tries++) {
      taken?.release();
      writeFileSync(lock, "garden-bloom 99999999 1 0\n");
      const taking = takeIndexLock(gitDir, 0);
      for (let turns = 0; turns < 200 && !isGits; turns++) {
        const present = readdirSync(gitDir);
        isGits = names.every((name) => present.some((each) => each.startsWith(name)));
        if (!isGits) await otherWork();
      }
      if (isGits) unlinkSync(lock); // by a person; then git creates its own
      if (isGits) writeFileSync(lock, "", { flag: "wx" });
      taken = await taking;
    }
    expect({ isGits, taken, lock: readFileSync(lock, "utf8"), files: readdirSync(gitDir) }).toEqual({
      isGits: true,
      taken: undefined,
      lock: "",
      files: ["index.lock"],
    });
  });

  test("G-5 the index.lock of a killed process with our pid, as in a container, is taken over beside the files it left", async () => {
    const gitDir = scratch();
    const lock = join(gitDir, "index.lock");
    writeFileSync(lock, `garden-bloom ${process.pid} 1 0\n`);
    for (let number = 0; number < 2000; number++)
      linkSync(lock, join(gitDir, `index.bloom-lock-${process.pid}-${number}`));
    const taken = await takeIndexLock(gitDir);
    expect(taken && { isTakenOver: taken.isTakenOver, isHeld: taken.isHeld() }).toEqual({
      isTakenOver: true,
      isHeld: true,
    });
    taken?.release();
  });

  test("G-5 a change that waits for another bloom process names it, and tells nobody to delete its lock", async () => {
    const { dir, core } = await garden();
    writeFileSync(join(dir, ".git/index.lock"), `garden-bloom ${await processMark(process.pid)} 0\n`);
    const answer = await commit(core, [edit("notes/a.md", "ours\n")]);
    expect(answer).toEqual({ kind: "busy", why: lockHeldByBloom(String(process.pid)) });
    unlinkSync(join(dir, ".git/index.lock"));
  });

  test("a lock of git itself stays when a repository is opened", async () => {
    const { dir, core } = await garden();
    await core.close();
    const lock = join(dir, ".git/index.lock");
    writeFileSync(lock, "");
    await open(dir);
    expect(existsSync(lock)).toBe(true);
  });

  test("opening removes and reports abandoned ref locks, and keeps fresh ones", async () => {
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
    expect(remarks).toEqual(["removed the lock refs/heads/main.lock, left behind by a killed process"]);
    expect(existsSync(fresh)).toBe(true);
  });
});

describe("the work tree follows files that git converts", () => {
  test("in a repository with CRLF in the work tree", async () => {
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
    expect({ changed: textAt(dir, "notes/a.md"), added: textAt(dir, "new.md"), status: status(dir) }).toEqual({
      changed: "ours\r\n",
      added: "n\r\n",
      status: "",
    });
    put(dir, "notes/a.md", "mine\r\n");
    expect(await commit(core, [edit("notes/a.md", "ours 2\n")])).toEqual({ kind: "edited", paths: ["notes/a.md"] });
  });

  test("with attributes that come in the same commit as their files", async () => {
    const { dir, core } = await garden();
    const edits = [edit("a.txt", "one\ntwo\n"), edit(".gitattributes", "*.txt eol=crlf\n"), edit("z/b.txt", "b\n")];
    expect(await commit(core, edits)).toMatchObject({ kind: "moved", followed: { behind: [] } });
    expect({ root: textAt(dir, "a.txt"), folder: textAt(dir, "z/b.txt"), status: status(dir) }).toEqual({
      root: "one\r\ntwo\r\n",
      folder: "b\r\n",
      status: "",
    });
  });

  test("with a filter of the person's own", async () => {
    const { dir, core } = await garden("filter.rot.clean=tr a-z n-za-m", "filter.rot.smudge=tr a-z n-za-m");
    await commit(core, [edit(".gitattributes", "*.rot filter=rot\n")]);
    expect(await commit(core, [edit("x.rot", "abc\n")])).toMatchObject({ kind: "moved", followed: { behind: [] } });
    expect({ text: textAt(dir, "x.rot"), status: status(dir) }).toEqual({ text: "nop\n", status: "" });
    expect(await commit(core, [edit("x.rot", "xyz\n")])).toMatchObject({ kind: "moved", followed: { behind: [] } });
    expect({ text: textAt(dir, "x.rot"), status: status(dir) }).toEqual({ text: "klm\n", status: "" });
  });
});

test("G-5 a file that takes longer to write than the locks of refs may be held is written before them", async () => {
  const { dir, core } = await garden("filter.slow.clean=cat", "filter.slow.smudge=sleep 2.3; cat");
  await commit(core, [edit(".gitattributes", "*.slow filter=slow\n")]);
  expect(await commit(core, [edit("x.slow", "abc\n")])).toMatchObject({ kind: "moved", followed: { behind: [] } });
  expect({ text: textAt(dir, "x.slow"), status: status(dir) }).toEqual({ text: "abc\n", status: "" });
});

describe("G-5 a file that could not be written is no edit by hand: it is retried", () => {
  const STOP = ".git/stop";
  /** A garden with a filter that fails while the file `STOP` is there. */
  const filtered = async (): Promise<Awaited<ReturnType<typeof garden>>> => {
    const smudge = `filter.bad.smudge=test ! -e ${STOP} && cat`;
    const made = await garden("filter.bad.clean=cat", smudge, "filter.bad.required=true");
    await commit(made.core, [edit(".gitattributes", "memory/*.md filter=bad\n"), edit("memory/x.md", "old\n")]);
    put(made.dir, STOP, "");
    return made;
  };

  test.each(["repo.follow.after-index", "repo.move.after-swap", "repo.move.after-ref-sync"])(
    "after a crash at %s",
    async (crashAt) => {
      const { dir, core } = await filtered();
      await core.close();
      await startCommitter({ dir, ref: MAIN, name: "x", commits: 1, crashAt }, environment).end;
      expect(textAt(dir, "memory/x.md")).toBe("old\n");
      unlinkSync(join(dir, STOP));
      const next = await open(dir);
      expect({ followed: await next.follow(), status: status(dir) }).toEqual({
        followed: { written: [], behind: [] }, // written when the repository was opened
        status: "",
      });
      expect(textAt(dir, "memory/x.md").trimEnd()).toBe(byHand(dir, "show", "main:memory/x.md"));
    },
  );

  test("and it is reported when the sync of the index fails too", async () => {
    const { dir, core } = await filtered();
    const gitDir = join(dir, ".git");
    const result = await asNobody(dir, async () => {
      const disarm = armCrashPoints((name) => {
        if (name === "repo.follow.after-index") chmodSync(gitDir, 0o333); // cannot be opened for a sync
      });
      const answer = await commit(core, [edit("memory/x.md", "new\n")]);
      disarm();
      chmodSync(gitDir, 0o755);
      return answer;
    });
    expect(result).toMatchObject({ kind: "moved", followed: { written: [], behind: [{ path: "memory/x.md" }] } });
    expect((await core.health()).remarks[0]?.en).toContain("memory/x.md in the work tree is behind");
    unlinkSync(join(dir, STOP));
    expect((await core.follow()).behind).toEqual([]);
    expect({ text: textAt(dir, "memory/x.md"), status: status(dir) }).toEqual({ text: "new\n", status: "" });
  });
});

describe("a folder that cannot be written", () => {
  test("is reported as behind, and follows when it becomes writable", async () => {
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
    expect({ staged: byHand(dir, "diff", "--cached"), text: textAt(dir, "notes/a.md") }).toEqual({
      staged: "",
      text: "a\n",
    });
    expect((await core.follow()).written).toEqual(["notes/a.md"]);
    expect(status(dir)).toBe("");
  });
});
