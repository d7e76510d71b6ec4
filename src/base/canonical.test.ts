import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalId, canonicalJson } from "./canonical.ts";

const deep = (levels: number): unknown => {
  let value: unknown = 1;
  for (let i = 0; i < levels; i++) value = [value];
  return value;
};
const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

describe("S-1 canonical JSON", () => {
  it.each([
    ["key order", { b: 1, a: 2 }, '{"a":2,"b":1}'],
    ["nested key order", { z: { y: 1, x: [{ d: 1, c: 2 }] } }, '{"z":{"x":[{"c":2,"d":1}],"y":1}}'],
    ["array order is kept", [2, 1], "[2,1]"],
    ["1.0 and 1 are one number", [1.0, 1], "[1,1]"],
    ["-0 is 0", -0, "0"],
    [
      "large and small numbers as RFC 8785 writes them",
      [1e21, 1e-7, 333333333.3333333, 4.5, 2e-3],
      "[1e+21,1e-7,333333333.3333333,4.5,0.002]",
    ],
    ["undefined members are dropped", { a: undefined, b: 1 }, '{"b":1}'],
    [
      "keys sort by UTF-16 units",
      { "\u20ac": 1, "\r": 2, "\uff01": 3, 1: 4, "\u{1f600}": 5, "\u0080": 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\uff01":3}',
    ],
    [
      "decomposed й and ї are composed, in values and keys",
      { ["ї".normalize("NFD")]: "й".normalize("NFD") },
      '{"ї":"й"}',
    ],
    ["controls and quotes are escaped", '\u0000\b\t\n"\\/', '"\\u0000\\b\\t\\n\\"\\\\/"'],
    ["__proto__ stays data", JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}'],
    ["objects without a prototype are plain", Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
  ] as [string, unknown, string][])("%s", (_, value, text) => expect(canonicalJson(value)).toBe(text));

  it.each([
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["undefined", undefined],
    ["undefined in an array", [undefined]],
    ["half a surrogate pair", "\ud800"],
    ["half a surrogate pair in a key", { "\udc00": 1 }],
    ["a Date", new Date(0)],
    ["a BigInt", 1n],
    ["a function", () => 1],
    ["a symbol", Symbol("x")],
    ["a Map", new Map()],
    ["two keys that are one", { й: 1, ["й".normalize("NFD")]: 2 }],
    ["more depth than a stack likes", deep(100_000)],
    ["a cycle", cyclic],
  ])("refuses %s", (_, value) =>
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" })),
  );

  it("the id is what git hash-object says of the canonical bytes", () => {
    const value = { type: "briefing", goal: "Прибрати сад", tags: ["їжак", "🌱"] };
    const git = execFileSync("git", ["hash-object", "--stdin"], { input: canonicalJson(value) })
      .toString()
      .trim();
    expect(canonicalId(value)).toBe(git);
  });

  it("any JSON survives, and canonical text is a fixed point", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });
});
