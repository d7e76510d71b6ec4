import { expect, test } from "vitest";
import { answerMarkdown, keyStems, markedParts } from "../web/src/pages/ask/conversation.ts";

test("an answer is copied with the note and the line of every quotation", () => {
  const references = [
    {
      citation_number: 1,
      source_title: "Seed calendar",
      cited_text: "…",
      path: "notes/garden/seed-calendar.md",
      line: 16,
    },
    { citation_number: 2, source_title: "An almanac", cited_text: "…" },
  ];
  expect(answerMarkdown({ answer: "Around 20 June. [1]", references }, "line {}")).toBe(
    "Around 20 June. [1]\n\n1. [[notes/garden/seed-calendar]], line 16\n2. An almanac\n",
  );
});

test.for([
  ["When does the lime tree bloom?", "The old lime tree blooms in June.", ["lime", "tree", "blooms"]],
  ["Коли цвіте липа?", "Липи цвітуть у червні.", ["Липи", "цвітуть"]],
] as const)("the words of “%s” are marked in “%s”", ([question, quote, marked]) => {
  const parts = markedParts(quote, keyStems(question));
  expect({
    marked: parts.filter(({ isKey }) => isKey).map(({ text }) => text),
    whole: parts.map(({ text }) => text).join(""),
  }).toEqual({ marked, whole: quote });
});
