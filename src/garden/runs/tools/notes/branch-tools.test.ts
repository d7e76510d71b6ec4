import { expect, test } from "vitest";
import { byHand } from "../../../../adapters/repo/git/testing/scratch.ts";
import type { Json } from "../../../../base/canonical.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import { sessionLog } from "../../../sessions/topology.ts";
import { tracesOf } from "../../../sessions/traces.ts";
import { answersTo, expectedOf, type ToolGround, type ToolRow, toolGround } from "../testing/tool-ground.ts";

const notes = {
  "notes/brahms.md": "# Brahms\n",
  "notes/violin/bach.md": "# Bach\n",
  "notes/secret/plan.md": "# Plan\n",
};
const onBranch = (more = ""): Promise<ToolGround> =>
  toolGround({ notes, contract: `workspace: session\nmax_steps: 20${more === "" ? "" : `\n${more}`}` });
const told = (answer: Json): unknown => {
  const { path, change, from } = answer as Record<string, string>;
  return from === undefined ? `${change} ${path}` : `${change} ${from} → ${path}`;
};

const rows: readonly ToolRow[] = [
  ["a new note by path", { path: "notes/idea.md", content: "# Idea\n" }, "added notes/idea.md"],
  ["a new note without root and ending", { note: "ideas/second", content: "x" }, "added notes/ideas/second.md"],
  ["a new note by title", { title: "Ідея №1", content: "x" }, "added notes/ідея-1.md"],
  ["a title that is taken", { title: "Ідея №1", content: "y" }, "added notes/ідея-1-2.md"],
  ["a note by slug", { note: "violin/bach", content: "# Johann\n" }, "changed notes/violin/bach.md"],
  ["the same text again", { note: "bach", content: "# Johann\n" }, "none notes/violin/bach.md"],
  ["an item of read-notes", { note: { path: "notes/brahms.md" }, content: "b" }, "changed notes/brahms.md"],
  ["Ukrainian names of fields", { нотатка: "brahms", зміст: "c" }, "changed notes/brahms.md"],
  ["no place", { content: "x" }, /^VALIDATION_FAILED: write-note needs note/],
  ["no text", { note: "brahms" }, /^VALIDATION_FAILED: write-note needs content/],
  [
    "a name that differs in case",
    { path: "notes/Brahms.md", content: "x" },
    "DUPLICATE_ENTRY: notes/brahms.md is taken",
  ],
  ["settings", { path: "../garden.yaml", content: "x" }, /^VALIDATION_FAILED/],
  ["a hidden folder", { path: "notes/.obsidian/x.md", content: "x" }, /^FORBIDDEN: .*not a valid path/],
  ["a name that Windows refuses", { path: "notes/con.md", content: "x" }, /^VALIDATION_FAILED: .*file system/],
  [
    "an unknown kind of commit",
    { note: "brahms", content: "z", kind: "guess" },
    /^VALIDATION_FAILED: "guess" is no kind/,
  ],
];

test("S-11 P-4a write-note writes notes on the branch, and nothing else", async () => {
  const ground = await onBranch();
  const main = await ground.garden.repo.resolve(MAIN_REF);
  expect(await answersTo(ground, "write-note", rows, told)).toEqual(expectedOf(rows));
  expect(await ground.garden.repo.resolve(MAIN_REF)).toBe(main);
  const { commits } = await sessionLog(ground.garden.repo, ground.workspace!.session);
  expect(commits.length).toBe(1 + 7); // the spawn, and one for each row that changed something
});

test.each([
  ["agents/archivist/_agent.md"],
  ["memory/archivist/facts.md"],
  ["logic/archivist/current.md"],
  [".bloom/x.md"],
])("P-4a in a garden whose notes are everywhere, %s is not written either", async (path) => {
  const { garden, use } = await onBranch();
  Object.assign(garden.config, { notes_root: "." });
  await expect(use("write-note", { path, content: "x" })).rejects.toMatchObject({
    code: expect.stringMatching(/FORBIDDEN|VALIDATION_FAILED/) as unknown,
  });
});

test("S-11 move-note and delete-note act on the branch, and tools read what was written there", async () => {
  const { use, garden } = await onBranch("context: { max_sources: 100 }");
  await use("write-note", { path: "notes/new.md", content: "# New\n\nAbout tuning.\n" });
  expect(told(await use("move-note", { note: "brahms", to: "composers/" }))).toBe(
    "moved notes/brahms.md → notes/composers/brahms.md",
  );
  expect(told(await use("delete-note", { note: "secret/plan" }))).toBe("removed notes/secret/plan.md");
  const listed = (await use("read-notes")) as { path: string }[];
  expect(listed.map(({ path }) => path).toSorted()).toEqual([
    "notes/composers/brahms.md",
    "notes/new.md",
    "notes/violin/bach.md",
  ]);
  expect(await use("read-context", { name: "composers/brahms" })).toBe("# Brahms\n");
  expect(await use("search-notes", { query: "tuning" })).toMatchObject([{ path: "notes/new.md" }]);
  await expect(use("move-note", { note: "new", to: "violin/bach" })).rejects.toMatchObject({ code: "DUPLICATE_ENTRY" });
  await expect(use("delete-note", { note: "brahm" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await garden.repo.list((await garden.repo.resolve(MAIN_REF))!, "notes")).length).toBe(3);
});

test("C-2a an agent of one folder writes in that folder only, and learns nothing about the others", async () => {
  const { use } = await onBranch("context: { folder: violin }");
  expect(told(await use("write-note", { title: "Idea", content: "x" }))).toBe("added notes/violin/idea.md");
  for (const path of ["notes/secret/plan.md", "notes/secret/none.md"])
    await expect(use("write-note", { path, content: "x" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(use("delete-note", { note: "secret/plan" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  const anywhere = await onBranch("context: { folder: violin }\nproposes: anywhere");
  expect(told(await anywhere.use("write-note", { path: "notes/secret/plan.md", content: "x" }))).toBe(
    "written notes/secret/plan.md",
  );
});

test("S-11 S-6 E2 a call makes one typed commit with its trace, and finds it again by its key", async () => {
  const { use, garden, workspace, run } = await onBranch();
  const input = { title: "Idea", content: "x", reason: "Worth keeping" };
  const key = `${run}/7-write-note`;
  const first = (await use("write-note", input, { key })) as { commit: string };
  expect(await use("write-note", input, { key })).toEqual(first);
  const { commits } = await sessionLog(garden.repo, workspace!.session);
  expect(commits.length).toBe(2);
  expect(commits[0]?.typed).toMatchObject({
    kind: "finding",
    message: "Worth keeping",
    fields: { request: key, run, step: 7, path: "notes/idea.md" },
  });
  const [trace] = await tracesOf(garden.repo, first.commit);
  expect(trace?.entries).toMatchObject([
    { kind: "tool", step: 7, text: expect.stringContaining("write-note") as unknown },
  ]);
});

test("S-11 a person's commit on the branch is read, and later calls build on it", async () => {
  const { use, garden, dir, workspace } = await onBranch();
  await use("write-note", { path: "notes/a.md", content: "a\n" });
  const branch = `agents/${workspace!.session}`;
  const tree = byHand(dir, "rev-parse", `${branch}^{tree}`);
  const mine = byHand(dir, "commit-tree", tree, "-p", branch, "-m", "Mine");
  byHand(dir, "update-ref", `refs/heads/${branch}`, mine);
  const { commit } = (await use("write-note", { path: "notes/b.md", content: "b\n" })) as { commit: string };
  expect((await garden.repo.commit(commit)).parents).toEqual([mine]);
});
