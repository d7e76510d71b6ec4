import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { armCrashPoints } from "../../base/crash-point.ts";
import { contractText } from "../agents/testing/contract-text.ts";
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
      "# my garden\n\nversion: 2\nname: Rose # keep this\nnotes_root: notes\n",
    );
    expect({
      kind: done.kind,
      uncommitted: git(dir, "status", "--porcelain"),
      subject: git(dir, "log", "-1", "--format=%s"),
    }).toEqual({ kind: "upgraded", uncommitted: "", subject: "Upgrade the garden to format 2" });
    expect(readdirSync(join(dir, ".bloom/backups"))).toEqual([expect.stringMatching(/^rose-.*\.bloom\.tar\.gz$/)]);
    await closeGarden(await openGarden(testPorts(), dir));
  });

  test("does nothing on the second call", async () => {
    const dir = await oldGarden();
    await upgradeGarden(testPorts(), dir);
    const before = snapshot(dir, [".git", ".bloom"]);
    expect(await upgradeGarden(testPorts(), dir)).toEqual({ kind: "current", version: 2 });
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

/** A garden of format 1 with two agents in its store, as the program before wrote them. */
async function gardenOfFormat1(more: Readonly<Record<string, string>> = {}): Promise<string> {
  const dir = await oldGarden("version: 1\nname: Rose # keep\n");
  files(dir, {
    ...more,
    ".bloom/store/agents/echo/_agent.md": contractText("echo"),
    ".bloom/store/agents/echo/sources/deep/a.bin": "\u0000binary",
    ".bloom/store/agents/echo/drakon/main-flow.drakon.json": "{}",
    ".bloom/store/agents/echo/runs/run_1/manifest.json": "{}",
    ".bloom/store/agents/fern/_agent.md": contractText("fern"),
  });
  if (Object.keys(more).length > 0) {
    git(dir, "add", ...Object.keys(more));
    git(dir, "commit", "-qm", "more");
  }
  return dir;
}

describe("G-1a upgrade to format 2", () => {
  test("moves the files of agents that people write into the work tree, in one commit, and leaves the rest", async () => {
    const dir = await gardenOfFormat1();
    expect(await upgradeGarden(testPorts(), dir)).toMatchObject({ from: 1, to: 2 });
    const garden = await openGarden(testPorts(), dir);
    const listed = (await garden.store.list("agents/")).entries.map(({ key }) => key);
    await closeGarden(garden);
    expect({
      listed,
      tracked: git(dir, "ls-tree", "-r", "--name-only", "main", "agents/").split("\n"),
      left: readdirSync(join(dir, ".bloom/store/agents"), { recursive: true }).map(String).toSorted(),
      uncommitted: git(dir, "status", "--porcelain"),
      config: readFileSync(join(dir, "garden.yaml"), "utf8"),
    }).toEqual({
      listed: [
        "agents/echo/_agent.md",
        "agents/echo/drakon/main-flow.drakon.json",
        "agents/echo/runs/run_1/manifest.json",
        "agents/echo/sources/deep/a.bin",
        "agents/fern/_agent.md",
      ],
      tracked: [
        "agents/echo/_agent.md",
        "agents/echo/drakon/main-flow.drakon.json",
        "agents/echo/sources/deep/a.bin",
        "agents/fern/_agent.md",
      ],
      left: ["echo", "echo/runs", "echo/runs/run_1", "echo/runs/run_1/manifest.json"],
      uncommitted: "",
      config: "version: 2\nname: Rose # keep\n",
    });
  });

  test("a garden whose folder agents holds notes gets another folder for its agents", async () => {
    const dir = await gardenOfFormat1({ "agents/people.md": "# People\n" });
    await upgradeGarden(testPorts(), dir);
    const garden = await openGarden(testPorts(), dir);
    const { agents_root } = garden.config;
    const contract = await garden.store.get("agents/fern/_agent.md");
    await closeGarden(garden);
    expect({
      agents_root,
      isThere: contract !== undefined,
      tracked: git(dir, "ls-files", "garden-agents/fern"),
    }).toEqual({
      agents_root: "garden-agents",
      isThere: true,
      tracked: "garden-agents/fern/_agent.md",
    });
  });

  test("an upgrade that is killed anywhere leaves every agent readable, and a repeated one completes it", async () => {
    for (let point = 0; ; point++) {
      const dir = await gardenOfFormat1();
      let passed = 0;
      const disarm = armCrashPoints((name) => {
        if (name.startsWith("upgrade:") && passed++ === point) throw new Error("killed");
      });
      const died = await upgradeGarden(testPorts(), dir).then(
        () => false,
        (error: Error) => error.message === "killed",
      );
      disarm();
      await upgradeGarden(testPorts(), dir);
      const garden = await openGarden(testPorts(), dir);
      const text = (await garden.store.get("agents/echo/_agent.md"))?.bytes;
      await closeGarden(garden);
      expect({
        text: text && Buffer.from(text).toString(),
        old: existsSync(join(dir, ".bloom/store/agents/fern")),
        uncommitted: git(dir, "status", "--porcelain"),
      }).toEqual({ text: contractText("echo"), old: false, uncommitted: "" });
      if (!died) break;
    }
  });
});
