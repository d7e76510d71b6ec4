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
    ["sorts keys", { b: 1, a: 2 }, '{"a":2,"b":1}'],
    ["sorts nested keys", { z: { y: 1, x: [{ d: 1, c: 2 }] } }, '{"z":{"x":[{"c":2,"d":1}],"y":1}}'],
    ["keeps the order of arrays", [2, 1], "[2,1]"],
    ["writes 1.0 like 1", [1.0, 1], "[1,1]"],
    ["writes -0 as 0", -0, "0"],
    [
      "writes large and small numbers as in RFC 8785",
      [1e21, 1e-7, 333333333.3333333, 4.5, 2e-3],
      "[1e+21,1e-7,333333333.3333333,4.5,0.002]",
    ],
    ["drops undefined members", { a: undefined, b: 1 }, '{"b":1}'],
    [
      "sorts keys by UTF-16 units",
      { "\u20ac": 1, "\r": 2, "\uff01": 3, 1: 4, "\u{1f600}": 5, "\u0080": 6, ö: 7 },
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\uff01":3}',
    ],
    ["composes decomposed й and ї, in values and keys", { ["ї".normalize("NFD")]: "й".normalize("NFD") }, '{"ї":"й"}'],
    ["escapes controls and quotes", '\u0000\b\t\n"\\/', '"\\u0000\\b\\t\\n\\"\\\\/"'],
    ["keeps __proto__ as data", JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}'],
    ["accepts objects without a prototype", Object.assign(Object.create(null) as object, { a: 1 }), '{"a":1}'],
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
    ["two keys with one composed form", { й: 1, ["й".normalize("NFD")]: 2 }],
    ["values nested too deeply", deep(100_000)],
    ["a cycle", cyclic],
  ])("refuses %s", (_, value) =>
    expect(() => canonicalJson(value)).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" })),
  );

  it("has the id that git hash-object gives its bytes", () => {
    const value = { type: "briefing", goal: "Прибрати сад", tags: ["їжак", "🌱"] };
    const git = execFileSync("git", ["hash-object", "--stdin"], { input: canonicalJson(value) })
      .toString()
      .trim();
    expect(canonicalId(value)).toBe(git);
  });

  it("keeps any JSON value, and is a fixed point", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  it("writes a value the same beside a name that is not plain, which takes another way through the code", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
        expect(canonicalJson({ a: value, ї: 1 })).toBe(`{"a":${canonicalJson(value)},"ї":1}`);
      }),
    );
  });

  it.each([
    ["a list", (inner: unknown): unknown => [inner]],
    ["an object", (inner: unknown): unknown => ({ a: inner })],
    ["an object with another name", (inner: unknown): unknown => ({ ї: inner })],
  ])("writes 500 levels of %s, and refuses one more", (_, around) => {
    let value: unknown = 1;
    for (let i = 0; i < 500; i++) value = around(value);
    expect(JSON.parse(canonicalJson(value))).toEqual(value);
    expect(() => canonicalJson(around(value))).toThrow(expect.objectContaining({ code: "VALIDATION_FAILED" }));
  });
});
