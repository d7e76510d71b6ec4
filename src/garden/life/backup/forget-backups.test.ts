import { appendFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { files, gardenWith } from "../../testing/scratch.ts";
import { forgetBackups } from "./forget-backups.ts";

test("G-7 retention.backups keeps the newest backups of .bloom/backups, whatever the garden was called, and no other file is removed", async () => {
  const { garden, dir } = await gardenWith();
  const names = ["rose-20260101T000000Z", "lily-20260103T000000Z", "rose-20260102T000000Z"].map(
    (name) => `${name}.bloom.tar.gz`,
  );
  files(dir, Object.fromEntries([...names, "mine.txt"].map((name) => [`.bloom/backups/${name}`, "x"])));
  expect(await forgetBackups(garden)).toEqual([]);
  appendFileSync(join(dir, "garden.yaml"), "\nretention: { backups: 1 }\n");
  expect([await forgetBackups(garden), await forgetBackups(garden)]).toEqual([[names[0], names[2]], []]);
  expect(readdirSync(join(dir, ".bloom/backups")).toSorted()).toEqual([names[1], "mine.txt"]);
});
