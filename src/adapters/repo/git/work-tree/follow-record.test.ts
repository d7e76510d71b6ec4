import { chmodSync, linkSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { folderSync } from "../disk/folder-sync.ts";
import { asNobody } from "../testing/as-nobody.ts";
import { type FollowRecord, type FollowState, followRecord } from "./follow-record.ts";

const oid = (n: number): string => n.toString(16).padStart(40, "0");
const done = (n: number): FollowState => ({ commit: oid(n), pending: undefined });
const moving = (n: number, left: readonly string[] = []): FollowState => ({
  commit: oid(n),
  pending: { ref: "refs/heads/main", to: oid(n + 1), since: [oid(n)], left },
});
const manyPaths = Array.from({ length: 500 }, (_, n) => `notes/нотатка-${n}.md`);

function place(): { readonly path: string; readonly record: () => FollowRecord } {
  const gitDir = mkdtempSync(join(tmpdir(), "follow-record-"));
  return {
    path: join(gitDir, "bloom-followed"),
    record: () => followRecord(join(gitDir, "no-machine-folder"), gitDir, folderSync()),
  };
}

const SLOT = 4096;
/** Overwrites bytes of a slot, as a power cut in the middle of a write would leave them. */
function tear(path: string, slot: 0 | 1): void {
  const bytes = readFileSync(path);
  bytes.fill("#", slot * SLOT + 20, slot * SLOT + 60);
  writeFileSync(path, bytes);
}

describe("the record of the commit to follow", () => {
  test("without a file there is nothing to follow", async () => {
    expect(await place().record().read()).toEqual({ commit: undefined, pending: undefined });
  });

  test("the last write is read, by another process too", async () => {
    const { record } = place();
    const mine = record();
    const seen: FollowState[] = [];
    for (let n = 0; n < 6; n++) {
      await mine.writeDurably(moving(n));
      seen.push(await record().read());
      await mine.write(done(n + 1));
      seen.push(await record().read());
    }
    expect(seen).toEqual(Array.from({ length: 6 }, (_, n) => [moving(n), done(n + 1)]).flat());
  });

  test("writes overwrite one file, which keeps its inode and its size", async () => {
    const { path, record } = place();
    await record().writeDurably(moving(1));
    const before = statSync(path);
    for (let n = 2; n < 9; n++) await record().write(done(n));
    const { ino, size } = statSync(path);
    expect({ ino, size }).toEqual({ ino: before.ino, size: before.size });
  });

  test("G-5 a copy of the garden made of hard links keeps its own state", async () => {
    const { path, record } = place();
    await record().write(done(1));
    linkSync(path, `${path}-copy`);
    const before = readFileSync(path);
    await record().writeDurably(moving(2));
    expect({ own: await record().read(), isCopySame: readFileSync(`${path}-copy`).equals(before) }).toEqual({
      own: moving(2),
      isCopySame: true,
    });
  });

  test("a file that this user may only read is replaced, and then overwritten in place", async () => {
    const { path, record } = place();
    await record().write(done(1));
    chmodSync(path, 0o444);
    const inodes: number[] = [];
    const states = await asNobody(dirname(path), async () => {
      const seen: FollowState[] = [];
      for (const n of [2, 3]) {
        await record().writeDurably(moving(n));
        seen.push(await record().read());
        inodes.push(statSync(path).ino);
      }
      return seen;
    });
    expect(states).toEqual([moving(2), moving(3)]);
    expect(inodes[1]).toBe(inodes[0]);
  });

  test.each([
    { torn: "the newer one", slot: 1, read: moving(1) },
    { torn: "the older one", slot: 0, read: done(2) },
  ] as const)("of two slots, $torn torn by a power cut: the other one counts", async ({ slot, read }) => {
    const { path, record } = place();
    await record().writeDurably(moving(1));
    await record().write(done(2));
    tear(path, slot);
    expect(await record().read()).toEqual(read);
  });

  test("after a torn slot, writing goes on", async () => {
    const { path, record } = place();
    await record().writeDurably(moving(1));
    await record().write(done(2));
    tear(path, 1);
    await record().writeDurably(moving(3));
    await record().write(done(4));
    expect(await record().read()).toEqual(done(4));
  });

  test("two torn slots count as no record: then nothing in the work tree is touched", async () => {
    const { path, record } = place();
    await record().writeDurably(moving(1));
    await record().write(done(2));
    tear(path, 0);
    tear(path, 1);
    expect(await record().read()).toEqual({ commit: undefined, pending: undefined });
  });

  test("a state longer than a slot replaces the file, and the next short one brings the slots back", async () => {
    const { record } = place();
    const mine = record();
    await mine.write(done(1));
    await mine.writeDurably(moving(2, manyPaths));
    const long = await record().read();
    await mine.write(done(3));
    expect([long, await record().read()]).toEqual([moving(2, manyPaths), done(3)]);
  });

  test("a state whose line is as long as two slots is read back", async () => {
    const { path, record } = place();
    const lost: number[] = [];
    for (let length = 7950; length < 8100; length++) {
      const state = moving(1, [`notes/${"a".repeat(length)}.md`]);
      await record().write(state);
      if ((await record().read()).pending === undefined) lost.push(statSync(path).size);
    }
    expect(lost).toEqual([]);
  });

  test("the file of an older version is read, and replaced at the next write", async () => {
    const { path, record } = place();
    writeFileSync(path, `${JSON.stringify(moving(7))}\n`);
    const old = await record().read();
    await record().write(done(8));
    expect([old, await record().read()]).toEqual([moving(7), done(8)]);
  });
});
