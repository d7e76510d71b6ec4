import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languages } from "../../../../base/text.ts";
import { attempt, byHand, environment, scratch } from "../testing/scratch.ts";
import { lookAtFolder } from "./look-at-folder.ts";

const at = (dir: string) => lookAtFolder(dir, environment);

function withCommit(): string {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  writeFileSync(join(dir, "a.md"), "one\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "one");
  return dir;
}

describe("looking at a folder", () => {
  test("that is empty or missing finds no repository", async () => {
    const dir = scratch();
    expect(await at(dir)).toEqual({ kind: "none" });
    expect(await at(join(dir, "missing"))).toEqual({ kind: "none" });
  });

  test("inside a repository names its top", async () => {
    const dir = withCommit();
    mkdirSync(join(dir, "deep/er"), { recursive: true });
    expect(await at(join(dir, "deep/er"))).toEqual({ kind: "inside", top: dir });
    expect(await at(join(dir, ".git"))).toEqual({ kind: "inside", top: join(dir, ".git") });
  });

  test("with a repository reports its branch and head, also through a symbolic link", async () => {
    const dir = withCommit();
    const link = join(scratch(), "link");
    symlinkSync(dir, link);
    const expected = {
      kind: "repository",
      branch: "main",
      head: byHand(dir, "rev-parse", "HEAD"),
      underWay: undefined,
    };
    expect(await at(dir)).toEqual(expected);
    expect(await at(link)).toEqual(expected);
  });

  test("with a detached head reports no branch", async () => {
    const dir = withCommit();
    byHand(dir, "checkout", "-q", "--detach");
    expect(await at(dir)).toMatchObject({
      kind: "repository",
      branch: undefined,
      head: byHand(dir, "rev-parse", "HEAD"),
    });
  });

  test("without commits reports the unborn branch", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q", "-b", "trunk");
    expect(await at(dir)).toEqual({ kind: "repository", branch: "trunk", head: undefined, underWay: undefined });
  });

  test("changes nothing in it", async () => {
    const dir = withCommit();
    const before = snapshot(dir);
    await at(dir);
    expect(snapshot(dir)).toEqual(before);
  });
});

describe("an operation that a person has in progress is reported", () => {
  /** Two branches that changed the same line. */
  function forked(): string {
    const dir = withCommit();
    byHand(dir, "checkout", "-q", "-b", "side");
    writeFileSync(join(dir, "a.md"), "side\n");
    byHand(dir, "commit", "-q", "-am", "side");
    byHand(dir, "checkout", "-q", "main");
    writeFileSync(join(dir, "a.md"), "main\n");
    byHand(dir, "commit", "-q", "-am", "main");
    return dir;
  }

  test.each([
    ["merge", ["merge", "side"]],
    ["rebase", ["rebase", "side"]],
    ["rebase", ["rebase", "--apply", "side"]],
    ["cherry-pick", ["cherry-pick", "side"]],
    ["revert", ["revert", "--no-edit", "HEAD~1"]],
    ["bisect", ["bisect", "start"]],
  ])("%s (git %j)", async (what, args) => {
    const dir = forked();
    attempt(dir, ...args);
    expect(await at(dir)).toMatchObject({ kind: "repository", underWay: what });
  });
});

describe("a repository that git cannot read is reported as broken, with a hint", () => {
  const file = (dir: string, name: string) => join(dir, ".git", name);
  test.each<[string, (dir: string) => void, RegExp]>([
    ["HEAD is garbage", (dir) => writeFileSync(file(dir, "HEAD"), "what\n"), /\.git\/HEAD/],
    ["HEAD is empty", (dir) => writeFileSync(file(dir, "HEAD"), ""), /\.git\/HEAD/],
    ["HEAD is missing", (dir) => rmSync(file(dir, "HEAD")), /\.git\/HEAD/],
    ["HEAD names a tag", (dir) => writeFileSync(file(dir, "HEAD"), "ref: refs/tags/x\n"), /\.git\/HEAD/],
    ["objects are missing", (dir) => rmSync(file(dir, "objects"), { recursive: true }), /\.git\/objects is missing/],
    ["refs are missing", (dir) => rmSync(file(dir, "refs"), { recursive: true }), /\.git\/refs is missing/],
    ["main is garbage", (dir) => writeFileSync(file(dir, "refs/heads/main"), "what\n"), /refs\/heads\/main holds no/],
    ["main is empty", (dir) => writeFileSync(file(dir, "refs/heads/main"), ""), /refs\/heads\/main holds no/],
    [
      "main points to nothing",
      (dir) => writeFileSync(file(dir, "refs/heads/main"), `${"1".repeat(40)}\n`),
      /refs\/heads\/main points to 1{40}/,
    ],
    [
      "another ref points to nothing",
      (dir) => writeFileSync(file(dir, "refs/heads/side"), `${"2".repeat(40)}\n`),
      /refs\/heads\/side points to 2{40}/,
    ],
    ["another ref is garbage", (dir) => writeFileSync(file(dir, "refs/heads/side"), "?\n"), /refs\/heads\/side holds/],
    ["the settings are damaged", (dir) => writeFileSync(file(dir, "config"), "[core\nx"), /\.git\/config, line 1/],
    [
      "it belongs to another user",
      (dir) => {
        chownSync(file(dir, ""), 4321, 4321);
        chownSync(dir, 4321, 4321);
      },
      /another user/,
    ],
  ])("%s", async (what, damage, expected) => {
    if (/another user/.test(what) && process.getuid?.() !== 0) return; // only root can change the owner
    // Inside a healthy repository, because git silently skips a broken one and answers for the outer one.
    const outer = withCommit();
    const dir = join(outer, "garden");
    byHand(outer, "clone", "-q", outer, dir);
    damage(dir);
    const found = await at(dir);
    expect(found.kind).toBe("broken");
    if (found.kind === "broken") for (const language of languages) expect(found.why[language]).not.toBe("");
    expect(found).toMatchObject({ why: { en: expect.stringMatching(expected) } });
  });

  test("it has SHA-256 objects", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q", "--object-format=sha256");
    expect(await at(dir)).toMatchObject({ kind: "broken", why: { en: expect.stringMatching(/sha256/) } });
  });

  test("it is bare", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q", "--bare");
    expect(await at(dir)).toMatchObject({ kind: "broken", why: { en: expect.stringMatching(/bare/) } });
  });

  test("its .git file points to a missing folder", async () => {
    const dir = scratch();
    writeFileSync(join(dir, ".git"), "gitdir: ../nowhere\n");
    expect(await at(dir)).toMatchObject({ kind: "broken", why: { en: expect.stringMatching(/nowhere/) } });
  });
});

function snapshot(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((path) => `${path} ${readFileSync(path, "hex")}`);
}
