import { expect, test } from "vitest";
import { checkJson } from "../testing/json-diagram.ts";
import { shapes } from "../testing/shapes.ts";
import { parsePseudocode } from "../text/parse.ts";
import { unsetNames } from "./unset-names.ts";

const messages = (body: string, params = ""): string[] => {
  const { tree, findings } = parsePseudocode(`BEGIN "Work"\n${body}\nEND\n`);
  expect(findings).toEqual([]);
  return unsetNames({ ...tree!, params }).map(({ message }) => message.en);
};

const lines = (...all: string[]): string => all.map((line) => `  ${line}`).join("\n");

test.each<[string, string, string[]]>([
  ["a name set before it is used", lines("x ← read-notes()", "show(x)"), []],
  [
    "a name set on one arm only",
    lines("n ← read-notes()", "IF n is empty:", "  x ← 1", "show(x)"),
    ["x is used here, but not set on every path: not when “n is empty” is answered no"],
  ],
  [
    "a name set on both arms",
    lines("n ← read-notes()", "IF n is empty:", "  x ← 1", "ELSE:", "  x ← 2", "show(x)"),
    [],
  ],
  [
    "a name set inside a loop that may have no round",
    lines("ns ← read-notes()", "FOR EACH n IN ns:", "  last ← n", "show(last)"),
    ["last is used here, but not set on every path: not when the loop “n; ns” has no round"],
  ],
  ["the name of a loop inside it", lines("ns ← read-notes()", "FOR EACH n IN ns:", "  show(n)"), []],
  [
    "a name that a later round sets",
    lines("ns ← read-notes()", "FOR EACH n IN ns:", "  show(before)", "  before ← n"),
    [expect.stringContaining("before is used here")],
  ],
  ["a name that counts itself up unset", lines("count ← count + 1"), ["count is used here, but not set on every path"]],
  ["a guard that leaves before the use", lines("n ← read-notes()", "IF n is empty → END", "x ← 1", "show(x)"), []],
  [
    "the second part of an and, which may not be reached",
    lines("f ← read-notes()", "IF f is empty and x = 1:", "  x ← 1"),
    [],
  ],
  ["a name in words", lines("show what x says", "x ← 1"), []],
])("J1 %s", (_, body, expected) => {
  expect(messages(body)).toEqual(expected);
});

test("J1 a parameter is set", () => {
  expect(messages(lines("IF note is empty:", "  note ← 1", "show(note)"), "note")).toEqual([]);
});

test("J1 after a parallel block, a name that one of its processes always sets is set", () => {
  const block = (second: object) => ({
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "parbegin", one: "4", two: "3" },
    3: { type: "parbegin", one: "5" },
    4: { type: "action", content: "a ← read-notes()", one: "6" },
    5: { ...second, one: "6" },
    6: { type: "parend", one: "7" },
    7: { type: "action", content: "show(b)", one: "8" },
    8: { type: "action", content: "b ← 1", one: "9" },
    9: { type: "end" },
  });
  const errorsOf = (second: object): number => unsetNames(checkJson({ items: block(second) }).tree!).length;
  expect(errorsOf({ type: "action", content: "b ← read-notes()" })).toBe(0);
  expect(errorsOf({ type: "action", content: "c ← read-notes()" })).toBe(1);
});

test.each(Object.entries(shapes))("J1 %s: 10,000 icons are checked within seconds", (_, make) => {
  const { tree } = checkJson({ items: make(10_000) });
  const started = process.cpuUsage();
  unsetNames(tree!);
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(5000);
});
