import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { readDiagram } from "./diagram.ts";
import { type FieldChanges, withChanges, withSplices } from "./file-changes.ts";
import { invertSplices } from "./json-text.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const files = ["examples", "counterexamples"].flatMap((part) =>
  fs
    .readdirSync(new URL(part, folder))
    .map((name) => ({ name, text: fs.readFileSync(new URL(`${part}/${encodeURIComponent(name)}`, folder), "utf8") })),
);

const change = (text: string, icons: Readonly<Record<string, Record<string, string | number | undefined> | null>>) => {
  const changes = Object.entries(icons).map(
    ([id, fields]) => [id, fields && new Map(Object.entries(fields))] as [string, FieldChanges | null],
  );
  return withChanges(readDiagram(text).diagram, { icons: new Map(changes) });
};

describe("D-1 an unedited file is written back unchanged", () => {
  it.each([
    ["an empty file", ""],
    ["blank lines", " \n\n"],
    ["a byte order mark and CRLF", '\ufeff{\r\n\t"items": {}\r\n}\r\n'],
    [
      "numbers, escapes and keys of all kinds",
      '{"items":{"10":{"type":"end","w":1.0},"2":{}},"\\u0061":1e2, "__proto__": 1}',
    ],
    ["a file that is not JSON", "{oops"],
  ])("%s", (_, text) => {
    expect(readDiagram(text).diagram.source.text).toBe(text);
  });

  it("all example files", () => {
    expect(files.filter(({ text }) => readDiagram(text).diagram.source.text !== text)).toEqual([]);
  });
});

describe("D-1 an edit changes its own fields and icons, and no other byte", () => {
  it.each([
    ["a field", '{"items":{"1":{"type":"end"}}}', { 1: { type: "x" } }, '{"items":{"1":{"type":"x"}}}'],
    [
      "a new field beside large and decimal numbers",
      '{ "items": { "1": { "w": 12345678901234567890, "margin": 1.0 } } }',
      { 1: { one: "2" } },
      '{ "items": { "1": { "w": 12345678901234567890, "margin": 1.0, "one": "2" } } }',
    ],
    [
      "fields beside an empty exit and keys out of order",
      '{\n\t"items": {\n\t\t"9": {"type": "action", "two": ""},\n\t\t"1": {"type": "end"}\n\t}\n}\n',
      { 9: { content: "a" }, 10: { type: "end", one: "1" } },
      '{\n\t"items": {\n\t\t"9": {"type": "action", "two": "", "content": "a"},\n\t\t"1": {"type": "end"},\n\t\t"10": {"type": "end", "one": "1"}\n\t}\n}\n',
    ],
    ["the first of two icons", '{"items":{"1":{"a":1},"2":{"b":2}}}', { 1: null }, '{"items":{"2":{"b":2}}}'],
    ["the last of two icons", '{"items":{"1":{"a":1} , "2":{"b":2}}}', { 2: null }, '{"items":{"1":{"a":1}}}'],
    [
      "all icons, with a new one",
      '{"items": {"1": {"a": 1}, "2": {"b": 2}}}',
      { 1: null, 2: null, 3: { c: 3 } },
      '{"items": {"3": {"c": 3}}}',
    ],
    ["the last field of an icon", '{"items":{"1":{"a":1}}}', { 1: { a: undefined } }, '{"items":{"1":{}}}'],
    ["a duplicate field", '{"items":{"1":{"a":1,"a":2}}}', { 1: { a: 3 } }, '{"items":{"1":{"a":1,"a":3}}}'],
    ["a duplicate icon", '{"items":{"1":{"a":1},"1":{"a":2},"2":{}}}', { 1: null }, '{"items":{"2":{}}}'],
    [
      "an envelope",
      '{"version":1,"diagram":{"type":"drakon","items":{"1":{"type":"end"}}},"id":"x"}',
      { 1: { one: "2" } },
      '{"version":1,"diagram":{"type":"drakon","items":{"1":{"type":"end","one":"2"}}},"id":"x"}',
    ],
    [
      "a text in a file with escaped letters",
      '{"items":{"1":{"content":"\\u0439"}}}',
      { 1: { link: "й" } },
      '{"items":{"1":{"content":"\\u0439","link":"\\u0439"}}}',
    ],
    [
      "a file of 0 bytes",
      "",
      { 1: { type: "end" } },
      '{\n  "items": {\n    "1": {\n      "type": "end"\n    }\n  }\n}\n',
    ],
    [
      "a file without items",
      '{\n    "name": "x"\n}',
      { 1: { type: "end" } },
      '{\n    "name": "x",\n    "items": {\n        "1": {\n            "type": "end"\n        }\n    }\n}',
    ],
  ])("%s", (_, before, icons, after) => {
    const done = change(before, icons);
    expect(done.diagram.source.text).toBe(after);
    expect(withSplices(done.diagram, invertSplices(done.splices))!.diagram.source.text).toBe(before);
  });

  it("`__proto__` is an ordinary id and field name", () => {
    const before = '{"items":{"__proto__":{"type":"end","__proto__":"x"}}}';
    const fields: FieldChanges = new Map([["__proto__", "y"]]);
    const done = withChanges(readDiagram(before).diagram, { icons: new Map([["__proto__", fields]]) });
    expect(done.diagram.source.text).toBe('{"items":{"__proto__":{"type":"end","__proto__":"y"}}}');
    expect(done.diagram.icons.get("__proto__")?.type).toBe("end");
  });

  it("splices of another text are refused", () => {
    expect(withSplices(readDiagram("{}").diagram, [{ at: 1, remove: "x", insert: "" }])).toBeUndefined();
  });

  it("random edits of every example take effect, keep the file's formatting and can be undone", () => {
    let edits = 0;
    for (const { text } of files) {
      const chance = seeded(text.length);
      const { diagram } = readDiagram(text);
      for (let round = 0; round < 20; round++) {
        const expected = JSON.parse(text) as { items: Record<string, Record<string, unknown>> };
        const icons = new Map<string, FieldChanges | null>();
        for (const id of [...diagram.icons.keys(), "1001", "1002"]) {
          if (chance() < 0.7) continue;
          const item = expected.items[id];
          if (item && chance() < 0.3) {
            icons.set(id, null);
            delete expected.items[id];
          } else {
            icons.set(
              id,
              new Map<string, string | undefined>([
                ["content", `й"\n${edits}`],
                ["one", item ? undefined : "1"],
              ]),
            );
            const { one: _, ...rest } = item ?? {};
            expected.items[id] = { ...rest, content: `й"\n${edits}`, ...(item ? {} : { one: "1" }) };
          }
        }
        const done = withChanges(diagram, { icons });
        const written = done.diagram.source.text;
        expect(JSON.parse(written)).toEqual(expected);
        // Reformatting the whole file would change lines that no edit touches.
        const head = text.split("\n").slice(0, 2);
        if (!head.join("").includes('"items"')) expect(written.split("\n").slice(0, 2)).toEqual(head);
        expect(withSplices(done.diagram, invertSplices(done.splices))!.diagram.source.text).toBe(text);
        edits += icons.size;
      }
    }
    console.log(`${edits} random changes to ${files.length} files`);
    expect(edits).toBeGreaterThan(3000);
  });
});
