import { describe, expect, test } from "vitest";
import { type Language, languages } from "../../base/text.ts";
import { evaluate } from "./evaluator.ts";
import { MAX_EXPRESSION_CHARACTERS, type Statement } from "./expression.ts";
import { parseExpression, parseStatements } from "./parser.ts";
import { printExpression } from "./printer.ts";
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
    expect({ uk: valueOf(uk), en: valueOf(en) }).toEqual({ uk: values[0], en: values[1] });
  });
});

describe("an invalid expression, or one without a value, is reported with a code and a position", () => {
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
    ["n / 0", "division-by-zero"],
    ["n % 0", "division-by-zero"],
    [`${"9".repeat(308)} * 10`, "not-finite"],
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

  test("a sum of 900 terms has a value, and so has one in brackets inside another", () => {
    expect(valueOf(`0${" + 1".repeat(899)}`)).toBe(899);
    expect(valueOf(`(0${" + 1".repeat(400)})${" + 1".repeat(400)}`)).toBe(800);
  });

  test("a day that no calendar has is compared as a text, not as another day", () => {
    expect(valueOf('"2026-02-31" > "2026-03-02"')).toBe(false);
    expect(valueOf('"2026-02-28T10:00:00+02:00" < "2026-02-28T09:00:00Z"')).toBe(true);
  });

  test("a list that grows by appending reaches the limit of size with the same item as one made at once", () => {
    const grown = (first: number, added: number): unknown => {
      const items = (count: number): Value => Array.from({ length: count }, () => 1);
      const parsed = parseExpression("xs + ys + [1]");
      const expression = parsed.kind === "parsed" ? parsed.value : expect.unreachable();
      const valueIn = (name: string): Value => items(name === "xs" ? first : added);
      return evaluate(expression, { valueOf: valueIn, isUnset: () => false }).kind;
    };
    // The list itself counts as one.
    expect(grown(999_990, 8)).toBe("value");
    expect(grown(999_990, 9)).toBe("failed");
  });

  test("a chain of thousands of ands is one expression", () => {
    expect(valueOf(`так${" і так".repeat(3000)}`)).toBe(true);
  });
});

describe("statements of a step", () => {
  const printed = ({ target, value }: Statement, language: Language): string =>
    (target === undefined ? "" : `${target} ← `) + printExpression(value, language);

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
    expect(result.kind === "parsed" && result.value.map((one) => printed(one, "uk"))).toEqual([
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
  ])("%s is %s", (text, canonical) => {
    const result = parseStatements(text);
    expect(result.kind === "parsed" && result.value.map((one) => printed(one, "en")).join("|")).toBe(canonical);
  });
});
