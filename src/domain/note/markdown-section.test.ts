import { expect, test } from "vitest";
import { withSection } from "./markdown-section.ts";

const made = (text: string, heading: string, content: string): string => {
  const section = withSection(text, heading, content);
  return section.kind === "text" ? section.text : `refused: ${section.why.en}`;
};

test.each<[string, string, string, string, string]>([
  ["added at the end", "# A\n\nText.\n", "Summary", "Short.", "# A\n\nText.\n\n## Summary\n\nShort.\n"],
  ["added to an empty note", "", "Summary", "Short.", "## Summary\n\nShort.\n"],
  ["added at the requested level", "# A\n", "### Summary", "Short.", "# A\n\n### Summary\n\nShort.\n"],
  [
    "replaced up to the next heading of its level",
    "# A\n\n## S\nold\n\n### deep\nold\n\n## Next\nkept\n",
    "S",
    "new",
    "# A\n\n## S\n\nnew\n\n## Next\nkept\n",
  ],
  ["replaced up to a higher heading", "## S\nold\n# B\nkept\n", "S", "new", "## S\n\nnew\n\n# B\nkept\n"],
  ["replaced at the end", "# A\n\n## S ##\n\nold\n", "S", "new\n", "# A\n\n## S ##\n\nnew\n"],
  ["not searched in code", "```\n## S\n```\n", "S", "new", "```\n## S\n```\n\n## S\n\nnew\n"],
  ["not ended by a heading in code", "## S\n\n```\n# no\n```\nold\n\n## T\n", "S", "new", "## S\n\nnew\n\n## T\n"],
  ["not searched in front matter", "---\n# S: x\na: 1\n---\n", "S", "new", "---\n# S: x\na: 1\n---\n\n## S\n\nnew\n"],
  ["written with the note's line ends", "# A\r\n\r\n## S\r\nold\r\n", "S", "a\nb", "# A\r\n\r\n## S\r\n\r\na\r\nb\r\n"],
  ["refused if it is empty", "# A\n", "S", " \n", "refused: the section would be empty"],
  [
    "refused if a heading would end it",
    "# A\n",
    "S",
    "## T\n",
    "refused: “## T” would end the section: headings inside it need at least 3 #",
  ],
  [
    "refused if a code block is not closed",
    "# A\n",
    "S",
    "```\nx\n",
    "refused: a code block in the text is not closed",
  ],
  ["refused without a heading", "# A\n", "## ", "x", "refused: the heading is empty"],
])("P-4a a section is %s", (_, text, heading, content, after) => {
  expect(made(text, heading, content)).toBe(after);
});
