import { chmodSync, existsSync, lchownSync, readdirSync, unlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { patient } from "../../../../base/testing/patience.ts";
import { commit, edit, garden, open, put, status, textAt } from "../testing/garden.ts";
import { byHand } from "../testing/scratch.ts";

describe("git's index.lock is held by another process", () => {
  test("the ref moves, the files are reported as behind, and they follow when the lock is removed", async () => {
    const { dir, core } = await garden();
    const lock = join(dir, ".git/index.lock");
    writeFileSync(lock, "");
    const result = await commit(core, [edit("notes/a.md", "ours\n")]);
    expect(result).toMatchObject({ kind: "moved", followed: { written: [], behind: [{ path: "notes/a.md" }] } });
    expect({ file: textAt(dir, "notes/a.md"), committed: byHand(dir, "show", "main:notes/a.md") }).toEqual({
      file: "a\n",
      committed: "ours",
    });
    const second = await commit(core, [edit("notes/a.md", "ours again\n"), edit("notes/n.md", "n\n")]);
    expect(second).toMatchObject({ kind: "moved" });
    expect(await core.edited(["notes/a.md"])).toEqual([]);
    unlinkSync(lock);
    await expect.poll(() => textAt(dir, "notes/a.md"), { timeout: patient(60_000) }).toBe("ours again\n");
    await core.follow();
    expect(status(dir)).toBe("");
  });

  test("a file that the person edits meanwhile is kept and reported, and the index moves on", async () => {
    const { dir, core } = await garden();
    const lock = join(dir, ".git/index.lock");
    writeFileSync(lock, "");
    await commit(core, [edit("notes/a.md", "ours\n"), edit("notes/b.md", "ours\n")]);
    put(dir, "notes/a.md", "mine\n");
    unlinkSync(lock);
    const { behind } = await core.follow();
    expect(behind.map(({ path }) => path)).toEqual(["notes/a.md"]);
    expect({
      edited: textAt(dir, "notes/a.md"),
      followed: textAt(dir, "notes/b.md"),
      staged: byHand(dir, "diff", "--cached"),
    }).toEqual({ edited: "mine\n", followed: "ours\n", staged: "" });
    expect((await core.follow()).behind.map(({ path }) => path)).toEqual(["notes/a.md"]);
    byHand(dir, "checkout", "--", "notes/a.md");
    expect((await core.follow()).behind).toEqual([]);
  });

  test("opening removes a lock that our killed process left, and keeps git's own lock", async () => {
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

  /** Root may write anywhere, so the process runs as the user nobody during `work`. */
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
