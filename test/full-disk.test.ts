import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { files, scratch } from "../src/garden/testing/scratch.ts";
import { bloom } from "./bloom.ts";

/** A real disk of a few hundred kilobytes, where this machine lets us mount one. */
const [ATTACH, DETACH] = ["mount", "umount"] as const;
const mounted: string[] = [];
function smallDisk(kilobytes: number): string | undefined {
  const dir = scratch();
  if (spawnSync(ATTACH, ["-t", "tmpfs", "-o", `size=${kilobytes}k`, "tmpfs", dir]).status !== 0) return undefined;
  mounted.push(dir);
  return dir;
}
const release = (): void => {
  for (const dir of mounted.splice(0)) execFileSync(DETACH, ["-l", dir]);
};
const possible = smallDisk(100) !== undefined;
release();
afterEach(release);

describe.runIf(possible)("a disk that is full", () => {
  test.each([590, 570, 540, 510, 480, 460])(
    "with %i of 600 kB taken, init makes a whole garden or leaves the folder as it was",
    (taken) => {
      const disk = smallDisk(600)!;
      files(disk, { "rose/notes/a.md": "a\n" });
      writeFileSync(join(disk, "ballast"), Buffer.alloc(taken * 1024));
      const { exit, err } = bloom(disk, ["init", "rose"]);
      const left = readdirSync(join(disk, "rose"));
      expect(exit === 0 ? left : [exit, left, /\n→ .*(full|disk|space)/i.test(err)]).toEqual(
        exit === 0 ? [".bloom", ".git", "garden.yaml", "logic", "memory", "notes"] : [7, ["notes"], true],
      );
      rmSync(join(disk, "ballast"));
      expect(exit === 0 || bloom(disk, ["init", "rose"]).exit === 0).toBe(true);
    },
  );

  test("keeps a backup from being written, and nothing of it stays", () => {
    const disk = smallDisk(300)!;
    const dir = join(scratch(), "rose");
    mkdirSync(dir);
    writeFileSync(join(dir, "noise.bin"), randomBytes(200_000)); // does not get smaller by packing
    bloom(dir, ["init"]);
    writeFileSync(join(disk, "ballast"), Buffer.alloc(290 * 1024));
    const { exit, err } = bloom(dir, ["backup", disk]);
    expect([exit, err.split("\n")[1], readdirSync(disk)]).toEqual([7, "→ Free some space and try again.", ["ballast"]]);
  });
});

test.runIf(possible)("a disk that is read-only is told, and what to do", () => {
  const disk = smallDisk(600)!;
  bloom(disk, ["init", "rose"]);
  execFileSync(ATTACH, ["-o", "remount,ro", disk]);
  const told = [
    ["init", "new"],
    ["status", "--garden", "rose"],
    ["verify", "--garden", "rose"],
  ].map((args) => bloom(disk, args));
  expect(told.map(({ exit }) => exit)).toEqual([4, 7, 1]);
  expect(told.every(({ out, err }) => !`${out}${err}`.includes("    at "))).toBe(true);
});
