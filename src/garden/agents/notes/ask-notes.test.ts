import { expect, test } from "vitest";
import { localReader } from "../../../adapters/reader/local/local-reader.ts";
import type { Reader } from "../../../ports/reader.ts";
import { readScope } from "../../core/access/read-scope.ts";
import { gardenWith } from "../../testing/scratch.ts";
import { askNotes } from "./ask-notes.ts";

const NOTES = {
  "notes/beds/rose.md":
    "---\ntags: [beds]\n---\n# The old rose\n\nIt stands at the wall.\n\nRoses are pruned in March.\n",
  "notes/tools/shears.md": "# Shears\n\nShears prune roses and nothing else.\n",
  "notes/cellar/secret.md": "# Secret\n\nRoses are pruned at midnight.\n",
  "notes/троянди.md": "# Троянди\n\nТроянди підрізають у березні.\n",
  "notes/long.md": `# Long\n\n${"Words about nothing in particular.\n\n".repeat(12_000)}The unicorn sleeps here.\n`,
};
const ROOTS = { notes_root: "notes", agents_root: "agents" };
const all = readScope(ROOTS, "all");
const porch = readScope(ROOTS, ["notes/beds"]);
const { signal } = new AbortController();

const asking = async (
  question: string,
  { sees = all, note, reader = localReader() }: { sees?: typeof all; note?: string; reader?: Reader } = {},
) => {
  const { garden } = await gardenWith(NOTES);
  return askNotes(garden, reader, sees, { question, note, signal });
};

test.each([
  [
    "any form of a word",
    "When should I prune a rose in March?",
    {},
    [["notes/beds/rose.md", 8, "Roses are pruned in March."]],
  ],
  ["Ukrainian", "Коли підрізати троянду?", {}, [["notes/троянди.md", 3, "Троянди підрізають у березні."]]],
  [
    "one note only",
    "What prunes roses?",
    { note: "notes/tools/shears.md" },
    [["notes/tools/shears.md", 3, "Shears prune roses and nothing else."]],
  ],
  [
    "visible notes only",
    "When are roses pruned?",
    { sees: porch },
    [["notes/beds/rose.md", 8, "Roses are pruned in March."]],
  ],
  [
    "far down in a long note",
    "Where does the unicorn sleep?",
    {},
    [["notes/long.md", 24_003, "The unicorn sleeps here."]],
  ],
] as const)("U-1a an answer cites notes word for word with their lines: %s", async (_, question, options, expected) => {
  const { answer, references } = await asking(question, options);
  expect({ references: references.map(({ path, line, cited_text }) => [path, line, cited_text]), answer }).toEqual({
    references: expected,
    answer: expect.stringContaining(expected[0][2]),
  });
});

test.each([
  ["a question about a subject that no note mentions", "What does a ticket to Mars cost?"],
  ["a question without a search word", "What is it?"],
  ["a price that no note mentions", "How much do shears cost?"],
  ["a subject that is mentioned without its value", "When were the shears bought?"],
  ["a word that no note has", "Who prunes the tulips?"],
])("U-1a %s gets an empty answer, not an invented one", async (_, question) => {
  expect(await asking(question)).toMatchObject({ answer: undefined, references: [] });
});

test("U-1a a question about a hidden or missing note is refused", async () => {
  for (const note of ["notes/cellar/secret.md", "notes/none.md"])
    await expect(asking("When?", { sees: porch, note })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("U-1a a citation from outside the notes has no path and no line", async () => {
  const reader: Reader = {
    ...localReader(),
    ask: async () => ({
      answer: "In March [1].",
      references: [{ citation_number: 1, source_title: "A book", cited_text: "Prune in March." }],
    }),
  };
  expect((await asking("When are roses pruned?", { reader })).references).toEqual([
    { citation_number: 1, source_title: "A book", cited_text: "Prune in March.", path: undefined, line: undefined },
  ]);
});
