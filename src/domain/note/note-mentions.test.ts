import { expect, test } from "vitest";
import { linkMention, mentionsIn } from "./note-mentions.ts";

const NAMES = ["The old lime tree", "lime-tree", "стара липа"];

test.each<[string, string, readonly string[]]>([
  ["the title in another case", "Under the OLD lime tree we sit.", ["1:6 the OLD lime tree"]],
  ["an alias with a hyphen", "a\n\nA lime-tree.", ["3:2 lime-tree"]],
  ["a name in Cyrillic", "Тут стара липа.", ["1:4 стара липа"]],
  ["part of a longer word", "lime-trees, стара липаа", []],
  ["a link to it", "[[The old lime tree]] and [lime-tree](x.md)", []],
  ["code, comments and properties", "---\na: lime-tree\n---\n`lime-tree` %%lime-tree%%\n```\nlime-tree\n```", []],
  ["an address", "https://x.example/lime-tree/", []],
])("U-1c mentions of a note without a link: %s", (_, text, expected) => {
  expect(mentionsIn(text, NAMES, 10).map(({ line, column, words }) => `${line}:${column} ${words}`)).toEqual(expected);
});

test.each<[string, string, { line: number; column: number; words: string }, string | undefined]>([
  ["the name itself", "A lime-tree.", { line: 1, column: 2, words: "lime-tree" }, "A [[lime-tree]]."],
  ["an alias", "x\nA Lime here", { line: 2, column: 2, words: "Lime" }, "x\nA [[lime-tree|Lime]] here"],
  ["words that are gone", "A bush.", { line: 1, column: 2, words: "lime-tree" }, undefined],
])("U-1c a mention becomes a link: %s", (_, text, mention, expected) => {
  expect(linkMention(text, mention, "lime-tree")).toBe(expected);
});
