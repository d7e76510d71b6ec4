import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { attempt, byHand, scratch } from "../testing/scratch.ts";
import { editedIndex, formatIndex, type IndexFile, parseIndex } from "./index-file.ts";

const paths = ["a-", "a.b/c", "a/b", "a0", `long/${"x".repeat(200)}/${"y".repeat(130)}`, "notes/Ясен.md", "z"];

function repository(version: number): string {
  const dir = scratch();
  byHand(dir, "init", "-q", "-b", "main");
  for (const path of paths) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), path);
  }
  byHand(dir, "add", ".");
  byHand(dir, "update-index", "--index-version", `${version}`);
  return dir;
}

const entriesOf = (file: IndexFile) => Array.from({ length: file.size }, (_, position) => file.entryAt(position));
const written = (file: IndexFile): Buffer => Buffer.concat(formatIndex(file));
const LONG_AGO = 0;
const NEVER = 2 ** 32 - 1;

const listed = (dir: string): string => byHand(dir, "ls-files", "--stage", "--debug", "-t");

describe.each([2, 3, 4])("an index of version %s", (version) => {
  test("is written back as it was read", () => {
    const dir = repository(version);
    if (version === 3) byHand(dir, "update-index", "--skip-worktree", "a0");
    byHand(dir, "update-index", "--assume-unchanged", "z");
    const file = join(dir, ".git/index");
    const before = listed(dir);
    const read = parseIndex(readFileSync(file))!;
    expect(read.version).toBe(version);
    const encoded = entriesOf(read).map((entry, first) => ({ first, end: first + 1, entry }));
    for (const index of [read, editedIndex(read, [], NEVER), editedIndex(read, encoded, LONG_AGO)]) {
      writeFileSync(file, written(index));
      expect(listed(dir)).toBe(before);
      expect(entriesOf(parseIndex(readFileSync(file))!)).toEqual(entriesOf(read));
    }
  });

  test("has entries replaced, added and removed in one go, and stat data of late files cleared", () => {
    const dir = repository(version);
    const file = join(dir, ".git/index");
    const read = parseIndex(readFileSync(file))!;
    const entry = { ...entriesOf(read)[0]!, oid: "b".repeat(40) };
    const edited = editedIndex(
      read,
      [
        { first: 0, end: 0, entry: { ...entry, name: "a" } },
        { first: 1, end: 2, entry: undefined },
        { first: 2, end: 3, entry: { ...entry, name: "a/b" } },
        { first: 7, end: 7, entry: { ...entry, name: "zz/new" } },
      ],
      LONG_AGO,
    );
    writeFileSync(file, written(edited));
    expect(byHand(dir, "ls-files", "-z").split("\0")).toEqual(["a", "a-", "a/b", ...paths.slice(3), "zz/new", ""]);
    const late = entriesOf(parseIndex(readFileSync(file))!).map(({ oid, mode, statData }) => ({
      ours: oid === entry.oid,
      mode,
      cleared: statData.every((byte, at) => byte === 0 || (at >= 24 && at < 28)),
    }));
    expect(late.map(({ ours }) => ours)).toEqual([true, false, true, false, false, false, false, true]);
    expect(late.every(({ ours, mode, cleared }) => mode === "100644" && cleared !== ours)).toBe(true);
  });
});

test("the stages of an unmerged path, and the record of resolved conflicts, are kept", () => {
  const dir = repository(2);
  byHand(dir, "commit", "-q", "-m", "Begin");
  byHand(dir, "checkout", "-q", "-b", "other");
  for (const path of ["a0", "z"]) writeFileSync(join(dir, path), "theirs");
  byHand(dir, "commit", "-qam", "theirs");
  byHand(dir, "checkout", "-q", "main");
  for (const path of ["a0", "z"]) writeFileSync(join(dir, path), "ours");
  byHand(dir, "commit", "-qam", "ours");
  attempt(dir, "merge", "other");
  byHand(dir, "add", "a0");
  const all = (): string => byHand(dir, "ls-files", "--stage") + byHand(dir, "ls-files", "--resolve-undo");
  const before = all();
  expect(before).toContain(" 3\t");
  const file = join(dir, ".git/index");
  writeFileSync(file, written(parseIndex(readFileSync(file))!));
  expect(all()).toBe(before);
});

test("an index that cannot be kept whole is not read: a split index, a torn file, a wrong checksum", () => {
  const dir = repository(2);
  const file = join(dir, ".git/index");
  const whole = readFileSync(file);
  const flipped = Buffer.from(whole);
  flipped[100]! ^= 1;
  expect([Buffer.alloc(0), whole.subarray(0, 300), flipped].map((bytes) => parseIndex(bytes))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  byHand(dir, "update-index", "--split-index");
  expect(parseIndex(readFileSync(file))).toBeUndefined();
  rmSync(file);
  execFileSync("git", ["-c", "index.skipHash=true", "add", "."], { cwd: dir });
  expect(parseIndex(readFileSync(file))?.size).toBe(paths.length);
});
