import { expect, test } from "vitest";
import { cardTitle } from "./card-title.ts";
import { previewOfChange } from "./change-preview.ts";
import type { Operation } from "./operation.ts";

const edit: Operation = { action: "propose-edit", payload: { path: "notes/a.md", text: "" } };
const patch = (...lines: readonly string[]): string => ["--- a", "+++ b", "@@ -1 +1 @@", ...lines, ""].join("\n");
const path = "notes/a.md";

const previews: readonly (readonly [string, Operation, string, string | undefined, number])[] = [
  [
    "a link",
    edit,
    patch("-see [[lime-tree]] now", "+see [[The old lime tree]] now"),
    "[[lime-tree]] → [[The old lime tree]]",
    0,
  ],
  ["a Markdown link", edit, patch("-(see [a b](x.md)).", "+(see [a b](y/x.md))."), "[a b](x.md) → [a b](y/x.md)", 0],
  ["two lines", edit, patch("-one", "+two", "-three", "+four"), "one → two", 2],
  ["only new lines", edit, patch(" same", "+", "+fresh", "+more"), "+ fresh", 1],
  ["a removed line", edit, patch("-gone"), "− gone", 0],
  ["a word added in the middle", edit, patch("-a c", "+a b c"), "a → a b", 0],
  ["a number", edit, patch("-after reel 9, then", "+after reel 10, then"), "reel 9, → reel 10,", 0],
  ["not text", edit, "", undefined, 0],
  ["tags", { action: "propose-tag", payload: { path, add: ["x"], remove: ["y"] } }, "", "+#x −#y", 0],
  [
    "a note",
    { action: "propose-note", payload: { path, text: "---\na: 1\n---\n\n# Head\n\nbody\n" } },
    "",
    "# Head",
    1,
  ],
  [
    "a comment that forges a line",
    { action: "propose-comment", payload: { note: path, text: "a\u202eb\u001b" } },
    "",
    "a b",
    0,
  ],
];
test.each(previews)(
  "P-5 the preview of a change is one line of the change itself: %s",
  (_, operation, text, shown, more) => {
    const preview = previewOfChange(operation, [{ change: "changed", patch: text }], [], "en");
    expect(preview).toEqual(shown === undefined ? undefined : { text: shown, more });
  },
);

test("P-5 a long line is cut, and counts as not shown whole", () => {
  const preview = previewOfChange(edit, [{ change: "changed", patch: patch(`+${"a".repeat(500)}`) }], [], "en");
  expect({ length: preview?.text.length, more: preview?.more }).toEqual({ length: 160, more: 1 });
});

test("P-5 proposals with the same words have different titles", () => {
  const titles = ["notes/a/lime.md", "notes/b/oak.md"].map((target) =>
    cardTitle({ summary: "Mend the links", target }),
  );
  const named = cardTitle({ summary: "Mend the links in a/lime", target: "notes/a/lime.md" });
  expect([...titles, named]).toEqual(["Mend the links: lime", "Mend the links: oak", "Mend the links in a/lime"]);
});
