import { describe, expect, test } from "vitest";
import { patient } from "../../base/testing/patience.ts";
import { linksIn, withLinks } from "./note-links.ts";

const targets = (text: string): string[] => linksIn(text).map(({ target }) => target);

describe("links in a note are found", () => {
  test.each<[string, string, string[]]>([
    ["a path", "See [roses](garden/roses.md).", ["garden/roses.md"]],
    ["several links in a line", "[a](a.md) and [b](../b.md#part) [c](c.md?x)", ["a.md", "../b.md", "c.md"]],
    ["a path with spaces, in angle brackets", "[a](<old roses.md>)", ["old roses.md"]],
    ["a title after the path", '[a](a.md "the first")', ["a.md"]],
    ["a path with brackets", "[a](roses_(old).md)", ["roses_(old).md"]],
    ["a name", "[[Троянди]] and [[ roses#pruning|how]]", ["Троянди", "roses"]],
    ["no links to the web", "[a](https://a.org) [b](mailto:x@y.z) [c](//host/x) [[https://a.org]]", []],
    ["parts of the same note", "[a](#here) [[#There]] [[#^id]]", ["", "", ""]],
    ["a path in double brackets", "[[garden/roses]] [[roses.md]]", ["garden/roses", "roses.md"]],
    ["a bar in a table", "| [[roses\\|Rose]] | ![[p.png\\|100]] |", ["roses", "p.png"]],
    [
      "properties: quoted values only",
      '---\nup: "[[roses]]"\nall:\n  - "[[b|B]]"\nno: [[c]]\n---\n[[d]]',
      ["roses", "b", "d"],
    ],
    ["no links in comments", "%%[[a]]%% [[b]]\n\n%%\n[[c]]\n\n[[d]]\n%%\n<!-- [[e]] -->", ["b"]],
    ["no links in math", "$[[a]]$ $$\n[[b]]\n$$ costs $5 [[c]] and $6", ["c"]],
    ["no links in HTML blocks", "<div>\n[[a]]\n</div>\n\n<b>[[b]]</b> text\n\ntext <b>[[c]]</b>", ["b", "c"]],
    ["no links in indented code", "a\n\n    [[a]]\n\n- item\n\n    [[b]]", ["b"]],
    ["no links in a fence in a list or quotation", "- a\n  ```\n  [[a]]\n  ```\n> ~~~\n> [[b]]\n> ~~~\n> [[c]]", ["c"]],
    ["no links in code over two lines", "`a\n[[b]]` [[c]]", ["c"]],
    ["no escaped links", "\\[[a]] \\[b](b.md) [[c]]", ["c"]],
    ["a name with a dollar sign", "[[a$b]] [[c$d]]", ["a$b", "c$d"]],
    ["no links in code", "`[a](a.md)`\n\n```\n[b](b.md)\n```\n", []],
    ["no link without an end", "[a](", []],
    ["a picture", "![a](a.png)", ["a.png"]],
    [
      "the address of a reference link",
      'See [a].\n\n[a]: a.md\n[b]: <old b.md> "B"\r\n# C\n[c]: c.md#part',
      ["a.md", "old b.md", "c.md"],
    ],
    ["the address of a reference link in a quotation", "> See [a].\n>\n> [a]: a.md", ["a.md"]],
    [
      "no address in a paragraph, footnote, sentence or code",
      "words\n[a]: a.md\n\n[^1]: b.md\n\n[c]: two words\n\n```\n[d]: d.md\n```",
      [],
    ],
    ["no address in the web", "[a]: https://a.org", []],
  ])("%s", (_, text, found) => {
    expect(targets(text)).toEqual(found);
  });

  test("a link has its line number", () => {
    expect(linksIn("# A\n\n[b](b.md)\n").map(({ line, text }) => ({ line, text }))).toEqual([{ line: 3, text: "b" }]);
  });
});

test("changing a target keeps every other byte", () => {
  const text = "# A\r\n\r\n[b](b.md#x) `[b](b.md)` [c](c.md) [[b|B]]\r\nend";
  expect(withLinks(text, ({ target }) => (target.startsWith("b") ? `new/${target}` : undefined))).toBe(
    "# A\r\n\r\n[b](new/b.md#x) `[b](b.md)` [c](c.md) [[new/b|B]]\r\nend",
  );
});

test("changing the target of a reference link changes its address only", () => {
  expect(withLinks("See [a].\r\n\r\n[a]: <a.md#x> 'A'\r\n[a.md]: a.md\r\n", () => "b.md")).toBe(
    "See [a].\r\n\r\n[a]: <b.md#x> 'A'\r\n[a.md]: b.md\r\n",
  );
});

test.each<[string, Partial<ReturnType<typeof linksIn>[0]>]>([
  ["[[a#B#C|words]]", { target: "a", part: "B#C", text: "words", kind: "name", isEmbed: false }],
  ["![[a.pdf#page=3]]", { target: "a.pdf", part: "page=3", isEmbed: true }],
  ["[[a#^id-1]]", { target: "a", part: "^id-1", text: "a#^id-1" }],
  ["[words](b%20c.md#Part%20two)", { target: "b%20c.md", part: "Part two", text: "words", kind: "path" }],
  ["![alt|250](p.png)", { target: "p.png", text: "alt|250", isEmbed: true }],
])("U-1c %s is read with its part", (text, link) => {
  expect(linksIn(text)[0]).toMatchObject(link);
});

test("U-1c many unpaired marks are read in linear time", () => {
  const text = `${"$a ` %% <!-- [[ ".repeat(20_000)}\n[[b]]`;
  const begin = performance.now();
  linksIn(text);
  expect(performance.now() - begin).toBeLessThan(patient(2000));
});
