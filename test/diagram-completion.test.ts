import { expect, test } from "vitest";
import { suggestionsFor } from "../web/src/pages/diagram/completion.ts";

const names = { tools: ["read-notes", "create-proposal"], variables: ["note", "notes"] };

test.each([
  ["found ← rea", ["read-notes", "create-proposal"]],
  ["no", ["note", "notes", "read-notes"]],
  ["note", ["notes", "read-notes"]],
  ["notes.", []],
  ["", []],
])("U-1 typing «%s» in a diagram suggests variables, then tools", (text, found) => {
  expect(suggestionsFor(text, text.length, names).found.map(({ name }) => name)).toEqual(found);
});

test("U-1 a suggested tool leaves the caret between its parentheses", () => {
  expect(suggestionsFor("x ← crea + 1", 8, names)).toEqual({
    start: 4,
    found: [{ name: "create-proposal", kind: "tool", text: "create-proposal()", caret: 16 }],
  });
});
