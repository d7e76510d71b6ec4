import { chmodSync, copyFileSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { languages } from "../../../../base/text.ts";
import { realWorld } from "../../../../base/world.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { inspectRepository } from "./inspect.ts";

const at = (dir: string, everything = false) => {
  const gitDir = join(dir, ".git");
  return inspectRepository({ place: { dir, environment }, gitDir, commonDir: gitDir }, realWorld, everything);
};

function healthy(): string {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  writeFileSync(join(dir, "a.md"), "one\n");
  writeFileSync(join(dir, "b.md"), "same\n");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "one");
  writeFileSync(join(dir, "a.md"), "two\n");
  byHand(dir, "commit", "-q", "-am", "two");
  byHand(dir, "branch", "side", "HEAD~1");
  byHand(dir, "notes", "--ref=trace", "add", "-m", "note");
  return dir;
}

const objectFile = (dir: string, name: string): string => {
  const oid = byHand(dir, "rev-parse", name);
  return join(dir, ".git/objects", oid.slice(0, 2), oid.slice(2));
};
const cut = (file: string, size: number): void => {
  chmodSync(file, 0o644);
  truncateSync(file, size);
};
const old = (file: string): void => {
  writeFileSync(file, "");
  utimesSync(file, 1000, 1000);
};
const inGit = (dir: string, name: string): string => join(dir, ".git", name);

test("a healthy repository gives no finding, packed or not, with commits or without", async () => {
  const dir = healthy();
  for (const everything of [false, true]) expect(await at(dir, everything)).toEqual([]);
  byHand(dir, "gc", "-q");
  for (const everything of [false, true]) expect(await at(dir, everything)).toEqual([]);
  const empty = scratch();
  byHand(empty, "init", "-q");
  for (const everything of [false, true]) expect(await at(empty, everything)).toEqual([]);
});

type Damage = (dir: string) => string | [string, ...string[]];
const oid = (dir: string, name: string) => byHand(dir, "rev-parse", name);
const removed =
  (name: string): Damage =>
  (dir) => {
    const subject = oid(dir, name);
    rmSync(objectFile(dir, name));
    return subject;
  };
const shortened =
  (name: string, size: number): Damage =>
  (dir) => {
    const subject = oid(dir, name);
    cut(objectFile(dir, name), size);
    return subject;
  };
const written =
  (file: string, text: string, subject: string): Damage =>
  (dir) => {
    writeFileSync(inGit(dir, file), text);
    return subject;
  };
const locked =
  (file: string): Damage =>
  (dir) => {
    old(inGit(dir, file));
    return file;
  };

describe("each damage gives exactly its own finding", () => {
  test.each<[string, string, Damage]>([
    ["a file's object is deleted", "object", removed("HEAD:a.md")],
    ["a tree is deleted", "object", removed("HEAD~1^{tree}")],
    ["a tree of the notes is deleted", "object", removed("refs/notes/trace^{tree}")],
    ["a tree is cut short", "object", shortened("HEAD^{tree}", 5)],
    ["a tree is empty", "object", shortened("HEAD^{tree}", 0)],
    ["main holds garbage", "ref", written("refs/heads/main", "what\n", "refs/heads/main")],
    ["a branch holds garbage", "ref", written("refs/heads/side", "what\n", "refs/heads/side")],
    ["a branch is empty", "ref", written("refs/heads/side", "", "refs/heads/side")],
    ["a branch points to nothing", "ref", written("refs/heads/side", `${"1".repeat(40)}\n`, "refs/heads/side")],
    ["notes point to nothing", "ref", written("refs/notes/trace", `${"1".repeat(40)}\n`, "refs/notes/trace")],
    ["HEAD holds garbage", "head", written("HEAD", "what\n", "HEAD")],
    ["a detached HEAD points to nothing", "head", written("HEAD", `${"1".repeat(40)}\n`, "HEAD")],
    ["the settings are damaged", "config", written("config", "[core\n", "config")],
    ["the index is cut short", "index", written("index", "DIRC", "index")],
    ["the index is something else", "index", written("index", "x".repeat(100), "index")],
    ["the index is left locked", "lock", locked("index.lock")],
    ["packed refs are left locked", "lock", locked("packed-refs.lock")],
    ["a branch is left locked", "lock", locked("refs/heads/main.lock")],
  ])("%s", async (_, kind, damage) => {
    for (const everything of [false, true]) {
      const dir = healthy();
      const subject = damage(dir);
      const found = await at(dir, everything);
      expect(found.map((finding) => ({ kind: finding.kind, subject: finding.subject }))).toEqual([{ kind, subject }]);
      for (const language of languages) expect(found[0]!.what[language]).not.toBe("");
    }
  });

  test.each<[string, Damage]>([
    ["a file's object is cut short", shortened("HEAD:a.md", 5)],
    ["a file's object is empty", shortened("HEAD:a.md", 0)],
    [
      "a file's object holds another file",
      (dir) => {
        chmodSync(objectFile(dir, "HEAD:a.md"), 0o644);
        copyFileSync(objectFile(dir, "HEAD:b.md"), objectFile(dir, "HEAD:a.md"));
        return oid(dir, "HEAD:a.md");
      },
    ],
  ])("when all objects are read: %s", async (_, damage) => {
    const dir = healthy();
    const subject = damage(dir);
    expect((await at(dir, true)).map((finding) => finding.subject)).toEqual([subject]);
  });

  test("a pack that is cut short is one finding, not one per object", async () => {
    const dir = healthy();
    byHand(dir, "gc", "-q");
    const pack = readdirSync(inGit(dir, "objects/pack")).find((name) => name.endsWith(".pack"))!;
    cut(inGit(dir, `objects/pack/${pack}`), 100);
    const found = await at(dir);
    expect(found.map((finding) => finding.subject)).toEqual([`objects/pack/${pack}`]);
  });

  test("a missing commit is a finding about its ref", async () => {
    const dir = healthy();
    rmSync(objectFile(dir, "HEAD"));
    expect(await at(dir)).toMatchObject([{ kind: "ref", subject: "refs/heads/main" }]);
  });

  test("several damages are several findings", async () => {
    const dir = healthy();
    old(inGit(dir, "index.lock"));
    writeFileSync(inGit(dir, "refs/heads/side"), "what\n");
    const blob = removed("HEAD:a.md")(dir);
    expect((await at(dir)).map((finding) => finding.subject)).toEqual(["index.lock", "refs/heads/side", blob]);
  });
});

/** A commit on another branch that changes the same line. */
function diverging(dir: string): void {
  byHand(dir, "checkout", "-q", "-b", "other", "HEAD~1");
  writeFileSync(join(dir, "a.md"), "three\n");
  byHand(dir, "commit", "-q", "-am", "three");
  byHand(dir, "checkout", "-q", "main");
}

test.each<[string, (dir: string) => void]>([
  ["merge", (dir) => byHand(dir, "merge", "-q", "other")],
  ["rebase", (dir) => byHand(dir, "rebase", "-q", "other")],
  ["cherry-pick", (dir) => byHand(dir, "cherry-pick", "other")],
  [
    "revert",
    (dir) => {
      writeFileSync(join(dir, "a.md"), "four\n");
      byHand(dir, "commit", "-q", "-am", "four");
      byHand(dir, "revert", "--no-edit", "HEAD~1");
    },
  ],
])("G-5 a conflicted git %s is one finding that names the file and both ways out", async (command, stopped) => {
  const dir = healthy();
  diverging(dir);
  expect(() => stopped(dir)).toThrow();
  const [found, ...others] = await at(dir, true);
  expect({ others, kind: found?.kind, subject: found?.subject }).toEqual({
    others: [],
    kind: "unfinished",
    subject: `git ${command}`,
  });
  for (const part of ["a.md", `git ${command} --continue`, `git ${command} --abort`])
    for (const language of languages) expect(found?.what[language]).toContain(part);
  byHand(dir, command, "--abort");
  expect(await at(dir, true)).toEqual([]);
});

test("a fresh lock is not a finding", async () => {
  const dir = healthy();
  writeFileSync(inGit(dir, "index.lock"), "");
  writeFileSync(inGit(dir, "refs/heads/main.lock"), "");
  expect(await at(dir)).toEqual([]);
});
