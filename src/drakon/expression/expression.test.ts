import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { languages } from "../../base/text.ts";
import { evaluate } from "./evaluator.ts";
import type { Expression } from "./expression.ts";
import { MAX_EXPRESSION_CHARACTERS } from "./expression.ts";
import { parseExpression, parseStatements } from "./parser.ts";
import { printExpression, printStatement } from "./printer.ts";
import type { Value } from "./value.ts";

const note = { slug: "bach", tags: ["summarized", "music"], updated_at: "2026-02-14T08:00:00Z", title: "Бах" };
const names: Record<string, Value> = {
  нотатки: [],
  нотатка: note,
  note,
  notes: [note],
  "пам'ять": { оброблені_slugs: ["bach"], останній_run: "2026-02-15T00:00:00Z" },
  оброблені: ["bach"],
  зміст: "Одне два — три.",
  text: "one two three",
  n: 5,
  m: 2,
  "read-me": 7,
  yes_please: true,
  empty_text: "  ",
};
const scope = {
  valueOf: (name: string): Value | undefined => (Object.hasOwn(names, name) ? names[name] : undefined),
  isUnset: () => false,
};

function valueOf(text: string): unknown {
  const read = parseExpression(text);
  if (read.kind === "refused") return read.problem.code;
  const result = evaluate(read.value, scope);
  return result.kind === "value" ? result.value : result.problem.code;
}

/** Without positions, and without what does not change the meaning. */
const meaning = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (key, one) => (key === "at" || key === "spoken" ? undefined : one)));

function parsed(text: string): Expression {
  const result = parseExpression(text);
  if (result.kind === "refused") throw new Error(`${text}: ${result.problem.message.en}`);
  return result.value;
}

describe("an expression has one value, in Ukrainian and in English", () => {
  test.each([
    ["нотатки порожні", "notes is empty", [true, false]],
    ["нотатки ПОРОЖНІ", "notes are empty", [true, false]],
    ["нотатки є порожніми", "notes Is Empty", [true, false]],
    ["нотатки не порожні", "notes is not empty", [false, true]],
    ["нотатки не є порожніми", "not notes are empty", [false, true]],
    ["порожньо(нотатки)", "empty(notes)", [true, false]],
    ['нотатка.має_тег("summarized")', 'note.has_tag("#summarized")', [true, true]],
    ['нотатка.має_тег("нове") або ні', 'note.has_tag("new") or no', [false, false]],
    ["нотатка.slug Є В оброблені", 'note.slug is in ["x", "bach"]', [true, true]],
    ["нотатка.slug не в оброблені", 'note.slug not in ["x", "bach"]', [false, false]],
    ["нотатка.updated_at <= пам'ять.останній_run", 'note.updated_at >= "2026-02-14"', [true, true]],
    ["нотатка.updated_at <= пам’ять.останній_run", "note.updated_at > 0", [true, true]],
    ["довжина(зміст) < 200 слів", "length(text) < 200 words", [true, true]],
    ["довжина(зміст) = 3 слова", "length(text) == 3 words", [true, true]],
    ["зміст > 14 знаків", "text > 14 characters", [true, false]],
    ["довжина(зміст) = 1 рядок", "lines(text) = 1", [true, true]],
    ["слів(зміст)", "words(text)", [3, 3]],
    ["слова(зміст) ≠ 3", "words(text) != 3", [false, false]],
    ["зміст містить «два»", 'text contains "two"', [true, true]],
    ["зміст не містить «чотири»", 'text does not contain "four"', [true, true]],
    ['містить(оброблені, "bach")', 'contains("abc", "b")', [true, true]],
    ["теги(нотатка)", "note.tags", [note.tags, note.tags]],
    ["нотатка.теги", "tags(note)", [note.tags, note.tags]],
    ["нотатка.назва", "note.title", ["Бах", "Бах"]],
    ["не так", "not true", [false, false]],
    ["так і ні або так", "yes and no or yes", [true, true]],
    ["так та (ні або так)", "true AND (false OR true)", [true, true]],
    ["нічого", "null", [null, null]],
    ["нотатка.немає.цього", "note.missing.too", [null, null]],
    ["нотатка.немає < 5", "note.missing > 5", [false, false]],
    ["n - 1 = 4 і n-1 = 4", "n -1 = 4 and -n + 5 = 0", [true, true]],
    ["read-me", "read-me - 2 * m", [7, 3]],
    ["[1, 2.5, «три»][1]", '[1, 2.5, "three",][-1]', [2.5, "three"]],
    ['"склеєні " "тексти"', '"joined " «texts»', ["склеєні тексти", "joined texts"]],
    ["n дорівнює 5", "n equals 5", [true, true]],
    ["n є 5", "n is 5", [true, true]],
    ["n > 4?", "n ≥ 6 ?", [true, false]],
    ["«а «б» в»", '"a \\"b\\" \\\\ c\\n"', ["а «б» в", 'a "b" \\ c\n']],
  ])("%s | %s", (uk, en, values) => {
    expect([valueOf(uk), valueOf(en)]).toEqual(values);
  });
});

describe("what is not an expression, or has no value, is told with a code and a place", () => {
  test.each([
    ["Прочитай нотатки", "unexpected", 9],
    ["f (x)", "unexpected", 2],
    ["5 000", "unexpected", 2],
    ["0,9", "unexpected", 1],
    ["a < b < c", "unexpected", 6],
    ["(n", "expected", 2],
    ['"open', "open-text", 0],
    ["n + #", "character", 4],
    ["довжина(n, n)", "arguments", 0],
    ["9".repeat(400), "number", 0],
    ["x".repeat(MAX_EXPRESSION_CHARACTERS + 1), "too-long", 0],
  ])("%.40s is refused: %s", (text, code, at) => {
    const result = parseExpression(text);
    expect(result).toMatchObject({ kind: "refused", problem: { code, at } });
    if (result.kind === "refused")
      for (const language of languages) expect(result.problem.message[language]).not.toBe("");
  });

  test.each([
    ["n / 0", "not-finite"],
    ["n і так", "not-truth"],
    ["n < зміст", "wrong-kind"],
    ["нотатка + 1", "wrong-kind"],
    ["n.довжина()", "wrong-kind"],
    ["note.fly()", "unknown-method"],
    ["unknown", "effect"],
    ["read-notes(n)", "effect"],
    ["зараз()", "effect"],
    ["поточний_час", "effect"],
    ["notes.__proto__", "wrong-kind"],
    ["note.__proto__", null],
    ["note.constructor", null],
  ])("%s gives %s", (text, code) => {
    expect(valueOf(text)).toBe(code);
  });

  test.each([
    ["brackets", (n: number) => `${"(".repeat(n)}1${")".repeat(n)}`],
    ["lists", (n: number) => `${"[".repeat(n)}${"]".repeat(n)}`],
    ["sums", (n: number) => `1${"+1".repeat(n)}`],
    ["members", (n: number) => `n${".a".repeat(n)}`],
    ["minuses", (n: number) => `${"- ".repeat(n)}1`],
    ["denials", (n: number) => `${"не ".repeat(n)}так`],
    ["calls", (n: number) => `${"f(".repeat(n)}${")".repeat(n)}`],
  ])("%s nested by thousands are refused, not overflowed", (_, make) => {
    expect(parseExpression(make(4000))).toMatchObject({ kind: "refused", problem: { code: "too-deep" } });
    expect(parseExpression(make(50)).kind).toBe("parsed");
  });

  test("a chain of thousands of ands is one expression", () => {
    expect(valueOf(`так${" і так".repeat(3000)}`)).toBe(true);
  });
});

describe("statements of an icon that acts", () => {
  test("the calls of the sources parse, over several lines, with joined texts and names of arguments", () => {
    const text = `резюме ← notebooklm-query(
      "Створи структуроване резюме цієї нотатки. "
      "Включи: основну тезу, ключові поняття, зв'язки з іншими темами.",
      джерело: зміст
    )
    create-proposal(
      тип: "propose-summary",
      нотатка: нотатка.slug,
      зміст: резюме
    )`;
    const result = parseStatements(text);
    expect(result.kind === "parsed" && result.value.map((one) => printStatement(one, "uk"))).toEqual([
      'резюме ← notebooklm-query("Створи структуроване резюме цієї нотатки. Включи: основну тезу, ключові поняття, зв\'язки з іншими темами.", джерело: зміст)',
      'create-proposal(тип: "propose-summary", нотатка: нотатка.slug, зміст: резюме)',
    ]);
  });

  test.each([
    ["x <- 1", "x ← 1"],
    ["x := f(a)", "x ← f(a)"],
    ["x = n + 1", "x ← n + 1"],
    ["x++", "x ← x + 1"],
    ["x -= 2", "x ← x - 2"],
    ["x ← a +\n  b\n  - c", "x ← a + b - c"],
    ["a ← 1; b ← 2\n\nc ← 3", "a ← 1|b ← 2|c ← 3"],
    ["пам'ять ← read-memory()", "пам'ять ← read-memory()"],
  ])("%s is %s", (text, printed) => {
    const result = parseStatements(text);
    expect(result.kind === "parsed" && result.value.map((one) => printStatement(one, "en")).join("|")).toBe(printed);
  });
});

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

describe("laws", () => {
  test("what is printed, in either language, parses to the same expression, and prints the same again", () => {
    fc.assert(
      fc.property(anyExpression, fc.constantFrom(...languages), (expression, language) => {
        const printed = printExpression(expression, language);
        const again = parsed(printed);
        expect(meaning(again)).toEqual(meaning(expression));
        expect(printExpression(again, language)).toBe(printed);
      }),
      { numRuns: 2000 },
    );
  });

  test("evaluation is total: a value or a problem, never a thrown error", () => {
    fc.assert(
      fc.property(anyExpression, (expression) => {
        expect(["value", "failed"]).toContain(evaluate(expression, scope).kind);
      }),
      { numRuns: 2000 },
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
      { numRuns: 3000 },
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
