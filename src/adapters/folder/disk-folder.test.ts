import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { armCrashPoints } from "../../base/crash-point.ts";
import { realWorld } from "../../base/world.ts";
import { diskFolders } from "./disk-folder.ts";

const folders = diskFolders({ world: realWorld });
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "folder-"));
});

describe("a folder on disk", () => {
  test("reports what is at a path", async () => {
    writeFileSync(join(dir, "a"), "abc", { mode: 0o755 });
    mkdirSync(join(dir, "b"));
    symlinkSync("/", join(dir, "c"));
    const folder = folders.at(dir);
    expect(await Promise.all(["a", "b", "c", "d", "a/x", ""].map((path) => folder.stat(path)))).toEqual([
      { kind: "file", size: 3, executable: true },
      { kind: "folder" },
      { kind: "link" },
      { kind: "missing" },
      { kind: "missing" },
      { kind: "folder" },
    ]);
  });

  test("creates a file once, and a taken name keeps its bytes", async () => {
    const folder = folders.at(dir);
    expect(await folder.create("x/y", Buffer.from("one"))).toBe("created");
    expect(await folder.create("x/y", Buffer.from("two"))).toBe("taken");
    expect(readFileSync(join(dir, "x/y"), "utf8")).toBe("one");
    expect(readdirSync(join(dir, "x"))).toEqual(["y"]);
  });

  test.each<[string, "private" | undefined, number]>([
    ["writes a private file that only its owner can ever read", "private", 0o600],
    ["writes another file with the permissions of the umask", undefined, 0o644],
  ])("%s", async (_, access, mode) => {
    const umask = process.umask(0o022);
    const folder = folders.at(dir);
    await folder.makeFolder(".bloom", "private");
    const seen: number[] = [];
    const look = (): void => {
      for (const name of readdirSync(dir, { recursive: true, encoding: "utf8" })) {
        const found = statSync(join(dir, name));
        if (found.isFile()) seen.push(found.mode & 0o777);
      }
    };
    const disarm = armCrashPoints(look); // between the writing and the naming
    try {
      await folder.create("keys/a", Buffer.from("secret"), access);
      await folder.write("keys/b", [Buffer.from("secret")], access);
      await folder.write("keys/a", [Buffer.from("secret 2")], access);
      look();
    } finally {
      disarm();
      process.umask(umask);
    }
    expect({ modes: new Set(seen), looked: seen.length >= 5, text: readFileSync(join(dir, "keys/a"), "utf8") }).toEqual(
      { modes: new Set([mode]), looked: true, text: "secret 2" },
    );
  });

  test("has one holder of a lock at a time", async () => {
    const folder = folders.at(dir);
    const first = await folder.hold("x/lock");
    expect({ first: first !== undefined, second: await folders.at(dir).hold("x/lock") }).toEqual({
      first: true,
      second: undefined,
    });
    first!.release();
    const second = await folder.hold("x/lock");
    expect(second).toBeDefined();
    second!.release();
  });

  test("keeps the old file, and nothing that git would see, after a crash during a write", async () => {
    const folder = folders.at(dir);
    await folder.makeFolder(".bloom", "private");
    await folder.write("a", [Buffer.from("old")]);
    const disarm = armCrashPoints(() => {
      throw new Error("power cut");
    });
    await expect(folder.write("a", [Buffer.from("new")])).rejects.toThrow("power cut");
    disarm();
    expect({ text: readFileSync(join(dir, "a"), "utf8"), files: readdirSync(dir) }).toEqual({
      text: "old",
      files: [".bloom", "a"],
    });
    expect(statSync(join(dir, ".bloom")).mode & 0o777).toBe(0o700);
  });

  test.each(["../x", "/x", "a/../b", "a//b", "./a", "a\\b"])(
    "treats the path %s as a broken assumption",
    async (path) => {
      await expect(async () => folders.at(dir).create(path, Buffer.alloc(1))).rejects.toThrow("broken assumption");
    },
  );

  test("writes and removes nothing through a symbolic link", async () => {
    const other = mkdtempSync(join(tmpdir(), "folder-other-"));
    writeFileSync(join(other, "precious"), "x");
    symlinkSync(other, join(dir, "notes"));
    const folder = folders.at(dir);
    await expect(folder.write("notes/new", [Buffer.from("x")])).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(folder.removeFile("notes/precious")).rejects.toMatchObject({ code: "FORBIDDEN" });
    expect(readdirSync(other)).toEqual(["precious"]);
  });

  test.each([
    ["a file where a folder must be", (at: string) => writeFileSync(join(at, "x"), ""), "x/y", "DUPLICATE_ENTRY"],
    [
      "a folder where a file must be",
      (at: string) => mkdirSync(join(at, "x/y/z"), { recursive: true }),
      "x/y",
      "DUPLICATE_ENTRY",
    ],
  ])("reports %s with a hint", async (_, prepare, path, code) => {
    prepare(dir);
    await expect(folders.at(dir).write(path, [Buffer.from("x")])).rejects.toMatchObject({
      code,
      hint: expect.anything(),
    });
  });

  test("does not read a file larger than the limit", async () => {
    writeFileSync(join(dir, "big"), "x".repeat(100));
    await expect(folders.at(dir).read("big", 99)).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
    expect(await folders.at(dir).read("none", 99)).toBeUndefined();
  });

  test("moves a folder only to a path that is free or an empty folder", async () => {
    const [from, empty, full] = ["from", "empty", "full"].map((name) => join(dir, name)) as [string, string, string];
    for (const each of [from, empty, full]) mkdirSync(each);
    writeFileSync(join(from, "x"), "x");
    writeFileSync(join(full, "y"), "y");
    await expect(folders.moveIntoPlace(from, full)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
    await folders.moveIntoPlace(from, empty);
    expect({ moved: readdirSync(empty), kept: readdirSync(full) }).toEqual({ moved: ["x"], kept: ["y"] });
  });

  test("creates nothing when it removes a missing file", async () => {
    await folders.at(dir).removeFile("a/b/c");
    expect(readdirSync(dir)).toEqual([]);
  });
});
