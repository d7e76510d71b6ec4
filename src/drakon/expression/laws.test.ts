import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tries } from "../../base/testing/tries.ts";
import { languages } from "../../base/text.ts";
import { evaluate } from "./evaluator.ts";
import type { Expression } from "./expression.ts";
import { parseExpression, parseStatements } from "./parser.ts";
import { printExpression } from "./printer.ts";
import type { Value } from "./value.ts";

/** The expression without positions and other parts that do not change its meaning. */
const meaning = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === "at" || key === "spoken" ? undefined : one)));

function parsed(text: string): Expression {
  const result = parseExpression(text);
  if (result.kind === "refused") throw new Error(`${text}: ${result.problem.message.en}`);
  return result.value;
}

const scope = {
  valueOf: (name: string): Value | undefined =>
    ({ x: "5", n: 5, нотатка: { tags: ["a"], has: [1] }, "пам'ять": [1, "два", null] })[name],
  isUnset: (name: string): boolean => name === "теги",
};

const word = fc.constantFrom("x", "нотатка", "пам'ять", "read-notes", "n", "зараз", "has", "теги", "слів");
const leaf: fc.Arbitrary<Expression> = fc.oneof(
  fc.double({ min: 0, max: 1e21, noNaN: true }).map((value) => ({ is: "number" as const, value: value + 0, at: 0 })),
  fc.nat(120).map((value) => ({ is: "measure" as const, value, unit: "words" as const, at: 0 })),
  fc.string({ unit: "binary" }).map((value) => ({ is: "text" as const, value, at: 0 })),
  fc.boolean().map((value) => ({ is: "truth" as const, value, at: 0 })),
  fc.constant({ is: "nothing" as const, at: 0 }),
  word.map((name) => ({ is: "name" as const, name, at: 0 })),
);
const { tree: anyExpression } = fc.letrec<{ tree: Expression }>((tie) => {
  const part = tie("tree");
  const node = fc.oneof(
    fc.array(part, { maxLength: 3 }).map((items) => ({ is: "list" as const, items, at: 0 })),
    fc.tuple(part, word).map(([of, name]) => ({ is: "member" as const, of, name, at: 0 })),
    fc.tuple(part, part).map(([of, index]) => ({ is: "item" as const, of, index, at: 0 })),
    part.map((one) => ({ is: "builtin" as const, name: "length" as const, args: [one], at: 0 })),
    fc.tuple(part, part).map((args) => ({ is: "builtin" as const, name: "contains" as const, args, at: 0 })),
    fc.tuple(part, part).map(([of, arg]) => ({ is: "method" as const, of, name: "has_tag", args: [arg], at: 0 })),
    fc.tuple(part, fc.option(word)).map(([value, name]) => ({
      is: "call" as const,
      name: "read-notes",
      args: [name === null ? { value } : { name, value }],
      at: 0,
    })),
    fc.tuple(fc.constantFrom("not", "negative", "empty"), part).map(([is, of]) => ({ is, of, at: 0 })),
    fc
      .tuple(fc.constantFrom("and", "or"), fc.array(part, { minLength: 2, maxLength: 4 }))
      .map(([is, of]) => ({ is, of, at: 0 })),
    fc
      .tuple(fc.constantFrom("=", "≠", "<", "≤", ">", "≥", "in", "contains"), part, part)
      .map(([op, left, right]) => ({ is: "compare" as const, op, left, right, at: 0 })),
    fc
      .tuple(fc.constantFrom("+", "-", "*", "/", "%"), part, part)
      .map(([op, left, right]) => ({ is: "arithmetic" as const, op, left, right, at: 0 })),
  ) as fc.Arbitrary<Expression>;
  return { tree: fc.oneof({ depthSize: "small", withCrossShrink: true }, leaf, node) };
});

describe("the laws of expressions", () => {
  test("a printed expression parses to the same expression and prints the same again, in either language", () => {
    fc.assert(
      fc.property(anyExpression, fc.constantFrom(...languages), (expression, language) => {
        const printed = printExpression(expression, language);
        const again = parsed(printed);
        expect(meaning(again)).toEqual(meaning(expression));
        expect(printExpression(again, language)).toBe(printed);
      }),
      { numRuns: tries(2000) },
    );
  });

  test("evaluation is total: a value or a problem, never a thrown error", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        expect(["value", "failed"]).toContain(evaluate(expression, scope).kind);
      }),
      { numRuns: tries(2000) },
    );
  });

  test("parsing is total on any text", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "(",
        ")",
        "[",
        "]",
        ",",
        ".",
        "не",
        "є",
        "порожнім",
        "n",
        " ",
        "\n",
        '"',
        "«",
        "5",
        "-",
        "<",
        "←",
      ),
      fc.string({ unit: "grapheme" }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
        const text = pieces.join("");
        for (const parse of [parseExpression, parseStatements]) {
          const result = parse(text);
          if (result.kind !== "refused") continue;
          expect(result.problem.at).toBeGreaterThanOrEqual(0);
          expect(result.problem.at).toBeLessThanOrEqual(text.length);
        }
      }),
      { numRuns: tries(3000) },
    );
  });

  test("a value cannot grow without bound", () => {
    let value: Value = "x".repeat(1000);
    const double = parsed("v + v");
    const grow = (): string => {
      for (let i = 0; i < 40; i++) {
        const held: Value = value;
        const next = evaluate(double, { valueOf: () => held, isUnset: () => false });
        if (next.kind === "failed") return next.problem.code;
        value = next.value;
      }
      return "grew";
    };
    expect(grow()).toBe("too-large");
    value = [1, 2];
    expect(grow()).toBe("too-large");
  });
});

describe("the page about expressions", () => {
  const page = readFileSync(new URL("../../../docs/expressions.md", import.meta.url), "utf8");
  const table = page.split("| Українською | In English |")[1]!.split("\n\n")[0]!;
  const rows = [...table.matchAll(/^\| `(.+)` \| `(.+)` \|$/gm)].map(([, uk, en]) => [uk!, en!] as const);
  /** Names and texts may differ between languages; everything else must be equal. */
  const shape = (text: string): unknown => {
    const result = parseStatements(text);
    if (result.kind === "refused") throw new Error(`${text}: ${result.problem.message.en}`);
    const named = ["name", "target", "at", "spoken"];
    return JSON.parse(
      JSON.stringify(result.value, function (key, one) {
        return named.includes(key) || (key === "value" && typeof one === "string") ? undefined : one;
      }),
    );
  };

  test("has examples", () => {
    expect(rows.length).toBeGreaterThan(15);
  });

  test.each(rows)("has equal examples %s and %s", (uk, en) => {
    expect(shape(uk)).toEqual(shape(en));
  });
});
