import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { closeGarden, openGarden } from "../core/garden.ts";
import { files, git, killedEverywhere, scratch, snapshot, testPorts } from "../testing/scratch.ts";
import { initGarden } from "./init.ts";
import { type Migration, upgradeGarden } from "./upgrade.ts";

const OLD = "# my garden\n\nname: Rose # keep this\nnotes_root: notes\n";

/** A garden as it was before formats carried a version. */
async function oldGarden(config = OLD): Promise<string> {
  const dir = join(scratch(), "rose");
  await initGarden(testPorts(), dir, { language: "en" });
  files(dir, { "garden.yaml": config });
  git(dir, "commit", "-qam", "old");
  return dir;
}

/** Two made-up steps that touch several files. */
const madeUp: readonly Migration[] = [1, 2].map((from) => ({
  from,
  what: { en: `step ${from}`, uk: `крок ${from}` },
  async migrate(all) {
    all.write("garden.yaml", (await all.read("garden.yaml"))!.replace(`version: ${from}`, `version: ${from + 1}`));
    all.write("logic/format.txt", `${(await all.read("logic/format.txt")) ?? ""}${from + 1}\n`);
  },
}));

describe("G-7 upgrade", () => {
  test("converts an older garden in one commit, keeps comments, and makes a backup first", async () => {
    const dir = await oldGarden();
    const done = await upgradeGarden(testPorts(), dir);
    expect(readFileSync(join(dir, "garden.yaml"), "utf8")).toBe(
      "# my garden\n\nversion: 1\nname: Rose # keep this\nnotes_root: notes\n",
    );
    expect({
      kind: done.kind,
      uncommitted: git(dir, "status", "--porcelain"),
      subject: git(dir, "log", "-1", "--format=%s"),
    }).toEqual({ kind: "upgraded", uncommitted: "", subject: "Upgrade the garden to format 1" });
    expect(readdirSync(join(dir, ".bloom/backups"))).toEqual([expect.stringMatching(/^rose-.*\.bloom\.tar\.gz$/)]);
    await closeGarden(await openGarden(testPorts(), dir));
  });

  test("does nothing on the second call", async () => {
    const dir = await oldGarden();
    await upgradeGarden(testPorts(), dir);
    const before = snapshot(dir, [".git", ".bloom"]);
    expect(await upgradeGarden(testPorts(), dir)).toEqual({ kind: "current", version: 1 });
    expect(snapshot(dir, [".git", ".bloom"])).toEqual(before);
  });

  test("an older garden is refused by every other verb", async () => {
    const dir = await oldGarden();
    await expect(openGarden(testPorts(), dir)).rejects.toMatchObject({
      code: "VALIDATION_FAILED",
      hint: { en: expect.stringContaining("bloom upgrade") },
    });
  });

  test("a newer garden is refused, by upgrade too", async () => {
    const dir = await oldGarden("version: 7\nname: Rose\n");
    const refused = { code: "VALIDATION_FAILED", hint: { en: expect.stringContaining("Update bloom") } };
    await expect(openGarden(testPorts(), dir)).rejects.toMatchObject(refused);
    await expect(upgradeGarden(testPorts(), dir)).rejects.toMatchObject(refused);
  });

  test.each<[string, (dir: string) => void, string]>([
    [
      "an uncommitted edit of the settings",
      (dir) => files(dir, { "garden.yaml": `${OLD}language: uk\n` }),
      "CONCURRENT_MODIFICATION",
    ],
    ["another branch", (dir) => void git(dir, "switch", "-qc", "draft"), "INVALID_TRANSITION"],
  ])("refuses %s and changes nothing", async (_, prepare, code) => {
    const dir = await oldGarden();
    prepare(dir);
    const before = snapshot(dir, [".git", ".bloom"]);
    await expect(upgradeGarden(testPorts(), dir)).rejects.toMatchObject({ code });
    expect({ files: snapshot(dir, [".git", ".bloom"]), subject: git(dir, "log", "-1", "--format=%s", "main") }).toEqual(
      { files: before, subject: "old" },
    );
  });

  test("runs several steps in order, each on the result of the one before", async () => {
    const dir = await oldGarden("version: 1\nname: Rose\n");
    const done = await upgradeGarden(testPorts(), dir, madeUp, 3);
    expect(done).toMatchObject({ from: 1, to: 3, steps: [{ en: "step 1" }, { en: "step 2" }] });
    expect({
      format: readFileSync(join(dir, "logic/format.txt"), "utf8"),
      garden: readFileSync(join(dir, "garden.yaml"), "utf8"),
    }).toEqual({ format: "2\n3\n", garden: "version: 3\nname: Rose\n" });
  });

  test("leaves the old garden or the new one when it is killed, and can be repeated", async () => {
    const kills = await killedEverywhere("upgrade", async (die) => {
      const dir = await oldGarden("version: 1\nname: Rose\n");
      const points = await die(dir);
      const committed = [
        git(dir, "show", "main:garden.yaml"),
        git(dir, "ls-tree", "-r", "--name-only", "main", "logic/"),
      ];
      expect(
        [
          ["version: 1\nname: Rose", ""],
          ["version: 3\nname: Rose", "logic/format.txt"],
        ],
        points.at(-1),
      ).toContainEqual(committed);
      await upgradeGarden(testPorts(), dir, madeUp, 3);
      expect({ garden: git(dir, "show", "main:garden.yaml"), uncommitted: git(dir, "status", "--porcelain") }).toEqual({
        garden: "version: 3\nname: Rose",
        uncommitted: "",
      });
      return points;
    });
    expect(kills).toBeGreaterThan(0);
  });
});
