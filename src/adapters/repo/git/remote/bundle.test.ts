import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { realWorld } from "../../../../base/world.ts";
import { byHand, environment, scratch } from "../testing/scratch.ts";
import { bundle, unbundle } from "./bundle.ts";

const save = (dir: string, file: string) => bundle({ dir, environment }, realWorld, file);
const restore = (dir: string, file: string) => unbundle(dir, file, environment, realWorld);

/** Branches, tags, notes and refs of our own, with names that are hard to carry. */
function grown(): string {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  mkdirSync(join(dir, "нотатки"));
  writeFileSync(join(dir, "нотатки/з пробілом.md"), "# Ї\n".repeat(500));
  writeFileSync(join(dir, "run.sh"), "#!/bin/sh\n", { mode: 0o755 });
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "one");
  byHand(dir, "branch", "agents/гілка");
  byHand(dir, "tag", "-a", "v1", "-m", "tag");
  byHand(dir, "notes", "--ref=trace", "add", "-m", '{"a":1}');
  byHand(dir, "update-ref", "refs/agentic/dossier/x", "HEAD");
  byHand(dir, "commit", "-q", "--allow-empty", "-m", "two");
  return dir;
}

const refsOf = (dir: string): string => byHand(dir, "for-each-ref", "--format=%(objectname) %(refname)");

describe("a backup of the repository (G-8)", () => {
  test("holds every ref, and restoring it checks out main", async () => {
    const dir = grown();
    const file = join(scratch(), "garden.bundle");
    const told = await save(dir, file);
    expect(told.map(({ oid, name }) => `${oid} ${name}`).join("\n")).toBe(refsOf(dir));
    expect(told.map(({ name }) => name)).toContain("refs/agentic/dossier/x");
    const other = scratch();
    await restore(other, file);
    expect(refsOf(other)).toBe(refsOf(dir));
    expect(byHand(other, "status", "--porcelain=v2", "--branch")).toMatch(/# branch\.head main$/);
    expect(readdirSync(other).toSorted()).toEqual([".git", "run.sh", "нотатки"]);
    expect(readFileSync(join(other, "нотатки/з пробілом.md"), "utf8")).toBe("# Ї\n".repeat(500));
    expect(byHand(other, "fsck", "--strict", "--full")).toBe("");
    expect(byHand(other, "config", "--local", "gc.auto")).toBe("0");
  });

  test("is one file that plain git clone reads (G-4), without other files beside it", async () => {
    const folder = scratch();
    await save(grown(), join(folder, "garden.bundle"));
    expect(readdirSync(folder)).toEqual(["garden.bundle"]);
    byHand(folder, "clone", "-q", "garden.bundle", "clone");
    expect(byHand(join(folder, "clone"), "log", "--format=%s")).toBe("two\none");
  });

  test.each([".g\u200cit/config", "notes/.GIT\ufeff/config", "git~1/config", ".git ./config"])(
    "is refused if its history holds %j, which some systems take for .git",
    async (path) => {
      const dir = grown();
      const oid = byHand(dir, "rev-parse", "HEAD:run.sh");
      const protections = ["-c", "core.protectHFS=false", "-c", "core.protectNTFS=false"];
      byHand(dir, ...protections, "update-index", "--add", "--cacheinfo", `100644,${oid},${path}`);
      byHand(dir, ...protections, "commit", "-q", "-m", "trap");
      const file = join(scratch(), "garden.bundle");
      await save(dir, file);
      const other = scratch();
      await expect(restore(other, file)).rejects.toMatchObject({
        code: "VALIDATION_FAILED",
        text: { en: expect.stringContaining("some systems take for `.git`") },
      });
      expect(readdirSync(other)).toEqual([]);
    },
  );

  test("of a repository without commits has no refs and writes no file", async () => {
    const dir = scratch();
    byHand(dir, "init", "-q");
    expect(await save(dir, join(dir, "x.bundle"))).toEqual([]);
    expect(readdirSync(dir)).toEqual([".git"]);
  });

  test("of a shallow clone is refused", async () => {
    const dir = scratch();
    byHand(dir, "clone", "-q", "--depth=1", `file://${grown()}`, "clone");
    await expect(save(join(dir, "clone"), join(dir, "x.bundle"))).rejects.toMatchObject({ code: "INVALID_TRANSITION" });
  });

  test("is restored into a folder that holds only the machine's folder", async () => {
    const file = join(scratch(), "garden.bundle");
    await save(grown(), file);
    const dir = scratch();
    mkdirSync(join(dir, ".bloom/store"), { recursive: true });
    await restore(dir, file);
    expect(readdirSync(dir).toSorted()).toEqual([".bloom", ".git", "run.sh", "нотатки"]);
  });

  test("is not restored into a folder with other files", async () => {
    const file = join(scratch(), "garden.bundle");
    await save(grown(), file);
    const dir = scratch();
    writeFileSync(join(dir, "mine.md"), "");
    await expect(restore(dir, file)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
    expect(readdirSync(dir)).toEqual(["mine.md"]);
  });
});

const size = (file: string): number => readFileSync(file).length;

describe("an invalid bundle is refused and leaves no file", () => {
  test.each<[string, (file: string) => void, RegExp]>([
    ["a bundle cut in the middle", (file) => truncateSync(file, Math.floor(size(file) / 2)), /cut short/],
    ["a bundle cut by one byte", (file) => truncateSync(file, size(file) - 1), /cut short/],
    ["an empty bundle", (file) => truncateSync(file, 0), /not a bundle/],
    ["a bundle with one byte changed in the pack", (file) => flip(file, size(file) - 200), /damaged/],
    ["another kind of file", (file) => writeFileSync(file, "hello"), /not a bundle/],
    ["a bundle of a part of the history", (file) => part(file), /part of a history/],
    ["a bundle without main", (file) => withoutMain(file), /no branch main/],
    ["a bundle with files in the machine's folder", (file) => withMachineFolder(file), /\.bloom/],
  ])("%s", async (_, damage, expected) => {
    const file = join(scratch(), "garden.bundle");
    await save(grown(), file);
    damage(file);
    const dir = scratch();
    const why = { code: "VALIDATION_FAILED", message: expect.stringMatching(expected) };
    await expect(restore(dir, file)).rejects.toMatchObject(why);
    expect(readdirSync(dir)).toEqual([]);
    await expect(restore(join(dir, "new/er"), file)).rejects.toMatchObject(why);
    expect(readdirSync(dir)).toEqual([]);
  });

  test("a missing bundle", async () => {
    await expect(restore(scratch(), "/nowhere.bundle")).rejects.toMatchObject({ code: "NOT_FOUND" });
  });
});

function flip(file: string, at: number): void {
  const bytes = readFileSync(file);
  bytes[at] = bytes[at]! ^ 0xff;
  writeFileSync(file, bytes);
}

const part = (file: string): string => byHand(grown(), "bundle", "create", "-q", file, "main~1..main");

function withoutMain(file: string): void {
  const dir = grown();
  byHand(dir, "branch", "-m", "trunk");
  byHand(dir, "bundle", "create", "-q", file, "--all");
}

function withMachineFolder(file: string): void {
  const dir = grown();
  mkdirSync(join(dir, ".Bloom"));
  writeFileSync(join(dir, ".Bloom/owner.json"), "{}");
  byHand(dir, "add", ".");
  byHand(dir, "commit", "-q", "-m", "odd");
  byHand(dir, "bundle", "create", "-q", file, "--all");
}
