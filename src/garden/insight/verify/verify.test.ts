import { chmodSync, rmSync, symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { storeKey } from "../../../domain/store-key.ts";
import { contractText } from "../../agents/testing/contract-text.ts";
import { closeFound, findGarden } from "../../core/garden.ts";
import { readRegistry } from "../../records/agents/registry.ts";
import { closed, files, gardenWith, git, testPorts } from "../../testing/scratch.ts";
import { checks, verifyGarden } from "./verify.ts";

/** A garden with some of everything, closed. */
async function wellKept(): Promise<string> {
  const made = await gardenWith();
  for (const [key, text] of Object.entries({
    "agents/echo/_agent.md": contractText("echo"),
    "agents/echo/memory/observations.jsonl": '{"a":1}\n{"b":2}\n',
    "audit/1.json": "{}",
  })) {
    await made.garden.store.create(storeKey(key), Buffer.from(text));
  }
  await readRegistry(made.garden);
  return (await closed(made)).dir;
}

async function findingsIn(dir: string): Promise<string[]> {
  const garden = await findGarden(testPorts(), dir);
  try {
    return (await verifyGarden(garden)).map(({ check, where }) => `${check} ${where}`);
  } finally {
    await closeFound(garden);
  }
}

/** Commits one more note; returns the file that holds its content in the repository. */
const objectOfNote = (dir: string): string => {
  files(dir, { "notes/c.md": "a note\n".repeat(100) });
  git(dir, "add", ".");
  git(dir, "commit", "-qm", "c");
  const oid = git(dir, "rev-parse", "HEAD:notes/c.md");
  return join(dir, ".git/objects", oid.slice(0, 2), oid.slice(2));
};

describe("SPEC §14 verify", () => {
  test("finds nothing in a healthy garden, in its clone, and in a garden with hand-written files", async () => {
    const dir = await wellKept();
    files(dir, { "agents/echo/sources/My File (1).PDF": "x", "notes/new.md": "x" });
    expect(await findingsIn(dir)).toEqual([]);
    git(join(dir, ".."), "clone", "-q", dir, "clone");
    expect(await findingsIn(join(dir, "../clone"))).toEqual([]);
  });

  test.each<[string, string[], (dir: string) => void]>([
    [
      "an unknown key in garden.yaml",
      ["config garden.yaml"],
      (dir) => files(dir, { "garden.yaml": "version: 2\nname: x\nnmae: y\n" }),
    ],
    ["a newer format", ["config garden.yaml"], (dir) => files(dir, { "garden.yaml": "version: 9\nname: x\n" })],
    [
      "a machine folder that git sees",
      ["machine-folder .bloom/.gitignore"],
      (dir) => files(dir, { ".bloom/.gitignore": "# nothing\n" }),
    ],
    ["an interrupted init", ["machine-folder .bloom/making.json"], (dir) => files(dir, { ".bloom/making.json": "{}" })],
    [
      "the machine's folder under git",
      ["machine-folder .bloom/x"],
      (dir) => {
        files(dir, { ".bloom/x": "x" });
        git(dir, "add", "-f", ".bloom/x");
        git(dir, "commit", "-qm", "x");
      },
    ],
    ["a missing notes folder", ["folders notes"], (dir) => rmSync(join(dir, "notes"), { recursive: true })],
    [
      "a file in place of the memory folder",
      ["folders memory"],
      (dir) => {
        rmSync(join(dir, "memory"), { recursive: true });
        files(dir, { memory: "x" });
      },
    ],
    [
      "a note's content lost from the repository",
      [expect.stringMatching(/^repository [0-9a-f]{40}$/) as string],
      (dir) => rmSync(objectOfNote(dir)),
    ],
    [
      "a note's content cut off in the repository",
      [expect.stringMatching(/^repository [0-9a-f]{40}$/) as string],
      (dir) => {
        const path = objectOfNote(dir);
        chmodSync(path, 0o644);
        truncateSync(path, 20);
      },
    ],
    [
      "a ref to a missing commit",
      ["repository refs/heads/lost"],
      (dir) => files(dir, { ".git/refs/heads/lost": `${"1".repeat(40)}\n` }),
    ],
    ["a missing repository", ["repository .git"], (dir) => rmSync(join(dir, ".git"), { recursive: true })],
    [
      "truncated JSON",
      ["store-objects store:audit/1.json"],
      (dir) => files(dir, { ".bloom/store/audit/1.json": '{"a":' }),
    ],
    [
      "a truncated line",
      ["store-objects store:agents/echo/memory/observations.jsonl"],
      (dir) => files(dir, { ".bloom/store/agents/echo/memory/observations.jsonl": '{"a":1}\n{"b\n' }),
    ],
    [
      "an unknown key in the store",
      ["store-keys store:stray/x.json"],
      (dir) => files(dir, { ".bloom/store/stray/x.json": "{}" }),
    ],
    [
      "an unknown key at the top of the store",
      ["store-keys store:x.json"],
      (dir) => files(dir, { ".bloom/store/x.json": "{}" }),
    ],
    [
      "an invalid name in the store",
      ["store-keys store:audit/UPPER.json"],
      (dir) => files(dir, { ".bloom/store/audit/UPPER.json": "{}" }),
    ],
    [
      "a hidden file in the store",
      ["store-keys .bloom/store/audit/.DS_Store"],
      (dir) => files(dir, { ".bloom/store/audit/.DS_Store": "x" }),
    ],
    [
      "a link in the store",
      ["store-keys .bloom/store/audit/link.json"],
      (dir) => symlinkSync("1.json", join(dir, ".bloom/store/audit/link.json")),
    ],
    [
      "a file in place of the store",
      ["store .bloom/store"],
      (dir) => {
        rmSync(join(dir, ".bloom/store"), { recursive: true });
        rmSync(join(dir, ".bloom/log"), { recursive: true, force: true });
        files(dir, { ".bloom/store": "x" });
      },
    ],
  ])("reports %s, and nothing else", async (_, expected, damage) => {
    const dir = await wellKept();
    damage(dir);
    expect(await findingsIn(dir)).toEqual(expected);
  });

  test("has a registry of checks with unique names, each with a rule and a text in both languages", () => {
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    expect(checks.every(({ rule, title }) => /^[A-Z]-\d/.test(rule) && title.uk !== title.en)).toBe(true);
  });
});
