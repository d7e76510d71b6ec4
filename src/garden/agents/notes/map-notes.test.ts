import { expect, test } from "vitest";
import { readScope } from "../../core/access/read-scope.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import { findMentions } from "./find-mentions.ts";
import { listTags, noteGraph, notesWithTag } from "./map-notes.ts";

const NOTES = {
  "notes/beds/rose.md": "---\ntags: [Beds, beds/roses]\n---\nSee [[spade]] and [[nothing such]].\n",
  "notes/tools/spade.md": "#tools For the [rose](../beds/rose.md).\n",
  "notes/tools/compost.md": "#tools/heap The rose likes it.\n",
  "notes/cellar/secret.md": "#cellar [[rose]]\n",
};
const ROOTS = { notes_root: "notes", agents_root: "agents" };
const all = readScope(ROOTS, "all");
const outside = readScope(ROOTS, ["notes/beds", "notes/tools"]);

test("U-1c tags are counted with the tags below them, in any case, among the visible notes", async () => {
  const { garden } = await gardenWith(NOTES);
  const counts = async (sees: typeof all) =>
    (await listTags(garden, sees)).tags.map(({ tag, notes }) => `${tag} ${notes}`);
  expect({
    all: await counts(all),
    outside: await counts(outside),
    tools: (await notesWithTag(garden, all, "Tools")).notes.map(({ path }) => path),
    hidden: (await notesWithTag(garden, outside, "cellar")).notes,
  }).toEqual({
    all: ["beds 1", "beds/roses 1", "cellar 1", "tools 2", "tools/heap 1"],
    outside: ["beds 1", "beds/roses 1", "tools 2", "tools/heap 1"],
    tools: ["notes/tools/compost.md", "notes/tools/spade.md"],
    hidden: [],
  });
});

test("U-1c the graph has the links between visible notes, follows a new commit, and can be asked around a note", async () => {
  const { garden, dir } = await gardenWith(NOTES);
  const shown = async (sees: typeof all, around?: string) => {
    const { notes, links } = await noteGraph(garden, sees, { around, depth: 1 });
    return links.map(({ from, to }) => `${notes[from]!.title} → ${notes[to]!.title}`).toSorted();
  };
  const before = [await shown(all), await shown(outside), await shown(all, "notes/tools/compost.md")];
  files(dir, { "notes/tools/compost.md": "[[spade]]\n" });
  git(dir, "commit", "-qam", "Link");
  expect({ before, after: await shown(all, "notes/tools/compost.md") }).toEqual({
    before: [["rose → spade", "secret → rose", "spade → rose"], ["rose → spade", "spade → rose"], []],
    after: ["compost → spade"],
  });
  await expect(noteGraph(garden, outside, { around: "notes/cellar/secret.md", depth: 1 })).rejects.toMatchObject({
    code: "NOT_FOUND",
  });
});

test("U-1c mentions without a link are found in visible notes, with their lines", async () => {
  const { garden } = await gardenWith(NOTES);
  const { mentions } = await findMentions(garden, outside, "notes/beds/rose.md");
  expect(mentions).toEqual([
    {
      path: "notes/tools/compost.md",
      title: "compost",
      line: 1,
      column: 16,
      words: "rose",
      text: "#tools/heap The rose likes it.",
    },
  ]);
});
