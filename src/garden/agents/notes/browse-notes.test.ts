import { expect, test } from "vitest";
import { MAIN_REF } from "../../../domain/layout.ts";
import { type ReadScope, readScope } from "../../core/access/read-scope.ts";
import { files, gardenWith, git } from "../../testing/scratch.ts";
import { linksOfNote } from "../search/link-index.ts";
import { newNoteIndex } from "../search/note-index.ts";
import { linksAround, listFolder, noteLines, searchGarden } from "./browse-notes.ts";

const NOTES = {
  "notes/beds/rose.md":
    "# The old rose\n\nBeside [the tools](../tools/spade.md#care), see [[Compost]] and [[nothing such]].\n",
  "notes/tools/spade.md": "# Spade\n\nFor the [rose](../beds/rose.md) and [again](/notes/beds/rose).\n",
  "notes/tools/compost.md": "# Warm heap\n\n`[[The old rose]]` is code. See [[the OLD rose|it]].\n",
  "notes/cellar/secret.md": "# Secret\n\nThe [[rose]] is buried.\n",
  "notes/cellar/deep/x.md": "x\n",
  "README.md": "[[rose]]\n",
};
const ROOTS = { notes_root: "notes", agents_root: "agents" };
const all = readScope(ROOTS, "all");
const outside = readScope(ROOTS, ["notes/beds", "notes/tools"]);

test("U-1 a folder page lists folders with note counts, then notes, and leaves out hidden paths", async () => {
  const { garden } = await gardenWith(NOTES);
  const page = async (visible: ReadScope, asked: { folder?: string; after?: string; limit: number }) => {
    const { entries, next, notes } = await listFolder(garden, visible, asked);
    return [notes, entries.map(({ path, notes: count, title }) => [path, count ?? title]), next];
  };
  expect([
    await page(all, { limit: 2 }),
    await page(all, { limit: 2, after: "1notes/cellar" }),
    await page(outside, { limit: 9 }),
    await page(outside, { limit: 9, folder: "notes/cellar" }),
    await page(all, { limit: 1, folder: "notes/tools" }),
    await page(all, { limit: 9, folder: "notes/tools", after: "2notes/tools/compost.md" }),
    await page(outside, { limit: 9, folder: "notes/beds" }),
    await page(all, { limit: 9, folder: "" }),
  ]).toEqual([
    [
      5,
      [
        ["notes/beds", 1],
        ["notes/cellar", 2],
      ],
      "1notes/cellar",
    ],
    [5, [["notes/tools", 2]], undefined],
    [
      3,
      [
        ["notes/beds", 1],
        ["notes/tools", 2],
      ],
      undefined,
    ],
    [0, [], undefined],
    [2, [["notes/tools/compost.md", "compost"]], "2notes/tools/compost.md"],
    [2, [["notes/tools/spade.md", "spade"]], undefined],
    [1, [["notes/beds/rose.md", "rose"]], undefined],
    [5, [["notes", 5]], undefined],
  ]);
});

test("U-1 links resolve by path and file name, not by title; backlinks name the line; hidden notes are left out", async () => {
  const { garden } = await gardenWith(NOTES);
  const { links, backlinks } = await linksAround(garden, all, "notes/beds/rose.md");
  const seen = await linksAround(garden, outside, "notes/beds/rose.md");
  const at = (await garden.repo.resolve(MAIN_REF))!;
  const forgetful = newNoteIndex(garden.repo, ROOTS, { most: 1 });
  const read = await linksOfNote(garden.repo, forgetful, at, all, "notes/beds/rose.md");
  expect({
    links: links.map(({ target, to }) => [target, to]),
    backlinks: backlinks.map(({ path, line, text }) => [path, line, text]),
    visibleBacklinks: seen.backlinks.map(({ path }) => path),
    readBacklinks: read.backlinks.length,
  }).toEqual({
    links: [
      ["../tools/spade.md", "notes/tools/spade.md"],
      ["Compost", "notes/tools/compost.md"],
      ["nothing such", undefined],
    ],
    backlinks: [
      ["notes/cellar/secret.md", 3, "The [[rose]] is buried."],
      ["notes/tools/spade.md", 3, "For the [rose](../beds/rose.md) and [again](/notes/beds/rose)."],
      ["notes/tools/spade.md", 3, "For the [rose](../beds/rose.md) and [again](/notes/beds/rose)."],
    ],
    visibleBacklinks: ["notes/tools/spade.md", "notes/tools/spade.md"],
    readBacklinks: 3,
  });
});

test("U-1c links of an embedded note are resolved from its own folder, among the visible notes", async () => {
  const { garden } = await gardenWith({
    ...NOTES,
    "notes/beds/all.md": "![[spade]]\n\n![[heap]] and [[spade]]\n",
    "notes/tools/heap.md": "See [it](compost.md#Warm%20heap), ![p](p.png), ![[secret]] and [[#x]].\n",
    "notes/tools/p.png": "",
  });
  const inside = async (sees: ReadScope) =>
    (await linksAround(garden, sees, "notes/beds/all.md")).links.map((link) =>
      link.inside?.map(({ target, to, line }) => [target, to, line]),
    );
  const heap = (secret: string | undefined) => [
    ["compost.md", "notes/tools/compost.md", 1],
    ["p.png", "notes/tools/p.png", undefined],
    ["secret", secret, undefined],
    ["", "notes/tools/heap.md", undefined],
  ];
  const spade = [
    ["../beds/rose.md", "notes/beds/rose.md", undefined],
    ["/notes/beds/rose", "notes/beds/rose.md", undefined],
  ];
  expect([await inside(all), await inside(outside)]).toEqual([
    [spade, heap("notes/cellar/secret.md"), undefined],
    [spade, heap(undefined), undefined],
  ]);
});

test("U-1 lines of one commit are one part with its proposal and run, and a search finds only visible notes", async () => {
  const { garden, dir } = await gardenWith({ ...NOTES, "notes/long.md": "one\ntwo\nthree\n" });
  files(dir, { "notes/long.md": "one\n2\nthree\n" });
  git(dir, "commit", "-qam", "Count\n\nProposal: prop_2026-02-01_100000_aaaaaa\nRun: run_2026-02-13_080000_cccccc");
  const { parts } = await noteLines(garden, "notes/long.md", { first: 1, limit: 10 });
  const some = await noteLines(garden, "notes/long.md", { first: 2, limit: 1 });
  const search = async (visible: ReadScope) =>
    (await searchGarden(garden, visible, { q: "buried roses", limit: 10 })).hits.map(({ path, quote }) => [
      path,
      quote,
    ]);
  expect({
    parts: parts.map(({ first, last, proposal, run }) => [first, last, proposal, run]),
    cut: [some.parts.length, some.next],
    first: (await search(all))[0],
    findsHidden: (await search(outside)).some(([path]) => path!.includes("cellar")),
  }).toEqual({
    parts: [
      [1, 1, undefined, undefined],
      [2, 2, "prop_2026-02-01_100000_aaaaaa", "run_2026-02-13_080000_cccccc"],
      [3, 3, undefined, undefined],
    ],
    cut: [1, 3],
    first: ["notes/cellar/secret.md", "The [[rose]] is buried."],
    findsHidden: false,
  });
});
