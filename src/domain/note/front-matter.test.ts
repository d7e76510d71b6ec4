import fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { tries } from "../../base/testing/tries.ts";
import { splitFrontMatter, withTags } from "./front-matter.ts";

const edit = (text: string, add: string[], remove: string[] = []): string => {
  const tagged = withTags(text, { add, remove });
  return tagged.kind === "changed" ? tagged.text : tagged.kind === "same" ? "same" : `refused: ${tagged.why.en}`;
};

test.each<[string, string, string[], string[], string]>([
  ["no front matter", "# A\n", ["x"], [], "---\ntags: [x]\n---\n# A\n"],
  [
    "no front matter, CRLF and a byte order mark",
    "\ufeff# A\r\n",
    ["x", "y"],
    [],
    "\ufeff---\r\ntags: [x, y]\r\n---\r\n# A\r\n",
  ],
  ["an empty file", "", ["x"], [], "---\ntags: [x]\n---\n"],
  ["front matter without an end", "---\n# A\n", ["x"], [], "---\ntags: [x]\n---\n---\n# A\n"],
  ["empty front matter", "---\n---\nA\n", ["x"], [], "---\ntags: [x]\n---\nA\n"],
  ["other keys only", "---\ntitle: T # t\n---\nA\n", ["x"], [], "---\ntitle: T # t\ntags: [x]\n---\nA\n"],
  ["a list in brackets", "---\ntags: [a, b] # why\n---\n", ["x"], [], "---\ntags: [a, b, x] # why\n---\n"],
  ["tight brackets", "---\ntags: [a,b]\n---\n", ["x"], [], "---\ntags: [a,b,x]\n---\n"],
  ["empty brackets", "---\ntags: []\n---\n", ["x"], [], "---\ntags: [x]\n---\n"],
  ["quoted neighbours", "---\ntags: ['a', 'b']\n---\n", ["it's"], [], "---\ntags: ['a', 'b', 'it''s']\n---\n"],
  [
    "a block list",
    "---\ntags:\n  - a # one\n  - b\ntitle: T\n---\n",
    ["x"],
    [],
    "---\ntags:\n  - a # one\n  - b\n  - x\ntitle: T\n---\n",
  ],
  [
    "a block list without indent, CRLF",
    "---\r\ntags:\r\n- a\r\n---\r\n",
    ["x"],
    [],
    "---\r\ntags:\r\n- a\r\n- x\r\n---\r\n",
  ],
  ["a line of words", "---\ntags: a, b\n---\n", ["x"], [], "---\ntags: a, b, x\n---\n"],
  ["a quoted line of words", '---\ntags: "a, b"\n---\n', ["x"], ["a"], '---\ntags: "b, x"\n---\n'],
  ["nothing after the key", "---\ntags:\ntitle: T\n---\n", ["x"], [], "---\ntags: [x]\ntitle: T\n---\n"],
  ["null", "---\ntags: null\n---\n", ["x"], [], "---\ntags: [x]\n---\n"],
  [
    "JSON",
    '---\n{"tags":["domain:agent","b"],"tier":1}\n---\n',
    ["x y"],
    [],
    '---\n{"tags":["domain:agent","b","x y"],"tier":1}\n---\n',
  ],
  ["JSON without tags", '---\n{"tier":1}\n---\n', ["x"], [], '---\n{"tier":1,"tags":["x"]}\n---\n'],
  ["JSON with null", '---\n{"tags":null,"tier":1}\n---\n', ["x"], [], '---\n{"tags":["x"],"tier":1}\n---\n'],
  [
    "tags that YAML would read as other types",
    "---\ntags: [a]\n---\n",
    ["true", "2024", "a: b"],
    [],
    '---\ntags: [a, "true", "2024", "a: b"]\n---\n',
  ],
  ["Ukrainian", "---\ntags: [сад]\n---\n", ["їжак"], [], "---\ntags: [сад, їжак]\n---\n"],
  ["the first tag of a list, removed", "---\ntags: [a, b]\n---\n", [], ["a"], "---\ntags: [b]\n---\n"],
  ["the last tag of a list, removed", "---\ntags: [a, b]\n---\n", [], ["b"], "---\ntags: [a]\n---\n"],
  ["the only tag, removed", "---\ntags: [a]\n---\n", [], ["a"], "---\ntags: []\n---\n"],
  [
    "one tag of a block list, removed",
    "---\ntags:\n  - a # one\n  # about b\n  - b\n---\n",
    [],
    ["a"],
    "---\ntags:\n  # about b\n  - b\n---\n",
  ],
  [
    "all tags of a block list, replaced",
    "---\ntags:\n  - a\n  - b\nt: 1\n---\n",
    ["x"],
    ["a", "b"],
    "---\ntags: [x]\nt: 1\n---\n",
  ],
  ["a duplicate tag, removed", "---\ntags: [a, b, a]\n---\n", [], ["a"], "---\ntags: [b]\n---\n"],
  [
    "a tag that looks like a number, removed",
    "---\ntags: [2024, b]\n---\n",
    ["2024"],
    ["2024"],
    "---\ntags: [b]\n---\n",
  ],
  [
    "a comment inside brackets",
    "---\ntags: [\n  a, # one\n  b\n]\n---\n",
    [],
    ["b"],
    "---\ntags: [\n  a, # one\n  \n]\n---\n",
  ],
  ["an existing tag added, and a missing one removed", "---\ntags: [a]\n---\n", ["a"], ["z"], "same"],
])("P-4a tags are edited in place: %s", (_, before, add, remove, after) => {
  expect(edit(before, add, remove)).toBe(after);
});

const bomb = `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n`;
test.each<[string, string, string]>([
  ["aliases that multiply", bomb, "refused: line 2: too many aliases"],
  ["an alias for the tags", "x: &x [a]\ntags: *x\n", "refused: `tags` is neither a list of words nor a line of words"],
  ["an anchor on the tags", "tags: &x [a]\ny: *x\n", "refused: `tags` is neither a list of words nor a line of words"],
  ["a group in the list", "tags: [{a: 1}]\n", "refused: `tags` is neither a list of words nor a line of words"],
  ["a list in the list", "tags: [[a]]\n", "refused: `tags` is neither a list of words nor a line of words"],
  ["a number", "tags: 5\n", "refused: `tags` is neither a list of words nor a line of words"],
  ["a block of text", "tags: |\n  a\n", "refused: `tags` is neither a list of words nor a line of words"],
  ["a list instead of keys", "- a\n", "refused: it is no group of keys"],
  ["a key twice", "tags: [a]\ntags: [b]\n", "refused: line 3: a duplicate key"],
  ["invalid YAML", "tags: [a\n", "refused: line 3: a line that is indented differently from its neighbours"],
  ["too many bytes", `x: ${"y".repeat(70_000)}\n`, "refused: it has 70004 bytes, and at most 65536 are read"],
  ["lists nested too deeply", `x: ${"[".repeat(20_000)}\n`, "refused: line 2: invalid YAML"],
])("P-4a tags in front matter with %s are refused with a reason", (_, yaml, why) => {
  expect(edit(`---\n${yaml}---\nA\n`, ["new"])).toContain(why);
});

const word = fc.stringMatching(/^[a-zа-яїє](?:[a-zа-яїє0-9:/_-]{0,7}[a-zа-яїє0-9])?$/u);
const spelt = fc
  .tuple(word, fc.constantFrom("", "'", '"'))
  .map(([tag, quote]) => ({ tag, text: `${quote}${tag}${quote}` }));
const other = fc.constantFrom(
  "title: T",
  "# a comment",
  'quoted: "x: y" # why',
  "list: [1, 2]",
  "deep:\n  er: 1",
  "'odd key': ok",
);
const layouts = [
  (tags: string[]): string => `tags: [${tags.join(", ")}]`,
  (tags: string[]): string => `tags: [${tags.join(",")}] # beside`,
  (tags: string[]): string => (tags.length === 0 ? "tags:" : `tags:\n${tags.map((tag) => `  - ${tag}`).join("\n")}`),
  (tags: string[]): string =>
    tags.length === 0 ? "tags:" : `tags: # these\n${tags.map((tag) => `- ${tag} # ${tag.length}`).join("\n")}`,
];
const noteText = fc
  .record({
    before: fc.uniqueArray(other, { maxLength: 3 }),
    tags: fc.uniqueArray(spelt, { maxLength: 4, selector: ({ tag }) => tag }),
    after: fc.uniqueArray(other, { maxLength: 2 }),
    layout: fc.constantFrom(...layouts),
    end: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("", "\ufeff"),
    body: fc.constantFrom("", "# Body\n", "---\nnot: front\n---\n"),
  })
  .filter(({ before, after }) => !before.some((line) => after.includes(line)))
  .map(({ before, tags, after, layout, end, mark, body }) => {
    const lines = ["---", ...before, layout(tags.map(({ text }) => text)), ...after, "---", ""].join("\n");
    return { text: (mark + lines + body).replaceAll("\n", end), tags: tags.map(({ tag }) => tag) };
  });
const valueOf = (text: string): Record<string, unknown> =>
  parse(splitFrontMatter(text)!.yaml) as Record<string, unknown>;

test("P-4a any tags edited in any layout: the set is as requested, every other byte stays", () => {
  fc.assert(
    fc.property(noteText, fc.uniqueArray(word, { maxLength: 3 }), fc.nat(), ({ text, tags }, add, pick) => {
      const remove = tags.filter((_, index) => (pick >> index) & 1);
      const wanted = [...tags.filter((tag) => !remove.includes(tag)), ...add.filter((tag) => !tags.includes(tag))];
      const tagged = withTags(text, { add, remove });
      const after = tagged.kind === "changed" ? tagged.text : text;
      const [{ tags: _, ...kept }, { tags: found, ...rest }] = [valueOf(text), valueOf(after)];
      const [old, now] = [splitFrontMatter(text)!, splitFrontMatter(after)!];
      expect({ kind: tagged.kind === "refused", found: found ?? [], rest, body: now.body, open: now.open }).toEqual({
        kind: false,
        found: wanted,
        rest: kept,
        body: old.body,
        open: old.open,
      });
      const others = (each: string): string[] => each.split("\n").filter((line) => !/^tags:|^\s*- /.test(line));
      expect(others(after)).toEqual(others(text));
    }),
    { numRuns: 300 },
  );
});

test("P-4a adding and removing tags leaves the text as it was", () => {
  fc.assert(
    fc.property(noteText, word, ({ text, tags }, tag) => {
      fc.pre(!tags.includes(tag) && tags.length > 0);
      const there = edit(text, [tag]);
      expect(edit(there, [], [tag])).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test("P-4a tagging any text returns a text, nothing or a reason, and never throws", () => {
  const soup = fc.array(
    fc.constantFrom(
      "---\n",
      "tags:",
      " ",
      "[",
      "]",
      "- ",
      "a",
      ",",
      "\n",
      "{",
      "}",
      "&a ",
      "*a",
      "'",
      '"',
      "|",
      "#",
      "\r\n",
      ": ",
    ),
    { maxLength: 25 },
  );
  fc.assert(
    fc.property(soup, word, (pieces, tag) => {
      const text = `---\n${pieces.join("")}\n---\nbody\n`;
      const tagged = withTags(text, { add: [tag], remove: ["a"] });
      if (tagged.kind === "changed") expect(withTags(tagged.text, { add: [tag], remove: ["a"] }).kind).toBe("same");
    }),
    { numRuns: tries(1500) },
  );
});
