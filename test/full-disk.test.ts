import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { asFailure } from "../src/base/failure.ts";
import { resumeApplying } from "../src/garden/changes/apply/apply-proposal.ts";
import { accepted, note } from "../src/garden/changes/inbox/testing/people.ts";
import { approve } from "../src/garden/changes/proposals/testing/decisions.ts";
import { closeGarden, openGarden } from "../src/garden/core/garden.ts";
import { initGarden } from "../src/garden/life/init.ts";
import { readProposal } from "../src/garden/records/proposals/proposal-log.ts";
import { files, scratch, testPorts } from "../src/garden/testing/scratch.ts";
import { bloom } from "./bloom.ts";

/** A real disk of a few hundred kilobytes, if this machine allows mounting one. */
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

describe.runIf(possible)("a full disk", () => {
  test.each([590, 570, 540, 510, 480, 460])(
    "with %i of 600 kB used: init makes a whole garden or leaves the folder unchanged",
    async (taken) => {
      const disk = smallDisk(600)!;
      files(disk, { "rose/notes/a.md": "a\n" });
      writeFileSync(join(disk, "ballast"), Buffer.alloc(taken * 1024));
      const { exit, err } = await bloom(disk, ["init", "rose"]);
      const left = readdirSync(join(disk, "rose"));
      expect(exit === 0 ? left : [exit, left, /\n→ .*(full|disk|space)/i.test(err)]).toEqual(
        exit === 0 ? [".bloom", ".git", "agents", "garden.yaml", "logic", "memory", "notes"] : [7, ["notes"], true],
      );
      rmSync(join(disk, "ballast"));
      expect(exit === 0 || (await bloom(disk, ["init", "rose"])).exit === 0).toBe(true);
    },
  );

  test.each([8, 12, 20, 40])(
    "P-7 with %i kB left: an approved proposal is applied now, or later when there is space, and does not fail",
    async (free) => {
      const disk = smallDisk(6000)!;
      const dir = join(disk, "rose");
      files(dir, { "notes/a.md": "a\n" });
      await initGarden(testPorts(), dir, { language: "en", name: "Rose" });
      const garden = await openGarden(testPorts(), dir);
      const ids = [];
      for (const name of ["x", "y", "z"]) ids.push((await accepted(garden, note(`notes/${name}.md`))).id);
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(join(disk, "ballast"), Buffer.alloc(bavail * bsize - free * 1024));
      const answers = await Promise.all(
        ids.map((id) =>
          approve(garden, id).then(
            ({ status }) => status,
            (error: unknown) => asFailure(error).code,
          ),
        ),
      );
      rmSync(join(disk, "ballast"));
      await resumeApplying(garden);
      const ends = [];
      for (const id of ids) {
        const { status } = await readProposal(garden.store, id);
        ends.push(status === "pending" ? (await approve(garden, id)).status : status);
      }
      await closeGarden(garden);
      const fair = answers.filter((answer) => answer === "applied" || answer === "UPSTREAM_UNAVAILABLE");
      expect({ fair, ends }).toEqual({ fair: answers, ends: ids.map(() => "applied") });
    },
  );

  test("fails a backup, and leaves no file of it", async () => {
    const disk = smallDisk(300)!;
    const dir = join(scratch(), "rose");
    mkdirSync(dir);
    writeFileSync(join(dir, "noise.bin"), randomBytes(200_000)); // does not get smaller by packing
    await bloom(dir, ["init"]);
    writeFileSync(join(disk, "ballast"), Buffer.alloc(290 * 1024));
    const { exit, err } = await bloom(dir, ["backup", disk]);
    expect({ exit, hint: err.split("\n")[1], files: readdirSync(disk) }).toEqual({
      exit: 7,
      hint: "→ Free some space and try again.",
      files: ["ballast"],
    });
  });
});

test.runIf(possible)(
  "on a read-only disk init is an error with a hint, and status and verify read the garden",
  async () => {
    const disk = smallDisk(600)!;
    await bloom(disk, ["init", "rose"]);
    execFileSync(ATTACH, ["-o", "remount,ro", disk]);
    const told = [
      await bloom(disk, ["init", "new"]),
      await bloom(disk, ["status", "--garden", "rose"]),
      await bloom(disk, ["verify", "--garden", "rose"]),
    ];
    expect(told.map(({ exit }) => exit)).toEqual([4, 0, 0]);
    expect(told.every(({ out, err }) => !`${out}${err}`.includes("    at "))).toBe(true);
  },
);
