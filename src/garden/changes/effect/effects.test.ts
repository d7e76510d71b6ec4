import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Text } from "../../../base/text.ts";
import { contractKey, MAIN_REF } from "../../../domain/layout.ts";
import { type Operation, operation as parsed } from "../../../domain/proposal/operation.ts";
import type { Garden } from "../../core/garden.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import type { PreparedEffect } from "./effect.ts";
import { prepareEffect } from "./effects.ts";

const moment = {
  proposal: "prop_x",
  at: "2026-02-14T08:00:00.000Z",
  made: "2026-02-14T08:00:00.000Z",
  by: "owner",
  agent: undefined,
  run: undefined,
  summary: "",
};

const prepare = async (garden: Garden, operation: Operation, base?: string, by = moment): Promise<PreparedEffect> => {
  const head = (await garden.repo.resolve(MAIN_REF))!;
  return prepareEffect({ garden, head, base: base ?? head, moment: by }, parsed.parse(operation));
};

/** The patch, or the refusal in one line. */
const told = (prepared: PreparedEffect): string => {
  const said: Text | undefined =
    prepared.kind === "refused" ? prepared.failure.text : prepared.kind === "nothing" ? prepared.why : undefined;
  if (said) return `${prepared.kind === "refused" ? prepared.failure.code : "nothing"}: ${said.en}`;
  if (prepared.kind === "conflict") return `conflict: ${JSON.stringify(prepared.conflicts[0]!.hunks)}`;
  return prepared.kind === "ready" ? prepared.review.map(({ patch }) => patch).join("") : "";
};

const note = (path: string, text = "N\n"): Operation => ({ action: "propose-note", payload: { path, text } });
const edit = (path: string, text: string): Operation => ({ action: "propose-edit", payload: { path, text } });
const tag = (path: string, add: string[]): Operation => ({ action: "propose-tag", payload: { path, add, remove: [] } });

test.each<[string, Operation, string]>([
  ["a new note", note("notes/new.md"), "--- /dev/null\n+++ b/notes/new.md\n@@ -0,0 +1 @@\n+N\n"],
  ["a path of an existing note", note("notes/a.md"), "DUPLICATE_ENTRY: there is a note notes/a.md already"],
  [
    "a path below a note",
    note("notes/a.md/b.md"),
    "DUPLICATE_ENTRY: notes/a.md/b.md cannot be made: notes/a.md is in the way",
  ],
  [
    "a path that is a folder",
    note("notes/dir.md"),
    "DUPLICATE_ENTRY: notes/dir.md cannot be made: notes/dir.md/ is in the way",
  ],
  ["a path outside the notes", note("memory/x.md"), "VALIDATION_FAILED: memory/x.md is not a valid path for a note"],
  ["the settings", edit("garden.yaml", "x"), "VALIDATION_FAILED: garden.yaml is not a valid path for a note"],
  ["a path that is not Markdown", note("notes/x.sh"), "VALIDATION_FAILED: notes/x.sh is not a valid path for a note"],
  [
    "a hidden folder",
    note("notes/.obsidian/x.md"),
    "VALIDATION_FAILED: notes/.obsidian/x.md is not a valid path for a note",
  ],
  ["an edit", edit("notes/a.md", "# A\nmore\n"), "--- a/notes/a.md\n+++ b/notes/a.md\n@@ -1 +1,2 @@\n # A\n+more\n"],
  ["an edit that changes nothing", edit("notes/a.md", "# A\n"), "nothing: notes/a.md is already so"],
  ["an edit of a missing note", edit("notes/none.md", "x"), "NOT_FOUND: there is no note notes/none.md"],
  ["an edit of a link", edit("notes/link.md", "x"), "VALIDATION_FAILED: notes/link.md is a symbolic link, not a note"],
  ["an edit of bytes", edit("notes/bytes.md", "x"), "VALIDATION_FAILED: notes/bytes.md is not text in UTF-8"],
  ["an edit of a note with a NUL", edit("notes/nul.md", "x"), "VALIDATION_FAILED: notes/nul.md is not text in UTF-8"],
  ["tags of bytes", tag("notes/bytes.md", ["x"]), "VALIDATION_FAILED: notes/bytes.md is not text in UTF-8"],
  [
    "a text that is too long",
    edit("notes/a.md", "x".repeat(5_000_001)),
    "VALIDATION_FAILED: notes/a.md has 5000001 bytes; at most 5000000 are allowed",
  ],
  [
    "a note of 20 MB",
    edit("notes/large.md", "x"),
    "VALIDATION_FAILED: notes/large.md has 20000000 bytes; at most 5000000 are allowed",
  ],
  [
    "Windows line ends",
    edit("notes/crlf.md", "a\nB\nc\n"),
    "--- a/notes/crlf.md\n+++ b/notes/crlf.md\n@@ -1,3 +1,3 @@\n \ufeffa\r\n-b\r\n+B\r\n c\r\n",
  ],
  [
    "a tag",
    tag("notes/a.md", ["x"]),
    "--- a/notes/a.md\n+++ b/notes/a.md\n@@ -1 +1,4 @@\n+---\n+tags: [x]\n+---\n # A\n",
  ],
  [
    "a comment beyond the end",
    { action: "propose-comment", payload: { note: "notes/a.md", text: "?", line: 9 } },
    "VALIDATION_FAILED: notes/a.md has 1 lines, and no line 9",
  ],
  [
    "a comment on a missing note",
    { action: "propose-comment", payload: { note: "notes/none.md", text: "?" } },
    "NOT_FOUND: there is no note notes/none.md",
  ],
  [
    "an artifact of a missing agent",
    {
      action: "propose-artifact",
      payload: { agent: "nobody", name: "x", type: "text/plain", body: { kind: "text", text: "x" } },
    },
    "NOT_FOUND: there is no agent nobody",
  ],
  [
    "an artifact without a name",
    {
      action: "propose-artifact",
      payload: { agent: "archivist", name: "a//b", type: "text/plain", body: { kind: "text", text: "x" } },
    },
    'VALIDATION_FAILED: not a store key: "" (empty, or half of a surrogate pair)',
  ],
  [
    "an artifact whose name has parent folders",
    {
      action: "propose-artifact",
      payload: { agent: "archivist", name: "../../_agent.md", type: "text/plain", body: { kind: "text", text: "x\n" } },
    },
    "--- /dev/null\n+++ b/store:agents/archivist/artifacts/%2e%2e/%2e%2e/_agent.md\n@@ -0,0 +1 @@\n+x\n",
  ],
  [
    "a merge of a session",
    { action: "propose-merge", payload: { session: "x", head: "0".repeat(40) } },
    "NOT_FOUND: the commit 0000000000 is missing from the repository",
  ],
])("P-4a the effect of %s is its patch or its refusal", async (_, operation, expected) => {
  const { garden, dir } = await gardenWith({
    "notes/a.md": "# A\n",
    "notes/dir.md/x.md": "x\n",
    "notes/crlf.md": "\ufeffa\r\nb\r\nc\r\n",
    "notes/nul.md": "a\0b",
  });
  await garden.store.create(contractKey("archivist"), Buffer.from("---\n---\n"));
  files(dir, { "notes/large.md": "x".repeat(20_000_000) });
  symlinkSync("a.md", join(dir, "notes/link.md"));
  writeFileSync(join(dir, "notes/bytes.md"), Buffer.from([0x23, 0xff, 0xfe, 0x0a]));
  git(dir, "add", "notes");
  git(dir, "commit", "-qm", "odd ones");
  expect(told(await prepare(garden, operation))).toBe(expected);
});

test.each(["memory/a/facts.md", "Memory/a.md", "logic/a/x.md", ".hidden/x.md", "garden.yaml"])(
  "P-4a in a vault, %s cannot be the target of a note",
  async (path) => {
    const { garden } = await gardenWith({ "a.md": "# A\n" });
    const vault = { ...garden, config: { ...garden.config, notes_root: "." } };
    expect(told(await prepare(vault, note(path)))).toBe(`VALIDATION_FAILED: ${path} is not a valid path for a note`);
  },
);

test.each<[string, (dir: string) => void, string]>([
  ["renamed", (dir) => git(dir, "mv", "notes/a.md", "notes/b.md"), "NOT_FOUND: notes/a.md was renamed to notes/b.md"],
  [
    "renamed and changed",
    (dir) => {
      git(dir, "mv", "notes/a.md", "notes/c.md");
      files(dir, { "notes/c.md": "one\ntwo\nthree\nfour!\n" });
      git(dir, "add", "notes");
    },
    "NOT_FOUND: notes/a.md was renamed to notes/c.md",
  ],
  ["deleted", (dir) => git(dir, "rm", "-q", "notes/a.md"), "NOT_FOUND: notes/a.md was deleted"],
])("P-7 an edit of a note that was %s is refused with that reason", async (_, change, expected) => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "one\ntwo\nthree\nfour\n", "notes/z.md": "Z\n" });
  const base = git(dir, "rev-parse", "HEAD");
  change(dir);
  git(dir, "commit", "-qm", "by hand");
  const commit = git(dir, "rev-parse", "HEAD").slice(0, 10);
  expect(told(await prepare(garden, edit("notes/a.md", "x\n"), base))).toBe(`${expected} (${commit}, Ann)`);
});

test("P-7 the id of an effect stays the same after a merge that keeps its hunks, and changes with any byte", async () => {
  const lines = Array.from({ length: 9 }, (_, index) => `${index}\n`);
  const { garden, dir } = await gardenWith({ "notes/a.md": lines.join("") });
  const base = git(dir, "rev-parse", "HEAD");
  const wish = edit("notes/a.md", lines.with(1, "one\n").join(""));
  const first = await prepare(garden, wish, base);
  files(dir, { "notes/a.md": `new\n${lines.with(6, "six\n").join("")}` });
  git(dir, "commit", "-qam", "by hand");
  const after = await prepare(garden, wish, base);
  const other = await prepare(garden, edit("notes/a.md", lines.with(1, "öne\n").join("")), base);
  const decomposed = await prepare(garden, edit("notes/a.md", lines.with(1, "o\u0308ne\n").join("")), base);
  const effects = [first, after, other, decomposed].map((each) => (each.kind === "ready" ? each.effect : each.kind));
  expect({
    isSame: effects[0] === effects[1],
    isMerged: after.kind === "ready" && after.merged,
    distinct: new Set(effects).size,
  }).toEqual({ isSame: true, isMerged: true, distinct: 3 });
});

test("P-7 adding a tag has the same effect after other changes of the front matter", async () => {
  const { garden, dir } = await gardenWith({ "notes/a.md": "---\ntags: [a]\n---\nA\n" });
  const base = git(dir, "rev-parse", "HEAD");
  const first = await prepare(garden, tag("notes/a.md", ["x"]), base);
  files(dir, { "notes/a.md": "---\ntitle: T\ntags: [b, c]\n---\nA\n" });
  git(dir, "commit", "-qam", "by hand");
  const after = await prepare(garden, tag("notes/a.md", ["x"]), base);
  expect([first, after].map((each) => each.kind === "ready" && each.effect)).toEqual(
    Array(2).fill(first.kind === "ready" && first.effect),
  );
});

test.each([
  ["an agent", { ...moment, by: "owner", agent: { slug: "owner", version: "1" } }, "FORBIDDEN"],
  ["a guest", { ...moment, by: "guest:x" }, "FORBIDDEN"],
  ["the owner", moment, "ready"],
])("P-10b only the owner can request the removal of a note: %s", async (_, by, expected) => {
  const { garden } = await gardenWith();
  const wish: Operation = { action: "propose-edit", payload: { path: "notes/a.md", text: "", remove: true } };
  const prepared = await prepare(garden, wish, undefined, by as typeof moment);
  expect(prepared.kind === "refused" ? prepared.failure.code : prepared.kind).toBe(expected);
});

test.each<[string, string, string | undefined]>([
  ["in case", "notes/CASE.md", "notes/Case.md"],
  ["in the case of a folder", "notes/Folder/new.md", "notes/folder"],
  ["in the composition of letters", "notes/Йогурт.md", "notes/Йогурт.md".normalize("NFD")],
  ["in both", "notes/йогурт.md", "notes/Йогурт.md".normalize("NFD")],
  ["in letters", "notes/Casement.md", undefined],
])(
  "P-4a a new note whose name differs only %s from another one is refused with the name of that one, if disks take both for one",
  async (_, path, twin) => {
    const { garden } = await gardenWith({
      "notes/Case.md": "c\n",
      "notes/folder/a.md": "a\n",
      ["notes/Йогурт.md".normalize("NFD")]: "y\n",
    });
    const said = told(await prepare(garden, note(path)));
    if (twin === undefined) expect(said).toContain(`+++ b/${path}`);
    else
      expect(said).toBe(
        `DUPLICATE_ENTRY: ${path} cannot be made: ${twin} differs from it only in case or in the form of its letters`,
      );
  },
);

test.each<[string, string, string]>([
  ["below another", "a/b", "a"],
  ["far below another", "a/b/c.md", "a"],
  ["that is a folder of others", "d", "d/e.md"],
])("P-4a an artifact %s is refused before its approval, because no store can hold it", async (_, name, by) => {
  const { garden } = await gardenWith({});
  const folder = "agents/echo/artifacts";
  for (const key of [contractKey("echo"), `${folder}/a`, `${folder}/d/e.md`])
    await garden.store.create(key, Buffer.from("x"));
  const payload = { agent: "echo", name, type: "text/plain", body: { kind: "text", text: "y" } } as const;
  expect(told(await prepare(garden, { action: "propose-artifact", payload }))).toBe(
    `DUPLICATE_ENTRY: ${folder}/${name} cannot be made: ${folder}/${by} is in the way`,
  );
});
