import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { Failure, isFailure } from "../../base/failure.ts";
import { ranNode } from "../../base/testing/ran-node.ts";
import { testProgram } from "../../base/testing/test-program.ts";
import { composePorts } from "../../compose.ts";
import { readStoreName } from "../../domain/config/store-config.ts";
import type { GardenPorts } from "../core/garden.ts";
import { closeGarden, openGarden } from "../core/garden.ts";
import { files, git, killedEverywhere, scratch, snapshot, testPorts } from "../testing/scratch.ts";
import { type InitWishes, initGarden } from "./init.ts";

const wishes = { language: "en" } as const;
const repository = (dir: string, branch = "main"): void => {
  mkdirSync(dir, { recursive: true });
  git(dir, "init", "-q", "-b", branch);
  files(dir, { "README.md": "# Mine\n", "notes/a.md": "a\n" });
  git(dir, "add", ".");
  git(dir, "commit", "-qm", "mine");
};

test("G-1 a new garden takes at most 16 processes of git", async () => {
  const [dir, tools] = [join(scratch(), "rose"), scratch()];
  writeFileSync(
    join(tools, "git"),
    `#!/bin/sh\necho "$*" >> ${tools}/calls\nPATH=${process.env["PATH"]} exec git "$@"\n`,
  );
  chmodSync(join(tools, "git"), 0o755);
  await initGarden(
    composePorts({ environment: { PATH: `${tools}:${process.env["PATH"]}`, HOME: tools } }),
    dir,
    wishes,
  );
  const calls = readFileSync(join(tools, "calls"), "utf8").trimEnd().split("\n");
  expect(calls.filter((call) => call.includes("--version"))).toHaveLength(1);
  expect(calls.length).toBeLessThanOrEqual(16);
});

describe("G-1 init makes a garden", () => {
  test("in a new folder, with a closed machine folder that hides itself from git", async () => {
    const dir = join(scratch(), "deep/rose");
    await initGarden(testPorts(), dir, wishes);
    expect(readdirSync(dir).toSorted()).toEqual([
      ".bloom",
      ".git",
      "agents",
      "garden.yaml",
      "logic",
      "memory",
      "notes",
    ]);
    expect({
      mode: statSync(join(dir, ".bloom")).mode & 0o777,
      ignored: readFileSync(join(dir, ".bloom/.gitignore"), "utf8"),
    }).toEqual({ mode: 0o700, ignored: "*\n" });
    expect({
      uncommitted: git(dir, "status", "--porcelain"),
      tracked: git(dir, "ls-files"),
      author: git(dir, "log", "--format=%an <%ae>"),
    }).toEqual({ uncommitted: "", tracked: "garden.yaml", author: "owner <owner@garden.invalid>" });
  });

  test("around 1,000 notes without touching one, and reports progress", async () => {
    const dir = scratch();
    files(
      dir,
      Object.fromEntries(
        Array.from({ length: 1000 }, (_, index) => [`notes/${index % 10}/нотатка ${index}.md`, `# ${index}\n`]),
      ),
    );
    const before = snapshot(dir);
    const told: number[] = [];
    await initGarden(testPorts(), dir, { ...wishes, progress: (done) => told.push(done) });
    expect(snapshot(dir, [".bloom", ".git", "agents", "garden.yaml", "memory", "logic"])).toEqual(before);
    expect({ uncommitted: git(dir, "status", "--porcelain"), toldAll: told.at(-1)! >= 1000 }).toEqual({
      uncommitted: "",
      toldAll: true,
    });
  });

  test.each([
    ["Markdown at the top and no notes/", { "Щоденник.md": "x", ".obsidian/app.json": "{}" }, ".", 1],
    ["a vault with notes in folders", { "Daily/One.md": "x", ".obsidian/app.json": "{}" }, ".", 1],
    ["a vault with attachments only", { "p.png": "x", ".obsidian/app.json": "{}" }, ".", 0],
    ["a vault with a folder notes", { "notes/b.md": "x", ".obsidian/app.json": "{}", ".trash/c.md": "x" }, ".", 1],
    ["notes in folders without Obsidian", { "Daily/2024/One.md": "x" }, ".", 1],
    ["Markdown in another folder beside notes/", { "Daily/One.md": "x", "notes/b.md": "y" }, ".", 2],
    ["a README beside notes/", { "README.md": "x", "notes/b.md": "y" }, "notes", 1],
    ["a README alone", { "README.md": "x" }, ".", 1],
    ["agents, memory, logic", { "agents/a/_agent.md": "x", "memory/a/facts.md": "x", "logic/a/x.md": "x" }, "notes", 0],
    ["hidden and foreign folders", { ".trash/a.md": "x", "node_modules/a/README.md": "x" }, "notes", 0],
    ["nothing", {}, "notes", 0],
  ])("I-3 and finds the folder of notes: %s", async (_, contents, root, notes) => {
    const dir = scratch();
    files(dir, contents);
    const made = await initGarden(testPorts(), dir, wishes);
    expect([made.notesRoot, made.notes]).toEqual([root, notes]);
    expect(existsSync(join(dir, "notes"))).toBe(root === "notes" || "notes/b.md" in contents);
  });

  test("I-3 and tells which of Obsidian's settings it respects", async () => {
    const dir = scratch();
    const app = {
      newFileLocation: "folder",
      newFileFolderPath: "Inbox",
      useMarkdownLinks: true,
      newLinkFormat: "relative",
    };
    files(dir, { "Daily/One.md": "x", ".obsidian/app.json": JSON.stringify(app) });
    const { vault } = await initGarden(testPorts(), dir, wishes);
    expect(vault).toEqual({ links: "markdown", linkFormat: "relative", newNotes: "Inbox" });
  });

  test("in a repository on main with one commit that adds one file; staged and untracked work stays", async () => {
    const dir = scratch();
    repository(dir);
    files(dir, { "notes/a.md": "changed\n", "untracked.txt": "u", "staged.txt": "s" });
    git(dir, "add", "staged.txt");
    const before = { files: snapshot(dir, [".git"]), status: git(dir, "status", "--porcelain") };
    await initGarden(testPorts(), dir, wishes);
    expect(git(dir, "show", "--name-status", "--format=%s")).toBe("Make this repository a garden\n\nA\tgarden.yaml");
    expect(git(dir, "status", "--porcelain")).toBe(before.status);
    expect(snapshot(dir, [".git", ".bloom", "agents", "garden.yaml", "logic", "memory"])).toEqual(before.files);
  });

  test("in a repository without a commit, and keeps staged files staged", async () => {
    const dir = scratch();
    git(dir, "init", "-q", "-b", "main");
    files(dir, { "staged.txt": "s", "other.txt": "o" });
    git(dir, "add", "staged.txt");
    await initGarden(testPorts(), dir, wishes);
    expect({
      committed: git(dir, "ls-tree", "--name-only", "HEAD"),
      status: git(dir, "status", "--porcelain"),
    }).toEqual({ committed: "garden.yaml", status: "A  staged.txt\n?? other.txt" });
  });
});

describe("G-1 concurrent inits in one folder", () => {
  test.each([
    ["a folder of notes", (dir: string) => files(dir, { "notes/a.md": "a\n" })],
    ["a repository", (dir: string) => repository(dir)],
    ["nothing yet", () => undefined],
  ])("have one winner, and the others are refused: %s", async (_, prepare) => {
    for (let round = 0; round < 3; round++) {
      const dir = join(scratch(), "rose");
      prepare(dir);
      const ended = await Promise.allSettled(Array.from({ length: 4 }, () => initGarden(testPorts(), dir, wishes)));
      const refusals = ended.flatMap((end) => (end.status === "rejected" ? [(end.reason as Failure).code] : []));
      expect({ count: refusals.length, codes: new Set(refusals) }).toEqual({
        count: 3,
        codes: new Set(refusals.filter((code) => code === "CONCURRENT_MODIFICATION" || code === "DUPLICATE_ENTRY")),
      });
      expect({
        uncommitted: git(dir, "status", "--porcelain"),
        hasGardenFile: git(dir, "show", "--format=", "--name-only", "HEAD:garden.yaml") !== "",
      }).toEqual({ uncommitted: "", hasGardenFile: true });
      await closeGarden(await openGarden(testPorts(), dir));
    }
  });

  test("a second init is refused while the first is running, and resumes its work after the first has stopped", async () => {
    const dir = scratch();
    const folder = testPorts().folders.at(dir);
    files(dir, { ".bloom/.gitignore": "*\n" });
    const hold = await folder.hold(".bloom/owner.lock");
    files(dir, {
      ".bloom/making.json": JSON.stringify({ everything: true, config: "version: 2\nname: x\n", notesRoot: "notes" }),
    });
    const before = snapshot(dir);
    const refused = await initGarden(testPorts(), dir, wishes).catch((error: Failure) => [error.code, error.hint?.en]);
    expect({ refused, files: snapshot(dir) }).toEqual({
      refused: ["CONCURRENT_MODIFICATION", expect.stringContaining("Wait")],
      files: before,
    });
    hold!.release();
    expect(await initGarden(testPorts(), dir, wishes)).toMatchObject({ resumed: true });
  });

  test.each(["", "{", "null", '{"everything":true}', "\ufffd"])(
    "an unreadable plan is refused with a hint: %j",
    async (text) => {
      const dir = scratch();
      files(dir, { ".bloom/making.json": text });
      const before = snapshot(dir);
      const refused = await initGarden(testPorts(), dir, wishes).catch((error: Failure) => [
        error.code,
        error.hint?.en,
      ]);
      expect({ refused, files: snapshot(dir) }).toEqual({
        refused: ["INVALID_TRANSITION", expect.stringContaining(".bloom/making.json")],
        files: before,
      });
    },
  );
});

describe("init refuses with a hint and changes nothing:", () => {
  test.each<[string, string, RegExp, (dir: string) => void]>([
    [
      "a garden already",
      "DUPLICATE_ENTRY",
      /bloom status/,
      (dir) => files(dir, { "garden.yaml": "version: 2\nname: x\n" }),
    ],
    ["another branch", "INVALID_TRANSITION", /git switch main/, (dir) => repository(dir, "draft")],
    [
      "a detached HEAD",
      "INVALID_TRANSITION",
      /git switch main/,
      (dir) => {
        repository(dir);
        git(dir, "checkout", "-q", "--detach");
      },
    ],
    [
      "a merge under way",
      "INVALID_TRANSITION",
      /git status/,
      (dir) => {
        repository(dir);
        writeFileSync(join(dir, ".git/MERGE_HEAD"), `${git(dir, "rev-parse", "HEAD")}\n`);
      },
    ],
    [
      "a rebase under way",
      "INVALID_TRANSITION",
      /git status/,
      (dir) => {
        repository(dir);
        mkdirSync(join(dir, ".git/rebase-merge"));
      },
    ],
    ["a folder inside a repository", "INVALID_TRANSITION", /outside/, (dir) => repository(join(dir, ".."))],
    [
      "a broken repository",
      "INVALID_TRANSITION",
      /\.git\/HEAD/,
      (dir) => {
        repository(dir);
        writeFileSync(join(dir, ".git/HEAD"), "rubbish\n");
      },
    ],
    [
      "a bare repository",
      "INVALID_TRANSITION",
      /Clone it/,
      (dir) => void git(dir, "init", "-q", "--bare", "-b", "main"),
    ],
    ["a file where the memory must be", "DUPLICATE_ENTRY", /move it away/, (dir) => files(dir, { memory: "x" })],
    [
      "a file where the machine's folder must be",
      "DUPLICATE_ENTRY",
      /move it away/,
      (dir) => files(dir, { ".bloom": "x" }),
    ],
    [
      "a link where the notes must be",
      "DUPLICATE_ENTRY",
      /move it away/,
      (dir) => symlinkSync("/", join(dir, "notes")),
    ],
    [
      "a garden.yaml that was removed but is in the history",
      "DUPLICATE_ENTRY",
      /bloom status/,
      (dir) => {
        repository(dir);
        files(dir, { "garden.yaml": "version: 2\nname: x\n" });
        git(dir, "add", ".");
        git(dir, "commit", "-qm", "x");
        renameSync(join(dir, "garden.yaml"), join(dir, ".git/gone"));
      },
    ],
  ])("%s", async (_, code, hint, prepare) => {
    const top = scratch();
    const dir = join(top, "here");
    mkdirSync(dir);
    prepare(dir);
    const before = snapshot(top);
    const failure = await initGarden(testPorts(), dir, wishes).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code, hint: { en: expect.stringMatching(hint), uk: expect.any(String) } });
    expect(snapshot(top)).toEqual(before);
  });

  test("a new folder inside another repository", async () => {
    const top = scratch();
    repository(top);
    await expect(initGarden(testPorts(), join(top, "a/b"), wishes)).rejects.toMatchObject({
      code: "INVALID_TRANSITION",
      hint: { en: expect.stringContaining(`bloom init ${join(dirname(top), "b")}`) },
    });
    expect(existsSync(join(top, "a"))).toBe(false);
  });

  test.each<[string, (ground: GardenPorts) => GardenPorts]>([
    ["the first commit", (ground) => ({ ...ground, repos: { ...ground.repos, commitEverything: full } })],
    ["making the repository", (ground) => ({ ...ground, repos: { ...ground.repos, init: full } })],
    ["asking who the person is", (ground) => ({ ...ground, repos: { ...ground.repos, person: full } })],
    [
      "the settings file",
      (ground) => ({
        ...ground,
        folders: {
          ...ground.folders,
          at: (dir) => {
            const folder = ground.folders.at(dir);
            const create = folder.create.bind(folder);
            return Object.assign(folder, {
              create: ((path, ...rest) =>
                path === "garden.yaml" ? full() : create(path, ...rest)) satisfies typeof create,
            });
          },
        },
      }),
    ],
  ])("a disk that fills up during %s leaves nothing half-written", async (_, spoil) => {
    const dir = scratch();
    files(dir, { "notes/a.md": "a" });
    const before = snapshot(dir);
    await expect(initGarden(spoil(testPorts()), dir, wishes)).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(snapshot(dir)).toEqual(before);
    expect((await initGarden(testPorts(), dir, wishes)).resumed).toBe(false);
  });
});

const full = (): Promise<never> => Promise.reject(new Failure("UPSTREAM_UNAVAILABLE", { en: "full", uk: "повно" }));

describe("an init that was killed can be run again and completes", () => {
  test.each<[string, (dir: string) => void]>([
    ["a folder of notes", (dir) => files(dir, { "notes/a.md": "a\n" })],
    ["a repository", (dir) => repository(dir)],
  ])("%s", async (_, prepare) => {
    const kills = await killedEverywhere("init", async (die) => {
      const dir = scratch();
      prepare(dir);
      const before = Object.keys(snapshot(dir, [".git"])).filter((path) => !path.endsWith("/"));
      const points = await die(dir);
      await initGarden(testPorts(), dir, wishes).catch((error: unknown) => {
        if (!isFailure(error, "DUPLICATE_ENTRY")) throw error; // killed when all was done
      });
      const listed = git(dir, "ls-tree", "-r", "--name-only", "HEAD").split("\n");
      expect({ uncommitted: git(dir, "status", "--porcelain"), listed }, points.at(-1)).toEqual({
        uncommitted: "",
        listed: [...before, "garden.yaml"].toSorted(),
      });
      expect(git(dir, "log", "--oneline", "--", "garden.yaml").split("\n")).toHaveLength(1);
      await closeGarden(await openGarden(testPorts(), dir));
      return points;
    });
    expect(kills).toBeGreaterThan(0);
  });

  test.each<[string, Partial<InitWishes>, string]>([
    ["--store", { store: readStoreName("s3://garden/home?endpoint=https://s3.example.com")! }, "with --store dir"],
    ["--name", { name: "Lily" }, "with --name rose"],
    ["--remote", { remote: "git@example.org:me/garden.git" }, "without --remote"],
    ["--notes-root", { notesRoot: "texts" }, "with --notes-root notes"],
  ])("G-7 and another %s than it began with is refused, not ignored", async (option, other, said) => {
    const dir = join(scratch(), "rose");
    await ranNode([testProgram(join(import.meta.dirname, "../testing/dying.ts")), "init", "init:planned", dir]);
    const before = snapshot(dir);
    const refused: unknown = await initGarden(testPorts(), dir, { ...wishes, ...other }).catch(
      (error: unknown) => error,
    );
    expect(isFailure(refused, "INVALID_TRANSITION") && [refused.text, refused.hint]).toMatchObject([
      { en: expect.stringContaining(said), uk: expect.stringContaining(option) },
      { en: expect.stringContaining("without options"), uk: expect.stringContaining(".bloom/making.json") },
    ]);
    expect(snapshot(dir)).toEqual(before);
    const same = { name: "rose", notesRoot: "notes", store: { kind: "directory" } } as const;
    expect(await initGarden(testPorts(), dir, { ...wishes, ...same })).toMatchObject({ resumed: true, store: "dir" });
  });
});
