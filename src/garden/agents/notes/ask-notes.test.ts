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
const all = readScope("notes", "all");
const porch = readScope("notes", ["notes/beds"]);
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
    "in any form of the words",
    "When should I prune a rose in March?",
    {},
    [["notes/beds/rose.md", 8, "Roses are pruned in March."]],
  ],
  ["in Ukrainian", "Коли підрізати троянду?", {}, [["notes/троянди.md", 3, "Троянди підрізають у березні."]]],
  [
    "of one note alone",
    "What prunes roses?",
    { note: "notes/tools/shears.md" },
    [["notes/tools/shears.md", 3, "Shears prune roses and nothing else."]],
  ],
  [
    "only of what one may see",
    "Who prunes at midnight?",
    { sees: porch },
    [["notes/beds/rose.md", 8, "Roses are pruned in March."]],
  ],
  [
    "far down in a long note",
    "Where does the unicorn sleep?",
    {},
    [["notes/long.md", 24_003, "The unicorn sleeps here."]],
  ],
] as const)(
  "U-1a the notes answer with their own words and the line of each: %s",
  async (_, question, options, expected) => {
    const { answer, references } = await asking(question, options);
    expect([references.map(({ path, line, cited_text }) => [path, line, cited_text]), answer]).toEqual([
      expected,
      expect.stringContaining(expected[0][2]),
    ]);
  },
);

test.each([
  ["what no note speaks of", "What does a ticket to Mars cost?"],
  ["a question without a word that tells anything", "What is it?"],
])("U-1a %s has no answer, and none is made up", async (_, question) => {
  expect(await asking(question)).toMatchObject({ answer: undefined, references: [] });
});

test("U-1a a note that one may not see, or that is not there, cannot be asked", async () => {
  for (const note of ["notes/cellar/secret.md", "notes/none.md"])
    await expect(asking("When?", { sees: porch, note })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("U-1a what a reader cites from elsewhere has no place among the notes", async () => {
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
