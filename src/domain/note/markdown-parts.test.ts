import fc from "fast-check";
import { expect, test } from "vitest";
import { markdownParts } from "./markdown-parts.ts";

const texts = (text: string, size: number): string[] => markdownParts(text, size).map((part) => part.text);

test.each([
  ["a short text is one part", "# A\n\nb\n", 100, ["# A\n\nb\n"]],
  ["an empty text is one empty part", "", 4, [""]],
  ["paragraphs stay whole", "aaaa bbbb\n\ncccc dddd\n\neeee\n", 8, ["aaaa bbbb\n\n", "cccc dddd\n\n", "eeee\n"]],
  ["a heading begins a part", "aaaaaaaa\n# B\ncc\n", 8, ["aaaaaaaa\n", "# B\ncc\n"]],
  ["a list stays together", "- aaaaaa\n\n- bbbb\n\ncc\n", 9, ["- aaaaaa\n\n- bbbb\n\n", "cc\n"]],
  ["code stays together", "```js\naaaa\n\nbbbb\n```\n\ncc\n", 12, ["```js\naaaa\n\nbbbb\n```\n\n", "cc\n"]],
  ["a very long line is cut between words", "aaa bbb ccc ddd eee", 5, ["aaa bbb ", "ccc ddd ", "eee"]],
  ["a character is never cut in half", "🌻🌻🌻", 1, ["🌻", "🌻", "🌻"]],
])("U-1 %s", (_, text, size, expected) => {
  expect(texts(text, size)).toEqual(expected);
});

test("U-1 code that is too long for a part continues as code in the next part", () => {
  const parts = markdownParts("~~~sh\naaaaaaaa\nbbbbbbbb\ncccccccc\n~~~\n\nplain words\n", 8);
  expect(parts.map(({ line, inside }) => ({ line, inside }))).toEqual([
    { line: 1, inside: "" },
    { line: 3, inside: "~~~sh" },
    { line: 4, inside: "~~~sh" },
    { line: 7, inside: "" },
  ]);
});

test("U-1 parts join to the text, have their line numbers, and are at most twice as long as requested", () => {
  const piece = fc.constantFrom(
    "word ",
    "\n",
    "\n\n",
    "# T\n",
    "- i\n",
    "```\n",
    "🌻",
    "\r\n",
    "    x\n",
    "|a|\n",
    "x".repeat(40),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), fc.integer({ min: 2, max: 30 }), (pieces, size) => {
      const text = pieces.join("");
      const parts = markdownParts(text, size);
      expect(parts.map((part) => part.text).join("")).toBe(text);
      let before = "";
      for (const part of parts) {
        expect(part.line).toBe(before.split("\n").length);
        expect(part.text.length).toBeLessThanOrEqual(2 * size);
        before += part.text;
      }
    }),
  );
});
