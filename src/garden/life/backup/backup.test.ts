import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { packTar, unpackTar } from "modern-tar";
import { describe, expect, test } from "vitest";
import { usedBytes } from "../../../base/testing/used-bytes.ts";
import { storeKey } from "../../../domain/store-key.ts";
import { closeFound, closeGarden, findGarden, type Garden, openGarden } from "../../core/garden.ts";
import { verifyGarden } from "../../insight/verify/verify.ts";
import {
  closed,
  files,
  gardenWith,
  git,
  killedEverywhere,
  scratch,
  snapshot,
  testPorts,
} from "../../testing/scratch.ts";
import { initGarden } from "../init.ts";
import { backUp } from "./backup.ts";
import { backUpInside } from "./backups.ts";
import { restoreBackup } from "./restore.ts";

const put = (garden: Garden, key: string, text: string) => garden.store.create(storeKey(key), Buffer.from(text));
const into = (dir: string) => testPorts().folders.at(dir);

/** A garden with everything that a backup must carry, and its backup. */
async function backedUp(): Promise<{ garden: Garden; dir: string; file: string }> {
  const { garden, dir } = await gardenWith();
  await put(garden, "agents/echo/sources/roses.md", "# Roses\n");
  await put(garden, `agents/echo/sources/${"long-".repeat(30)}/deep/roses.json`, "{}");
  await put(garden, "audit/2026-02/14/080000-something.json", '{"a":1}');
  git(dir, "branch", "agents/echo-1");
  git(dir, "tag", "first");
  files(dir, { "notes/a.md": "# A, edited\n", "notes/нова нотатка.md": "new\n", "script.sh": "#!/bin/sh\n" });
  execFileSync("chmod", ["755", join(dir, "script.sh")]);
  git(dir, "add", "script.sh");
  rmSync(join(dir, "notes/б.md"));
  files(dir, { ".bloom/keys/signing.key": "secret" });
  const { file } = await backUp(garden, "Rose", into(scratch()));
  return { garden, dir, file };
}

let spoilable: Promise<Buffer> | undefined;

/** A copy of one backup that is made once for all tests which only read it. */
async function backupCopy(): Promise<string> {
  const bytes = await (spoilable ??= backedUp().then(({ file }) => readFileSync(file)));
  const copy = join(scratch(), "rose.bloom.tar.gz");
  writeFileSync(copy, bytes);
  return copy;
}

describe("G-8 a backup", () => {
  test("restores the same garden: refs, objects, edits and deletions", async () => {
    const { garden, dir, file } = await closed(await backedUp());
    const target = join(scratch(), "again");
    await restoreBackup(testPorts(), file, target);
    expect(git(target, "for-each-ref")).toBe(git(dir, "for-each-ref"));
    const status = (at: string) =>
      git(at, "status", "--porcelain", "--untracked-files=all").replaceAll(/^(A |\?\?)/gm, "+");
    expect(status(target).split("\n").toSorted()).toEqual(status(dir).split("\n").toSorted());
    const mtimes = (all: Record<string, string>) =>
      Object.fromEntries(Object.entries(all).map(([path, seen]) => [path, seen.replace(/ [\d.]+ /, " ")]));
    expect(mtimes(snapshot(target, [".git", ".bloom", "memory", "logic"]))).toEqual(
      mtimes(snapshot(dir, [".git", ".bloom", "memory", "logic"])),
    );
    const again = await openGarden(testPorts(), target);
    expect(again.config.name).toBe(garden.config.name);
    expect((await again.store.list("")).entries.map(({ key }) => key)).toHaveLength(3);
    await closeGarden(again);
    const found = await findGarden(testPorts(), target);
    expect(await verifyGarden(found)).toEqual([]);
    await closeFound(found);
  });

  test.each(["the garden", "a clone"])("of a garden with `repo.remote` is restored: made from %s", async (which) => {
    const [remote, dir, clone] = [scratch(), scratch(), scratch()];
    git(remote, "init", "-q", "--bare", "-b", "main");
    files(dir, { "notes/first.md": "first\n" });
    await initGarden(testPorts(), dir, { language: "en", name: "Two", remote });
    git(clone, "clone", "-q", remote, ".");
    const garden = await openGarden(testPorts(), which === "a clone" ? clone : dir);
    await put(garden, "audit/2026-02/14/one.json", "{}");
    const refs = (await garden.repo.refs("refs/")).map(({ name }) => name);
    const { file, manifest } = await backUpInside(garden);
    await closeGarden(garden);
    const target = join(scratch(), "again");
    await restoreBackup(testPorts(), file, target);
    const found = await findGarden(testPorts(), target);
    const problems = await verifyGarden(found);
    await closeFound(found);
    const left = refs.filter((name) => !(name in manifest.refs));
    expect({ left, problems, note: readFileSync(join(target, "notes/first.md"), "utf8") }).toEqual({
      left: ["refs/authority/heads/main"],
      problems: [],
      note: "first\n",
    });
  });

  test("is a file that standard tools can open and check, and contains no keys", async () => {
    const { file } = await backedUp();
    const dir = scratch();
    execFileSync("tar", ["-xzf", file, "-C", dir]);
    const checked = execFileSync("sha256sum", ["-c", "SHA256SUMS"], { cwd: dir }).toString();
    expect(
      checked
        .trim()
        .split("\n")
        .every((line) => line.endsWith(": OK")),
    ).toBe(true);
    expect(basename(file)).toMatch(/^rose-20260214T08\d{4}Z\.bloom\.tar\.gz$/);
    expect(execFileSync("tar", ["-tzf", file]).toString()).not.toMatch(/keys|secret/);
    expect(execFileSync("tar", ["-tzf", file]).toString().trim().split("\n").at(-1)).toBe("SHA256SUMS");
    execFileSync("git", ["clone", "-q", join(dir, "repo.bundle"), join(dir, "cloned")], { stdio: "ignore" });
    expect(existsSync(join(dir, "cloned/garden.yaml"))).toBe(true);
  });

  test("leaves no other file behind, and names the files that it left out", async () => {
    const { garden, dir } = await gardenWith();
    symlinkSync("a.md", join(dir, "notes/link.md"));
    mkdirSync(join(dir, "inner"));
    git(join(dir, "inner"), "init", "-q");
    const place = scratch();
    const { manifest, file } = await backUp(garden, "Rose", into(place));
    expect({ left: manifest.left.toSorted(), files: readdirSync(place) }).toEqual({
      left: ["inner", "notes/link.md"],
      files: [basename(file)],
    });
    expect(readdirSync(join(dir, ".bloom/tmp")).filter((name) => name !== "store")).toEqual([]);
  });

  test("of an older bloom, which lists no removed objects, is restored", async () => {
    const older = join(scratch(), "older.bloom.tar.gz");
    writeFileSync(older, await repacked(await backupCopy(), withoutRemoved));
    const { manifest } = await restoreBackup(testPorts(), older, join(scratch(), "again"));
    expect(manifest).toMatchObject({ removed: [], counts: { objects: 1 } });
  });
});

/** The entries of a backup, changed, packed again. */
async function repacked(
  file: string,
  change: (entries: Awaited<ReturnType<typeof unpackTar>>) => void,
): Promise<Buffer> {
  const entries = await unpackTar(gunzipSync(readFileSync(file)));
  change(entries);
  return gzipSync(await packTar(entries));
}
function withoutRemoved(entries: Awaited<ReturnType<typeof unpackTar>>): void {
  const part = (name: string) => entries.find(({ header }) => header.name === name)!;
  const [manifest, sums] = [part("backup.json"), part("SHA256SUMS")];
  const { removed, ...rest } = JSON.parse(Buffer.from(manifest.data!).toString()) as Record<string, unknown>;
  expect(removed).toEqual([]);
  const set = (each: typeof sums, text: string): void => {
    each.data = new Uint8Array(Buffer.from(text));
    each.header.size = each.data.length;
  };
  set(manifest, JSON.stringify(rest));
  const hash = createHash("sha256").update(manifest.data!).digest("hex");
  set(
    sums,
    Buffer.from(sums.data!)
      .toString()
      .replace(/^.*  backup\.json$/m, `${hash}  backup.json`),
  );
}
const entry = (name: string, text: string) => ({
  header: { name, size: text.length, type: "file" as const },
  data: new Uint8Array(Buffer.from(text)),
});

describe("G-8 restore refuses with a reason and writes nothing:", () => {
  const flip = (bytes: Buffer, at: number): Buffer => {
    const copy = Buffer.from(bytes);
    copy[at]! ^= 0x10;
    return copy;
  };
  test.each<[string, RegExp, (file: string) => Promise<Buffer> | Buffer]>([
    [
      "a backup cut off in the middle",
      /truncated/,
      (file) => readFileSync(file).subarray(0, readFileSync(file).length / 2),
    ],
    ["a backup cut off at the end", /truncated/, (file) => readFileSync(file).subarray(0, -5)],
    ["an empty file", /truncated|not a backup/, () => Buffer.alloc(0)],
    [
      "a flipped bit",
      /damaged|truncated/,
      (file) => flip(readFileSync(file), Math.floor(readFileSync(file).length / 2)),
    ],
    ["a file of another kind", /not a backup/, () => Buffer.from("hello, this is text\n".repeat(100))],
    ["another tar", /not a backup/, async () => gzipSync(await packTar([entry("a.txt", "a")]))],
    [
      "an object that was changed",
      /hash.*audit/,
      (file) =>
        repacked(
          file,
          (entries) =>
            void (entries.find(({ header }) => header.name.includes("audit"))!.data = new Uint8Array(
              Buffer.from('{"a":2}'),
            )),
        ),
    ],
    ["an object that is missing", /hash/, (file) => repacked(file, (entries) => void entries.splice(0, 1))],
    [
      "an object that is not in the list",
      /hash/,
      (file) => repacked(file, (entries) => void entries.unshift(entry("store/audit/x.json", "{}"))),
    ],
    ["sums that are not last", /damaged/, (file) => repacked(file, (entries) => void entries.unshift(entries.pop()!))],
    [
      "a way out",
      /unknown entry.*\.\.\/\.\.\/x/,
      (file) => repacked(file, (entries) => void entries.unshift(entry("store/../../x", "x"))),
    ],
    [
      "a way out through the work tree",
      /unknown entry/,
      (file) => repacked(file, (entries) => void entries.unshift(entry("worktree/.git/hooks/post-checkout", "x"))),
    ],
    [
      "an absolute path",
      /unknown entry/,
      (file) => repacked(file, (entries) => void entries.unshift(entry("/etc/x", "x"))),
    ],
    [
      "a symbolic link",
      /unknown entry/,
      (file) =>
        repacked(
          file,
          (entries) =>
            void entries.unshift({ header: { name: "store/agents", size: 0, type: "symlink", linkname: "/etc" } }),
        ),
    ],
    [
      "a newer format",
      /newer than this bloom/,
      (file) =>
        repacked(file, (entries) => {
          const manifest = entries.find(({ header }) => header.name === "backup.json")!;
          const text = Buffer.from(manifest.data!).toString().replace('"version": 1', '"version": 2');
          manifest.data = new Uint8Array(Buffer.from(text));
          entries.unshift(entry("something-new/x", "x"));
        }),
    ],
  ])("%s", async (_, says, spoil) => {
    const file = await backupCopy();
    const place = scratch();
    const spoilt = join(scratch(), "spoilt.bloom.tar.gz");
    writeFileSync(spoilt, await spoil(file));
    const failure = await restoreBackup(testPorts(), spoilt, join(place, "again")).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      code: "VALIDATION_FAILED",
      text: { en: expect.stringMatching(says) },
      hint: expect.anything(),
    });
    expect(readdirSync(place)).toEqual([]);
  });

  test("a target that is not empty, and a backup that does not exist", async () => {
    const file = await backupCopy();
    const place = scratch();
    files(place, { "mine.txt": "x" });
    await expect(restoreBackup(testPorts(), file, place)).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
    await expect(restoreBackup(testPorts(), `${file}.no`, join(place, "x"))).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
    expect(readdirSync(place)).toEqual(["mine.txt"]);
  });

  test("an edit that would be written through a link of the history", async () => {
    const { garden, dir } = await gardenWith({ "notes/a.md": "a" });
    const outside = scratch();
    files(dir, { "notes/x/file.md": "mine" });
    const { file } = await backUp(garden, "Rose", into(scratch()));
    const trap = await gardenWith({ "notes/a.md": "a" });
    symlinkSync(outside, join(trap.dir, "notes/x"));
    git(trap.dir, "add", ".");
    git(trap.dir, "commit", "-qm", "a link");
    const other = await backUp(trap.garden, "Rose", into(scratch()));
    // The history of one garden with the edit of the other, with valid checksums.
    const part = (from: string) => unpackTar(gunzipSync(readFileSync(from)));
    const edit = (await part(file)).find(({ header }) => header.name.startsWith("worktree/"))!;
    const forged = await repacked(other.file, (entries) => {
      const sums = entries.at(-1)!;
      const line = Buffer.from(
        execFileSync("sha256sum", ["-"], { input: edit.data! }).toString().replace("  -", `  ${edit.header.name}`),
      );
      sums.data = new Uint8Array(Buffer.concat([sums.data!, line]));
      sums.header.size = sums.data.length;
      entries.unshift(edit);
    });
    const place = scratch();
    writeFileSync(join(place, "f"), forged);
    await expect(restoreBackup(testPorts(), join(place, "f"), join(place, "again"))).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    expect({ outside: readdirSync(outside), place: readdirSync(place) }).toEqual({ outside: [], place: ["f"] });
  });
});

test("G-8 a killed restore leaves no garden or the whole one", async () => {
  const file = await backupCopy();
  const kills = await killedEverywhere("restore", async (die) => {
    const target = join(scratch(), "again");
    const points = await die(file, target);
    if (existsSync(target)) {
      const found = await findGarden(testPorts(), target);
      expect(await verifyGarden(found)).toEqual([]);
      await closeFound(found);
    } else await restoreBackup(testPorts(), file, target);
    return points;
  });
  expect(kills).toBeGreaterThan(0);
});

test("G-8 process memory stays flat during backup and restore of a large garden", async () => {
  const before = usedBytes();
  const { garden, dir } = await gardenWith();
  const megabytes = 20;
  for (let index = 0; index < megabytes; index++)
    await put(garden, `audit/${index}.bin`, String(index % 10).repeat(1024 * 1024));
  writeFileSync(join(dir, "film.bin"), Buffer.alloc(60 * 1024 * 1024, "x"));
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, usedBytes() - before)), 100);
  const { file } = await backUp(garden, "Rose", into(scratch()));
  await restoreBackup(testPorts(), file, join(scratch(), "again"));
  clearInterval(watch);
  expect(most / 1024 / 1024).toBeLessThan(40); // of 80 MB
});

test("G-8 a backup cannot be written inside the garden, because it would have to contain itself", async () => {
  const { garden, dir } = await gardenWith();
  await expect(backUp(garden, "Rose", into(join(dir, "notes")))).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
  expect(readdirSync(join(dir, "notes"))).toEqual(["a.md", "б.md"]);
});
