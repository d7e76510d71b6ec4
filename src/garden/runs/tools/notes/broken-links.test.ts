import { expect, test } from "vitest";
import type { Json } from "../../../../base/canonical.ts";
import { readContract } from "../../../../domain/contract/contract.ts";
import { MAIN_REF } from "../../../../domain/layout.ts";
import { files, gardenWith, git } from "../../../testing/scratch.ts";
import type { ToolContext } from "../tool.ts";
import { brokenLinksTool } from "./broken-links.ts";

const FRONT = (context: string): string => `---
name: Gardener
slug: gardener
version: 1.0.0
description: Mends links
model: bloom/follower
tools: [broken-links, create-proposal]
safe_outputs: [propose-edit]
${context}created_at: 2026-02-01T10:00:00Z
updated_at: 2026-02-01T10:00:00Z
created_by: owner
status: active
---
Mend.
`;

type Found = {
  slug: string;
  content: string | null;
  mended: Json[];
  unclear: { target: string; options: string[] }[];
}[];

type Notes = Readonly<Record<string, string>>;

/** The result on the notes `after`, which a second commit made of the notes `before`. */
async function foundIn(
  before: Notes,
  after: Notes = {},
  context = "",
  removed: readonly string[] = [],
): Promise<Found> {
  const { garden, dir } = await gardenWith({ ...before });
  for (const path of removed) git(dir, "rm", "-q", path);
  files(dir, { ...after, "notes/other.md": "# Other\n" });
  git(dir, "add", "-A");
  git(dir, "commit", "-qm", "Tidy");
  const reading = readContract(Buffer.from(FRONT(context)));
  if (reading.kind !== "contract") throw new Error(JSON.stringify(reading.problems));
  const tool = brokenLinksTool({
    garden,
    contract: reading.contract,
    commit: (await garden.repo.resolve(MAIN_REF))!,
    language: "en",
  } as unknown as ToolContext);
  const call = { key: "1", signal: new AbortController().signal, proposed: () => undefined };
  return (await tool.call({}, call)) as unknown as Found;
}

const ROSES = "# Roses\n\nThey need sun.\n";

test.each<[string, string, string | null, string[]]>([
  ["a link to a renamed note", "[b](old/roses.md#x)", "[b](garden/roses.md#x)", []],
  ["a link by path to a renamed note", "[[old/roses|R]]", "[[roses|R]]", []],
  ["an embed of a renamed picture", "![[old/p.png]]", "![[p.png]]", []],
  ["a percent-encoded name", "[[two%20words]]", "[[two words]]", []],
  ["a link that is encoded twice", "[b](two%2520words.md)", "[b](two%20words.md)", []],
  ["a link to a deleted note", "[[gone]]", null, ["gone"]],
])("R-3 broken-links corrects or reports %s", async (_, text, content, unclear) => {
  const note = { "notes/a.md": `# A\n\n${text}\n`, "notes/two words.md": "# Two\n" };
  const found = await foundIn(
    { ...note, "notes/old/roses.md": ROSES, "notes/old/p.png": "x", "notes/gone.md": "# Gone\n" },
    { "notes/garden/roses.md": ROSES, "notes/img/p.png": "x" },
    "",
    ["notes/old/roses.md", "notes/old/p.png", "notes/gone.md"],
  );
  expect({
    count: found.length,
    content: found[0]?.content,
    unclear: found[0]?.unclear.map(({ target }) => target),
  }).toEqual({ count: 1, content: content === null ? null : `# A\n\n${content}\n`, unclear });
});

test.each<[string, string]>([
  ["a wish for a note", "[[tulips]] [b](tulips.md) [[content-router]] [c](../../../etc/passwd)"],
  ["a similar name", "[[context-routin]] [b](contxt-routing.md)"],
  ["files, folders, pictures", "[a](b.md) [b](b) [c](../notes) ![d](d.png) ![[d.png|100]] [[B]] [e](https://x.org)"],
  ["every form", "[[#Part]] [[b#Part]] [[b#^id]] [[sub/c]] | [[b\\|Bee]] | [x](sub/c.md) [y](c.md) [[notes/sub/c.md]]"],
  ["code, comments, math", "`[f](no.md)` %%[[no]]%% $[[no]]$ <!-- [[no]] -->"],
])("R-3 broken-links does not report %s", async (_, text) => {
  const notes = { "notes/b.md": "# The second\n", "notes/sub/c.md": "# C\n", "notes/context-routing.md": "# C\n" };
  expect(await foundIn({ ...notes, "notes/a.md": `${text}\n`, "notes/d.png": "x" })).toEqual([]);
});

test.each<[string, string, Notes, Notes]>([
  ["an empty note and another empty note", "[[x]]", { "notes/x.md": "" }, { "notes/y.md": "" }],
  ["a note with a heading only", "[[x]]", { "notes/x.md": "# \n" }, { "notes/y.md": "# \n" }],
  [
    "an untouched copy of a template",
    "[[x]]",
    { "notes/x.md": "What went well today?\n", "notes/Template.md": "What went well today?\n" },
    { "notes/y.md": "What went well today?\n" },
  ],
  ["a note of another day", "[[2026-01-02]]", { "notes/2026-01-02.md": ROSES }, { "notes/2026-01-03.md": ROSES }],
  ["a name that no link can hold", "[[x]]", { "notes/x.md": ROSES }, { "notes/C# and F#.md": ROSES }],
])("R-3 broken-links mends no link on a guess: %s", async (_, text, old, now) => {
  const gone = Object.keys(old).filter((path) => !path.includes("Template"));
  const found = await foundIn({ "notes/a.md": `${text}\n`, ...old }, now, "", gone);
  expect(found.map(({ content, unclear }) => [content, unclear.map(({ target }) => `[[${target}]]`)])).toEqual([
    [null, [text]],
  ]);
});

test("R-3 broken-links follows a note that was renamed, and an empty one that was moved", async () => {
  const found = await foundIn(
    { "notes/a.md": "[[x]] [[old/day]]\n", "notes/x.md": ROSES, "notes/old/day.md": "" },
    { "notes/y.md": ROSES, "notes/new/day.md": "" },
    "",
    ["notes/x.md", "notes/old/day.md"],
  );
  expect(found[0]?.content).toBe("[[y]] [[day]]\n");
});

test("R-3 a link that was written after the note was renamed is a wish", async () => {
  const before = { "notes/a.md": "# A\n", "notes/old/roses.md": ROSES };
  const after = { "notes/a.md": "# A\n\n[[old/roses]]\n", "notes/garden/roses.md": ROSES };
  expect(await foundIn(before, after, "", ["notes/old/roses.md"])).toEqual([]);
});

test("I-3 a mended link is written as Obsidian's settings say, and excluded notes are left alone", async () => {
  const app = { newLinkFormat: "absolute", userIgnoreFilters: ["notes/Templates/"] };
  const found = await foundIn(
    {
      "notes/a.md": "[[old/roses]] [b](old/roses.md)\n",
      "notes/Templates/t.md": "[[old/roses]]\n",
      "notes/old/roses.md": ROSES,
      ".obsidian/app.json": JSON.stringify(app),
    },
    { "notes/garden/roses.md": ROSES },
    "",
    ["notes/old/roses.md"],
  );
  expect(found.map(({ content }) => content)).toEqual(["[[notes/garden/roses]] [b](notes/garden/roses.md)\n"]);
});

test("C-11 broken-links reports notes in context.folder only, and suggests no target elsewhere", async () => {
  const notes = {
    "notes/in/a.md": "[b](./roses.md) [c](../out/b.md)\n",
    "notes/out/b.md": "[b](../in/roses.md)\n",
    "notes/in/roses.md": "# R\n",
  };
  const found = await foundIn(notes, { "notes/out/roses.md": "# R\n" }, "context: { folder: in }\n", [
    "notes/in/roses.md",
  ]);
  expect(found.map(({ slug, content, unclear }) => [slug, content, unclear.map(({ target }) => target)])).toEqual([
    ["in/a", null, ["./roses.md"]],
  ]);
});
