import { describe, expect, test } from "vitest";
import { leadsTo, linkFrom, linksIn, withLinks } from "./note-links.ts";

const targets = (text: string): string[] => linksIn(text).map(({ target }) => target);

describe("links in a note are found", () => {
  test.each<[string, string, string[]]>([
    ["a path", "See [roses](garden/roses.md).", ["garden/roses.md"]],
    ["several links in a line", "[a](a.md) and [b](../b.md#part) [c](c.md?x)", ["a.md", "../b.md", "c.md"]],
    ["a path with spaces, in angle brackets", "[a](<old roses.md>)", ["old roses.md"]],
    ["a title after the path", '[a](a.md "the first")', ["a.md"]],
    ["a path with brackets", "[a](roses_(old).md)", ["roses_(old).md"]],
    ["a name", "[[Троянди]] and [[roses#pruning|how]]", ["Троянди", "roses"]],
    ["no links to the web or to the same note", "[a](https://a.org) [b](mailto:x@y.z) [c](#here) [d](//host/x)", []],
    ["no links in code", "`[a](a.md)`\n\n```\n[b](b.md)\n```\n", []],
    ["no link without an end", "[a](", []],
    ["a picture", "![a](a.png)", ["a.png"]],
  ])("%s", (_, text, found) => {
    expect(targets(text)).toEqual(found);
  });

  test("a link has its line number", () => {
    expect(linksIn("# A\n\n[b](b.md)\n").map(({ line, text }) => ({ line, text }))).toEqual([{ line: 3, text: "b" }]);
  });
});

test.each<[string, string, string | undefined]>([
  ["notes/garden/a.md", "b.md", "notes/garden/b.md"],
  ["notes/garden/a.md", "../b.md", "notes/b.md"],
  ["notes/a.md", "/notes/b.md", "notes/b.md"],
  ["notes/a.md", "old%20b.md", "notes/old b.md"],
  ["notes/a.md", "%zz.md", "notes/%zz.md"],
  ["notes/a.md", "../../b.md", undefined],
])("from %s, %s leads to %s", (note, target, path) => {
  expect(leadsTo(note, target)).toBe(path);
});

test.each<[string, string]>([
  ["notes/garden/a.md", "notes/garden/b.md"],
  ["notes/garden/a.md", "notes/b (1).md"],
  ["a.md", "троянди 100%.md"],
  ["notes/a.md", "notes/garden/deep/b.md"],
  ["notes/x/a.md", "notes/y/a.md"],
])("a link from %s to %s leads there", (note, to) => {
  expect(leadsTo(note, linkFrom(note, to))).toBe(to);
});

test("changing a target keeps every other byte", () => {
  const text = "# A\r\n\r\n[b](b.md#x) `[b](b.md)` [c](c.md) [[b|B]]\r\nend";
  expect(withLinks(text, ({ target }) => (target.startsWith("b") ? `new/${target}` : undefined))).toBe(
    "# A\r\n\r\n[b](new/b.md#x) `[b](b.md)` [c](c.md) [[new/b|B]]\r\nend",
  );
});
