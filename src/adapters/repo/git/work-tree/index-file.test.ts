import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { attempt, byHand, scratch } from "../testing/scratch.ts";
import { formatIndex, parseIndex } from "./index-file.ts";

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
    const fresh = { ...read, entries: read.entries.map((entry) => ({ ...entry, whole: undefined })) };
    for (const index of [read, fresh]) {
      writeFileSync(file, formatIndex(index));
      expect(listed(dir)).toBe(before);
      expect(parseIndex(readFileSync(file))?.entries).toEqual(
        read.entries.map((entry) => expect.objectContaining({ name: entry.name, oid: entry.oid })),
      );
    }
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
  writeFileSync(file, formatIndex(parseIndex(readFileSync(file))!));
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
  expect(parseIndex(readFileSync(file))?.entries).toHaveLength(paths.length);
});
