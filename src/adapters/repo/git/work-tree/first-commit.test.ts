import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ranNode } from "../../../../base/testing/ran-node.ts";
import { testProgram } from "../../../../base/testing/test-program.ts";
import { isThorough } from "../../../../base/testing/tries.ts";
import { realWorld } from "../../../../base/world.ts";
import { initRepository } from "../setup/init.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { gardener } from "../testing/signatures.ts";
import { commitEverything } from "./first-commit.ts";

const draft = { author: gardener, committer: gardener, message: "Begin" };
const commit = (dir: string, progress?: (done: number, total: number) => void) =>
  commitEverything({ dir, environment }, draft, progress);
const killedProgram = testProgram(join(import.meta.dirname, "../testing/killed-setup.ts"));

async function garden(files: Record<string, string>): Promise<string> {
  const dir = scratch();
  await initRepository(dir, environment, realWorld);
  write(dir, files);
  return dir;
}

function write(dir: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

const committed = (dir: string): string[] =>
  byHand(dir, "ls-tree", "-r", "-z", "--name-only", "main").split("\0").filter(Boolean);

describe("the first commit of all files (I-3)", () => {
  test("holds every file that is not ignored, and leaves a clean status", async () => {
    const dir = await garden({
      "a.md": "a",
      "deep/er/b.md": "b",
      ".gitignore": "*.tmp\n",
      "c.tmp": "c",
      "run.sh": "#!",
    });
    chmodSync(join(dir, "run.sh"), 0o755);
    symlinkSync("a.md", join(dir, "link"));
    const told: [number, number][] = [];
    const { head, left } = await commit(dir, (...progress) => told.push(progress));
    expect(head).toBe("fe62b5786a2684303b5bd28a7d0b49971549e372");
    expect(left).toEqual([]);
    expect(committed(dir)).toEqual([".gitignore", "a.md", "deep/er/b.md", "link", "run.sh"]);
    expect(byHand(dir, "ls-files", "-s", "run.sh", "link")).toMatch(/^120000 .*link\n100755 .*run\.sh$/);
    expect(byHand(dir, "status", "--porcelain")).toBe("");
    expect(byHand(dir, "fsck", "--strict", "--full")).toBe("");
    expect(told).toEqual([
      [0, 5],
      [5, 5],
    ]);
  });

  test("has the given author, time and trailers", async () => {
    const dir = await garden({ "a.md": "a" });
    const author = { ...gardener, name: "Оля", zone: 120 };
    await commitEverything({ dir, environment }, { ...draft, author, trailers: [["Garden", "1"]] });
    expect(byHand(dir, "log", "--format=%an|%ai|%cn|%ci|%B")).toBe(
      "Оля|2026-02-14 10:00:00 +0200|Gardener|2026-02-14 08:00:00 +0000|Begin\n\nGarden: 1",
    );
  });

  test("takes names with spaces, quotes, colons and letters of any language", async () => {
    const names = [
      "з пробілом.md",
      'лапки "тут".md',
      "it's: a\ttab.md",
      "-leading.md",
      "🌱/ї.md",
      "i\u0306.md",
      "#x.md",
    ];
    const dir = await garden(Object.fromEntries(names.map((name) => [name, name])));
    await commit(dir);
    expect(committed(dir).toSorted()).toEqual(names.toSorted());
    expect(byHand(dir, "status", "--porcelain")).toBe("");
  });

  test("leaves untracked, and reports, invalid names and nested repositories", async () => {
    const dir = await garden({ "good.md": "", "two\nlines.md": "", "back\\slash.md": "", "inner/x.md": "" });
    writeFileSync(Buffer.concat([Buffer.from(`${dir}/bad`), Buffer.from([0xff])]), "");
    byHand(join(dir, "inner"), "init", "-q");
    write(dir, { ".bloom/store/x.json": "{}" });
    const { left } = await commit(dir);
    expect(committed(dir)).toEqual(["good.md"]);
    expect(left.map(({ path }) => path).toSorted()).toEqual(["back\\slash.md", "bad\ufffd", "inner", "two\nlines.md"]);
    expect(left.find(({ path }) => path === "inner")?.why.en).toMatch(/repository of its own/);
  });

  test("keeps files that a person forced into the index, and takes the newest text of staged files", async () => {
    const dir = await garden({ ".gitignore": "*.tmp\n", "forced.tmp": "x", "staged.md": "old", "gone.md": "gone" });
    byHand(dir, "add", "-f", ".", "forced.tmp");
    writeFileSync(join(dir, "staged.md"), "new");
    rmSync(join(dir, "gone.md"));
    await commit(dir);
    expect(committed(dir)).toEqual([".gitignore", "forced.tmp", "staged.md"]);
    expect(byHand(dir, "show", "main:staged.md")).toBe("new");
    expect(byHand(dir, "status", "--porcelain")).toBe("");
  });

  test("never changes a file", async () => {
    const dir = await garden({ "a.md": "a", "sub/b.md": "b" });
    utimesSync(join(dir, "a.md"), 1000, 1000);
    const before = ["", "a.md", "sub", "sub/b.md"].map((name) => stats(dir, name));
    await commit(dir);
    expect(["", "a.md", "sub", "sub/b.md"].map((name) => stats(dir, name))).toEqual(before);
  });

  test("works in an empty folder, and in a repository whose unborn branch is master", async () => {
    const empty = await garden({});
    await commit(empty);
    expect(byHand(empty, "log", "--format=%s %T")).toBe("Begin 4b825dc642cb6eb9a060e54bf8d69288fbee4904");
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "master");
    write(dir, { "a.md": "a" });
    await commit(dir);
    expect(byHand(dir, "status", "--porcelain=v2", "--branch")).toMatch(/# branch.head main$/m);
  });

  test("is refused in a repository with commits", async () => {
    const dir = await garden({ "a.md": "a" });
    byHand(dir, "commit", "-q", "--allow-empty", "-m", "theirs");
    await expect(commit(dir)).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  });

  test("is refused while another git holds the index", async () => {
    const dir = await garden({ "a.md": "a" });
    writeFileSync(join(dir, ".git/index.lock"), "");
    await expect(commit(dir)).rejects.toMatchObject({ code: "CONCURRENT_MODIFICATION" });
    expect(byHand(dir, "for-each-ref")).toBe("");
  });

  test("finds its own lock again on a file system without hard links", async () => {
    const dir = await garden({ "a.md": "a" });
    mkdirSync(join(dir, ".git/first-commit-abc"));
    writeFileSync(join(dir, ".git/index.lock"), "first-commit-abc");
    await commit(dir);
    expect(byHand(dir, "status", "--porcelain")).toBe("");
  });

  test.each(["batch", "added", "packed", "locked", "indexed", "moved"])(
    "can be repeated after a kill at %s",
    async (point) => {
      const dir = await garden({ "a.md": "a", "b/ї.md": "b" });
      const child = await ranNode([killedProgram, "commit", dir, `first-commit:${point}`]);
      expect(child.signal).toBe("SIGKILL");
      const { head } = await commit(dir);
      expect(byHand(dir, "rev-parse", "main")).toBe(head);
      expect(byHand(dir, "rev-list", "--count", "main")).toBe("1");
      expect(committed(dir)).toEqual(["a.md", "b/ї.md"]);
      expect(byHand(dir, "status", "--porcelain")).toBe("");
      expect(byHand(dir, "fsck", "--strict", "--full")).toBe("");
      expect((await commit(dir)).head).toBe(head);
      expect(readdirSync(join(dir, ".git"))).not.toContainEqual(expect.stringMatching(/first-commit/));
    },
  );

  test("can be repeated after a kill at any moment", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 1500 }, (_, i) => [`d${i % 7}/n${i}.md`, `${i}\n`.repeat(i)]),
    );
    let before = 0;
    for (let waitMs = 60; waitMs < 600; waitMs += isThorough ? 70 : 250) {
      const dir = await garden(files);
      const child = spawn(process.execPath, [killedProgram, "commit", dir, "never"], { stdio: "ignore" });
      await new Promise((resolve) => setTimeout(resolve, waitMs));
      child.kill("SIGKILL");
      if (byHand(dir, "for-each-ref") === "") before++;
      const { head } = await commit(dir);
      expect(committed(dir)).toHaveLength(1500);
      expect(byHand(dir, "rev-list", "main")).toBe(head);
      expect(byHand(dir, "status", "--porcelain")).toBe("");
      expect(byHand(dir, "fsck", "--strict", "--full", "--no-dangling")).toBe("");
    }
    console.log(`first commit killed 8 times, ${before} of them before it had moved main`);
  });

  test.each([1_000, 20_000])("of %i files ends with a clean status", async (count) => {
    const dir = await garden({});
    for (let i = 0; i < count; i++) {
      if (i % 200 === 0) mkdirSync(join(dir, `тека ${i / 200}`));
      writeFileSync(
        join(dir, `тека ${Math.floor(i / 200)}`, `нотатка ${i}.md`),
        `# ${i}\n\n${"рядок тексту\n".repeat(40)}`,
      );
    }
    const told: number[] = [];
    const started = performance.now();
    await commit(dir, (done) => told.push(done));
    console.log(
      `first commit of ${count} files: ${Math.round(performance.now() - started)} ms, told ${told.length} times`,
    );
    expect(told.at(-1)).toBe(count);
    expect(byHand(dir, "status", "--porcelain")).toBe("");
    expect(byHand(dir, "ls-tree", "-r", "--name-only", "main").split("\n")).toHaveLength(count);
  });
});

const stats = (dir: string, name: string) => {
  const { mtimeNs, mode, ino, size } = statSync(join(dir, name), { bigint: true });
  return name === "" ? { mode, ino } : { mtimeNs, mode, ino, size };
};
