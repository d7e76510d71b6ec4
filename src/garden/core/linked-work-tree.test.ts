import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initGarden } from "../life/init.ts";
import { gardenWith, git, scratch, testPorts } from "../testing/scratch.ts";
import { findGarden, openGarden } from "./garden.ts";

test("G-6 a linked git work tree of a garden is refused with the place of the garden, and gets no second store", async () => {
  const { dir } = await gardenWith({ "notes/a.md": "# A\n" });
  const linked = join(scratch(), "linked");
  git(dir, "worktree", "add", "-q", "-b", "side", linked);
  const refused = {
    code: "VALIDATION_FAILED",
    text: { en: `${linked} is a linked git work tree; its garden is in ${dir}` },
  };
  await expect(openGarden(testPorts(), linked)).rejects.toMatchObject(refused);
  await expect(findGarden(testPorts(), linked)).rejects.toMatchObject(refused);
  await expect(initGarden(testPorts(), linked, { language: "en", name: "Second" })).rejects.toMatchObject(refused);
  expect(existsSync(join(linked, ".bloom"))).toBe(false);
});
