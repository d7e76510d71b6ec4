import { expect, test } from "vitest";
import { bestNames, completedWord, openWordAt } from "../web/src/pages/note/completion.ts";

test.each<[string, string, string | undefined]>([
  ["a link", "See [[li|", "link li"],
  ["an empty link", "[[|", "link "],
  ["a link with a part", "[[lime#|", undefined],
  ["a finished link", "[[lime]] |", undefined],
  ["a tag", "so #be/ho|", "tag be/ho"],
  ["a heading", "#|", undefined],
  ["a tag in a word", "a#b|", undefined],
  ["a link on the line before", "[[li\n|", undefined],
])("U-1c the unfinished word before the caret is found: %s", (_, text, expected) => {
  const found = openWordAt(text.replace("|", ""), text.indexOf("|"));
  expect(found && `${found.kind} ${found.typed}`).toBe(expected);
});

test("U-1c names that begin with the typed words come before names that contain them", () => {
  expect(bestNames(["Old lime", "lime", "rose", "Lime tree"], "LIME", 2)).toEqual(["lime", "Lime tree"]);
  expect([
    completedWord("link", "lime", ""),
    completedWord("link", "lime", "]] x"),
    completedWord("tag", "bees", ""),
  ]).toEqual(["lime]]", "lime", "bees"]);
});
