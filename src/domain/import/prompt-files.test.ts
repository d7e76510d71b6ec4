import { expect, test } from "vitest";
import type { ImportDraft, ImportFormat, NoDraft } from "./import-draft.ts";
import { promptReader } from "./prompt-files.ts";

const read = (
  format: Exclude<ImportFormat, "gh-aw">,
  file: string,
  files: Readonly<Record<string, string>>,
  skipped: readonly string[] = [],
): ImportDraft | NoDraft =>
  promptReader(format)(
    { file, language: "en" },
    {
      read: (path) => (path in files ? Buffer.from(files[path]!) : undefined),
      paths: () => Object.keys(files),
      skipped,
    },
  );

const fatesOf = (made: ImportDraft | NoDraft): Record<string, string> =>
  Object.fromEntries(made.entries.map(({ key, fate }) => [key, fate]));

const SKILL = `---
name: moss-care
description: Cares for moss. Use when somebody asks about moss.
license: MIT
allowed-tools: Read Bash(git:*) Grep
metadata:
  author: ann
---
# Moss

Water it.
`;

test("I-4 a skill becomes a draft without triggers and outputs, with its folder kept as sources", () => {
  const made = read(
    "skill",
    "moss-care/SKILL.md",
    { "moss-care/SKILL.md": SKILL, "moss-care/scripts/a.sh": "rm -rf /\n", "other/x.md": "X" },
    ["moss-care/references/link.md"],
  );
  expect(made).toMatchObject({
    kind: "draft",
    slug: "moss-care",
    fields: { tools: ["read-notes", "search-notes"], safe_outputs: [] },
    taken: ["Bash(git:*)"],
  });
  expect((made as ImportDraft).files.map(({ path }) => path)).toEqual(["SKILL.md", "scripts/a.sh"]);
  expect(fatesOf(made)).toMatchObject({
    name: "mapped",
    license: "kept",
    "metadata.author": "kept",
    "allowed-tools": "mapped",
    "scripts/a.sh": "kept",
    "references/link.md": "lost",
  });
});

test("I-4 a skill that names no tools gets none", () => {
  const made = read("skill", "a/SKILL.md", { "a/SKILL.md": "---\nname: a\ndescription: b\n---\nDo.\n" });
  expect(made).toMatchObject({ fields: { tools: [] }, grants: { tools: [] } });
});

test("I-4 a subagent without tools inherits nothing, and a misspelt key is told", () => {
  const file = "agents/reviewer.md";
  const made = read("subagent", file, {
    [file]: "---\nname: reviewer\ndescription: Reviews\nallowed-tools: Read\nmodel: inherit\n---\nReview.\n",
  });
  expect(made).toMatchObject({ slug: "reviewer", fields: { tools: [] } });
  expect(fatesOf(made)).toMatchObject({ "allowed-tools": "lost", model: "lost" });
});

test("I-4 a subagent keeps its reading tools and a model of the list", () => {
  const file = "agents/reviewer.agent.md";
  const made = read("subagent", file, {
    [file]: "---\ndescription: Reviews\ntools: Read, Write\nmodel: claude-sonnet-4-5\n---\nReview.\n",
  });
  expect(made).toMatchObject({
    slug: "reviewer",
    fields: { tools: ["read-notes", "search-notes"], model: "claude-sonnet-4-5" },
    taken: ["Write"],
  });
});

test("I-4 AGENTS.md becomes a draft named after its folder", () => {
  const made = read("agents-md", "shed/AGENTS.md", {
    "shed/AGENTS.md": "Keep it dry.\n\n1. Look\n2. Sweep\n3. Lock\n",
  });
  expect(made).toMatchObject({ slug: "shed", description: "Keep it dry.", fields: { tools: [] } });
  expect((made as ImportDraft).outline).toHaveLength(3);
});

test("I-4 a skill without front matter is refused", () => {
  expect(read("skill", "a/SKILL.md", { "a/SKILL.md": "Do.\n" }).kind).toBe("refused");
});
