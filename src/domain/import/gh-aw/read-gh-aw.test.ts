import { expect, test } from "vitest";
import { readFrontSource } from "../front-source.ts";
import { widenings } from "../grants.ts";
import type { ImportDraft, NoDraft } from "../import-draft.ts";
import { fieldOf, keyPaths } from "../key-ledger.ts";
import { readGhAwWorkflow } from "./read-gh-aw.ts";

const read = (files: Readonly<Record<string, string | Uint8Array>>, file = "flows/walk.md"): ImportDraft | NoDraft =>
  readGhAwWorkflow(
    { file, language: "en" },
    { read: (path) => (path in files ? Buffer.from(files[path]!) : undefined) },
  );

const draftOf = (files: Readonly<Record<string, string>>): ImportDraft => {
  const made = read(files);
  if (made.kind !== "draft") throw new Error(`no draft: ${JSON.stringify(made.entries)}`);
  return made;
};

const fateOf = (made: ImportDraft | NoDraft, key: string): string | undefined =>
  made.entries.find((entry) => entry.key === key)?.fate;

const WALK = `---
name: Border walk
description: Finds notes at the border
on:
  schedule: weekly on monday at 07:00
  workflow_dispatch:
  pull_request:
permissions:
  contents: read
  issues: write
engine:
  id: claude
  model: claude-sonnet-4-5
  max-turns: 8
timeout-minutes: 10
network:
  allowed: [defaults, api.example.com]
imports:
  - shared/manners.md
tools:
  github:
    toolsets: [issues]
  bash: ["git log:*"]
  cache-memory: true
safe-outputs:
  create-issue:
    max: 3
    title-prefix: "[walk] "
  add-comment:
  assign-to-user:
steps:
  - run: make
strange: 1
---
# Border walk

1. Look at \${{ github.repository }}
2. Take each note
   - If it is old, then leave it
   - Otherwise, name it
3. Report
`;
const MANNERS = "---\ntools:\n  repo-memory: true\nsafe-outputs:\n  add-labels:\n    max: 2\n---\nBe kind.\n";
const walk = { "flows/walk.md": WALK, "flows/shared/manners.md": MANNERS };

test("I-1 a workflow becomes a draft by the meaning of its keys", () => {
  const { fields, slug, name, description } = draftOf(walk);
  expect({ slug, name, description, ...fields }).toEqual({
    slug: "walk",
    name: "Border walk",
    description: "Finds notes at the border",
    model: "claude-sonnet-4-5",
    tools: ["read-notes", "search-notes", "read-memory", "write-memory", "create-proposal"],
    safe_outputs: ["propose-note", "propose-comment", "propose-tag"],
    max_steps: 8,
    budget: { proposals: 6 },
    timeouts: { run_s: 600 },
    network: { allow: ["api.example.com"] },
    cron: "0 7 * * 1",
    tags: { change: "add" },
  });
});

test.each([
  ["on.schedule", "mapped"],
  ["on.pull_request", "lost"],
  ["permissions.contents", "mapped"],
  ["permissions.issues", "lost"],
  ["engine.model", "mapped"],
  ["network.allowed", "mapped"],
  ["tools.github", "lost"],
  ["tools.github.toolsets", "lost"],
  ["tools.bash", "lost"],
  ["tools.cache-memory", "mapped"],
  ["safe-outputs.create-issue.title-prefix", "kept"],
  ["safe-outputs.assign-to-user", "lost"],
  ["steps", "lost"],
  ["steps[0].run", "lost"],
  ["strange", "lost"],
  ["${{ github.repository }}", "kept"],
  ["safe-outputs.add-labels", "mapped"],
])("I-1 the report says of %s: %s", (key, fate) => {
  expect(fateOf(draftOf(walk), key)).toBe(fate);
});

test("I-1 the report has every key of the workflow and of its includes, at its line", () => {
  const { entries } = draftOf(walk);
  for (const [file, text] of Object.entries(walk)) {
    const source = readFrontSource(Buffer.from(text), "required");
    if (source.kind === "refused") throw new Error("unreadable");
    for (const path of keyPaths(source.front)) {
      const found = entries.find((entry) => entry.file === file && entry.key === fieldOf(path));
      expect([fieldOf(path), text.split("\n")[found!.line - 1]]).toEqual([
        fieldOf(path),
        expect.stringContaining(String(path.at(-1))),
      ]);
    }
  }
});

test("I-1 the texts of included files stand before the workflow's own", () => {
  expect(draftOf(walk).body).toMatch(/^Be kind\.\n\n# Border walk[\s\S]*create-issue\.title-prefix: "\[walk\] "/);
});

test("I-1 numbered steps and if-then lines become a first procedure", () => {
  expect(
    draftOf(walk).outline?.map((node) => (node.kind === "step" ? node.text : [node.condition, node.yes, node.no])),
  ).toEqual(["Look at ${{ github.repository }}", "Take each note", ["it is old", "leave it", "name it"], "Report"]);
});

test("I-1 a workflow without a safe output says that it must stay a draft", () => {
  const made = draftOf({ "flows/walk.md": "---\non: daily\nengine: copilot\n---\nLook around.\n" });
  expect(made.fields.safe_outputs).toEqual([]);
  expect(made.missing.map(({ en }) => en.split(":")[0])).toEqual(["no safe output", "no model"]);
});

test("I-1 the smaller one of two limits of turns counts", () => {
  const made = draftOf({
    "flows/walk.md": "---\non: daily\nmax-turns: 4\nengine:\n  id: claude\n  max-turns: 9\n---\nLook.\n",
  });
  expect([made.fields.max_steps, made.grants.turns]).toEqual([4, 4]);
});

test("I-1 a workflow that opens pull requests works on a branch of its own, any other does not", () => {
  const flow = (output: string) =>
    draftOf({ "flows/walk.md": `---\non: daily\nsafe-outputs:\n  ${output}:\n---\nDo it.\n` });
  const [pull, push] = [flow("create-pull-request"), flow("push-to-pull-request-branch")];
  const pullRequestTools = ["write-note", "move-note", "delete-note"];
  expect(pull.fields).toMatchObject({ workspace: "session", safe_outputs: ["propose-merge"] });
  expect(pull.fields.tools.slice(-3)).toEqual(pullRequestTools);
  expect(pull.grants.tools.slice(-3)).toEqual(pullRequestTools);
  expect([push.fields.workspace, push.fields.safe_outputs]).toEqual([undefined, ["propose-edit"]]);
});

test("I-1 an output that the source switches off is not taken", () => {
  const made = draftOf({
    "flows/walk.md": "---\non: daily\nsafe-outputs:\n  create-issue: false\n  remove-labels: false\n---\nLook.\n",
  });
  expect([made.fields.safe_outputs, made.grants.outputs]).toEqual([[], []]);
});

test.each<[string, string, object]>([
  ["labels to add", "  add-labels:\n    allowed: [bug, plan]", { change: "add", only: ["bug", "plan"] }],
  ["any label to add", "  add-labels:", { change: "add" }],
  ["a pattern of labels", "  add-labels:\n    allowed: ['team-*']", { change: "add" }],
  ["labels to remove", "  remove-labels:\n    allowed: [bug]", { change: "remove", only: ["bug"] }],
  [
    "both",
    "  add-labels:\n    allowed: [a, b]\n  remove-labels:\n    allowed: [b, c]",
    { change: "both", only: ["b"] },
  ],
])("I-1 the contract keeps the limits of %s", (_, outputs, tags) => {
  const made = draftOf({ "flows/walk.md": `---\non: daily\nsafe-outputs:\n${outputs}\n---\nLook.\n` });
  expect(made.fields.tags).toEqual(tags);
  expect(widenings(made.grants, { ...GRANTED, tags: made.fields.tags })).toEqual([]);
  expect(widenings(made.grants, GRANTED)).not.toEqual([]);
});

const GRANTED = {
  tools: [],
  safe_outputs: ["propose-tag"],
  timeouts: { run_s: 60 },
  max_steps: 1,
  network: { allow: [] },
  mcp: [],
  triggers: { manual: true, cron: null, events: null },
  reads_memory_of: [],
  proposes: "folder",
  workspace: "proposals",
  status: "draft",
  budget: { proposals: 1 },
} satisfies Parameters<typeof widenings>[1];

test("I-1 a workflow without permission to read gets no tool that reads", () => {
  const made = draftOf({
    "flows/walk.md": "---\non: daily\npermissions: {}\nsafe-outputs:\n  create-issue:\n---\nLook.\n",
  });
  expect(made.fields.tools).toEqual(["create-proposal"]);
});

test("I-1 hosts that overlap with a blocked one are not taken", () => {
  const front =
    "on: daily\nnetwork:\n  allowed: ['*.example.com', 'https://ok.test', 'x.bad.test']\n  blocked: [a.example.com, bad.test]";
  expect(draftOf({ "flows/walk.md": `---\n${front}\n---\nLook.\n` }).fields.network).toEqual({ allow: ["ok.test"] });
});

test("I-1 a secret in the text is told with its line and never copied", () => {
  const key = `ghp_${"a1B2".repeat(9)}`;
  const made = draftOf({ "flows/walk.md": `---\non: daily\nenv:\n  TOKEN: ${key}\n---\nLook.\nUse ${key} there.\n` });
  expect(made.entries.find((entry) => entry.key === "[redacted]")).toMatchObject({ line: 7, fate: "lost" });
  expect(
    JSON.stringify({ ...made, files: made.files.map(({ bytes }) => Buffer.from(bytes).toString()) }),
  ).not.toContain(key);
});

const daily = (more: string, body = "Look.\n"): string => `---\non: daily\n${more}\n---\n${body}`;

test.each<[string, Readonly<Record<string, string | Uint8Array>>, RegExp]>([
  [
    "a loop of includes",
    { "flows/walk.md": daily("imports: [a.md]"), "flows/a.md": "---\nimports: [walk.md]\n---\n" },
    /loop/,
  ],
  ["an include out of the folder", { "flows/walk.md": daily("imports: [../../etc/passwd]") }, /leads out/],
  ["an absolute include", { "flows/walk.md": daily("", "{{#import /etc/passwd}}\n") }, /leads out/],
  ["an alias", { "flows/walk.md": daily("a: &x [1]\nb: *x") }, /aliases/],
  ["a tag", { "flows/walk.md": daily("a: !!binary aGk=") }, /tag/],
  ["front matter that is no YAML", { "flows/walk.md": daily("a: [1") }, /not readable YAML/],
  ["no front matter", { "flows/walk.md": "Look.\n" }, /no front matter/],
  ["front matter without an end", { "flows/walk.md": "---\non: daily\n" }, /no closing/],
  ["a list as front matter", { "flows/walk.md": "---\n- on\n---\n" }, /not a group/],
  ["ten megabytes", { "flows/walk.md": new Uint8Array(10_485_760).fill(97) }, /bytes; at most/],
  ["bytes that are no text", { "flows/walk.md": new Uint8Array([45, 45, 45, 10, 255]) }, /UTF-8/],
  ["a body that no contract holds", { "flows/walk.md": daily("", "word ".repeat(50_000)) }, /fit into a contract/],
  ["a missing file", {}, /no such file/],
])("I-1 %s is refused with the reason", (_, files, why) => {
  const made = read(files);
  expect(made.kind).toBe("refused");
  expect(made.entries.find(({ fate }) => fate === "refused")?.why.en).toMatch(why);
});

test.each([
  ["a file of another repository", daily("imports: [org/repo/a.md@v1]"), "org/repo/a.md@v1"],
  ["a file that is not there", daily("imports: [gone.md]"), "gone.md"],
  ["an optional file that is not there", daily("", "{{#import? gone.md}}\n"), "gone.md"],
])("I-1 an include of %s is told as lost", (_, text, key) => {
  expect(fateOf(draftOf({ "flows/walk.md": text }), key)).toBe("lost");
});

test("I-1 a directive in a code block is text", () => {
  const made = draftOf({ "flows/walk.md": daily("", "```\n{{#import ../../../x.md}}\n```\n") });
  expect(made.body).toContain("{{#import ../../../x.md}}");
});

test("I-1 a file without triggers is a part that others include", () => {
  expect(read(walk, "flows/shared/manners.md").kind).toBe("component");
});
