import { chmodSync, existsSync, lchownSync, readdirSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { patient } from "../../../../base/testing/patience.ts";
import { commit, edit, garden, open, put, status, textAt } from "../testing/garden.ts";
import { byHand } from "../testing/scratch.ts";

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
    await expect.poll(() => textAt(dir, "notes/a.md"), { timeout: patient(60_000) }).toBe("ours again\n");
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
    expect(remarks).toEqual(["removed the lock refs/heads/main.lock, left behind by a killed process"]);
    expect(existsSync(fresh)).toBe(true);
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

  test("attributes that come with the files they speak of", async () => {
    const { dir, core } = await garden();
    const edits = [edit("a.txt", "one\ntwo\n"), edit(".gitattributes", "*.txt eol=crlf\n"), edit("z/b.txt", "b\n")];
    expect(await commit(core, edits)).toMatchObject({ kind: "moved", followed: { behind: [] } });
    expect([textAt(dir, "a.txt"), textAt(dir, "z/b.txt"), status(dir)]).toEqual(["one\r\ntwo\r\n", "b\r\n", ""]);
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
