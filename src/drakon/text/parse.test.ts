import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tries } from "../../base/testing/tries.ts";
import { canonicalForm } from "../canonical.ts";
import { arbitraryText } from "../testing/arbitrary-text.ts";
import { arbitraryTree } from "../testing/arbitrary-tree.ts";
import { parsePseudocode } from "./parse.ts";
import { renderPseudocode } from "./render.ts";

const sources = join(import.meta.dirname, "../../../test/golden/pseudocode/sources");

/** The lines between the first and the last, parsed and printed again in English. */
const body = (lines: string, name = "x"): string => {
  const { tree, findings } = parsePseudocode(`ПОЧАТОК "${name}"\n${lines}\nКІНЕЦЬ\n`);
  expect(findings).toEqual([]);
  return renderPseudocode(tree!, { language: "en" }).text.split("\n").slice(2, -3).join("\n");
};

describe("D-4 the procedures of the source documents", () => {
  test.each([
    { file: "001-3.3", name: "Аналіз нових нотаток", first: 3, last: 28 },
    { file: "001-6.2", name: "Щоденний аналіз", first: 23, last: 67 },
    { file: "002-2.2", name: "Аналіз нотаток", first: 1, last: 23 },
  ])("$file parses from its Markdown and is printed unchanged", async ({ file, name, first, last }) => {
    const text = readFileSync(join(sources, `${file}.md`), "utf8");
    const parsed = parsePseudocode(text);
    expect(parsed).toMatchObject({ findings: [], language: "uk", lines: { first, last }, tree: { name } });
    await expect(`${JSON.stringify(parsed.tree, undefined, 2)}\n`).toMatchFileSnapshot(
      join(sources, `${file}.tree.json`),
    );
    const rendered = renderPseudocode(parsed.tree!, { language: "uk" }).text;
    const block = text
      .split("\n")
      .slice(first - 1, last)
      .join("\n");
    const lines = (whole: string): string[] => whole.split("\n").filter((line) => line !== "");
    expect(lines(rendered)).toEqual(lines(block.replace("ДЛЯ КОЖНОЇ", "ДЛЯ КОЖНОГО")));
    expect(canonicalForm(parsePseudocode(rendered).tree!)).toEqual(canonicalForm(parsed.tree!));
  });

  test("a call over several lines is one action", () => {
    const { tree } = parsePseudocode(readFileSync(join(sources, "002-2.2.md"), "utf8"));
    expect(canonicalForm(tree!)).toEqual(expect.arrayContaining(["for-each", "нотатка; нотатки"]));
    expect(canonicalForm(tree!)).toContain(
      'create-proposal(\n  тип: "propose-summary",\n  нотатка: нотатка.slug,\n  зміст: відповідь\n)',
    );
  });
});

describe("D-4 other spellings are parsed", () => {
  test.each([
    ["  ДЛЯ КОЖНОЇ x З xs\n    a", "  FOR EACH x IN xs\n    a"],
    ["  ДЛЯ КОЖНЕ x СЕРЕД xs\n    a", "  FOR EACH x IN xs\n    a"],
    ["  for each x in xs:\n    a", "  for each x in xs\n    a"],
    ["  Якщо вода кипить\n    a\n  інакше\n    b", "  IF вода кипить\n    a\n  ELSE\n    b"],
    ["  IF a THEN\n    b\n  END IF\n  c", "  IF a\n    b\n\n  c"],
    ["  IF a:\n    b\n  ELSE:\n    c", "  IF a\n    b\n  ELSE\n    c"],
    ["  if (a + b) > 5\n    c", "  IF (a + b) > 5\n    c"],
    ["  ЯКЩО a ТА b АБО НЕ c\n    d", "  IF (a AND b) OR NOT c\n    d"],
    ["  ЯКЩО a І (b І НЕ НЕ c)\n    d", "  IF a AND b AND c\n    d"],
    ["  ЯКЩО a\n    НІЧОГО\n  ІНАКШЕ\n    b", "  IF a\n    → END\n\n  b"],
    ["  ЯКЩО НЕ a\n    b", "  IF a\n    → END\n\n  b"],
    ["  ЯКЩО НЕ a\n    → КІНЕЦЬ\n  b", "  IF a\n    b"],
    ["  ELSEIFS\n  a", "  ELSEIFS\n  a"],
    ["  IF a\n    b\n  ELIF c\n    d\n  ELSE\n    e", "  IF a\n    b\n  ELSE IF c\n    d\n  ELSE\n    e"],
    ["  ПОВТОРЮЙ\n    -> перервати", "  REPEAT\n    → BREAK"],
    ["  ПОВТОРЮВАТИ\n    → Continue", "  REPEAT\n    → NEXT"],
    ["  SELECT x\n  case 1\n    a\n  otherwise\n    b", "  SELECT x\n    CASE 1\n      a\n    OTHERWISE\n      b"],
    [
      "  ПАРАЛЕЛЬНО\n    ПРОЦЕС\n      a\n    ПРОЦЕС b\n      c",
      "  PARALLEL\n    PROCESS 1\n      a\n    PROCESS 2: b\n      c",
    ],
    ["\tЯКЩО a\n\t\tb\n\tc", "  IF a\n    b\n\n  c"],
    ["    ЯКЩО a\n        b\n    c", "  IF a\n    b\n\n  c"],
    ["  foo(a,\n    b)\n  c", "  foo(a,\n    b)\n\n  c"],
    ["  ЯКЩО a\n    КІНЕЦЬ\n  b", "  IF a\n    → END\n\n  b"],
    ["  ГІЛКА A\n    -> гілка B\n  ГІЛКА B\n    → кінець", '  BRANCH "A"\n    → BRANCH "B"\n\n  BRANCH "B"\n    → END'],
  ])("%j", (lines, expected) => {
    expect(body(lines)).toBe(expected);
  });
});

describe("D-4 the procedure is found in a text", () => {
  const block = 'ПОЧАТОК "x"\n  a\nКІНЕЦЬ';
  test.each([
    ["alone", block],
    ["with Windows line ends", block.replaceAll("\n", "\r\n")],
    ["after prose that begins with the keyword", `Початок роботи\n\nПОЧАТОК дня\n\n${block}\n`],
    ["before prose", `${block}\n\n## Обмеження\n- КІНЕЦЬ\nІНАКШЕ\n`],
    ["in a fence", `# Title\n\n\`\`\`markdown\n${block}\n\`\`\`\n\nmore\n`],
    ["indented", block.replaceAll(/^/gm, "      ")],
    ["numbered by hand", "1. ПОЧАТОК\n2. a\n3. КІНЕЦЬ"],
    ["with a name in angle quotes", block.replace('"x"', "«x»")],
    ["in small letters", 'begin "x"\n  a\nEND'],
  ])("%s", (_where, text) => {
    const { tree, findings } = parsePseudocode(text);
    expect(findings).toEqual([]);
    expect(tree!.branches[0]!.body).toMatchObject([{ node: "step", text: "a" }]);
  });

  test("the second procedure is found from a given line on", () => {
    const text = `${block}\n\n${block.replace("a", "b")}\n`;
    const { lines } = parsePseudocode(text);
    const second = parsePseudocode(text, { fromLine: lines!.last + 1 });
    expect(second).toMatchObject({ lines: { first: 5, last: 7 }, tree: { branches: [{ body: [{ text: "b" }] }] } });
  });
});

describe("D-4 an error in a text is reported with its position", () => {
  test.each([
    ["", "E-TEXT-NO-BEGIN", 1, 1],
    ["ПОЧАТОК\n  a\n", "E-TEXT-NO-END", 2, 1],
    ["ПОЧАТОК\n  a\n\n## Next\nprose\n", "E-TEXT-NO-END", 2, 1],
    ["```\nПОЧАТОК\n  a\n```\nprose\n", "E-TEXT-NO-END", 3, 1],
    ["ПОЧАТОК\n  ЯКЩО\n    a\nКІНЕЦЬ", "E-TEXT-CONDITION", 2, 7],
    ["ПОЧАТОК\n  ЯКЩО a І НЕ \n    a\nКІНЕЦЬ", "E-TEXT-CONDITION", 2, 14],
    ["ПОЧАТОК\n  ІНАКШЕ\n    a\nКІНЕЦЬ", "E-TEXT-STRAY", 2, 3],
    ["ПОЧАТОК\n  ЯКЩО a\n    b\n  ІНАКШЕ c\n    d\nКІНЕЦЬ", "E-TEXT-REST", 4, 10],
    ["ПОЧАТОК\n  ВАРІАНТ a\n    b\nКІНЕЦЬ", "E-TEXT-STRAY", 2, 3],
    ["ПОЧАТОК\n  ВИБІР a\n    b\nКІНЕЦЬ", "E-TEXT-UNNAMED", 3, 5],
    ["ПОЧАТОК\n  ВИБІР a\nКІНЕЦЬ", "E-TEXT-NO-CASE", 2, 3],
    ["ПОЧАТОК\n  ДЛЯ КОЖНОГО\n    b\nКІНЕЦЬ", "E-TEXT-EMPTY", 2, 3],
    ["ПОЧАТОК\n  → ПЕРЕРВАТИ\nКІНЕЦЬ", "E-TEXT-NO-LOOP", 2, 3],
    ["ПОЧАТОК\n  ПОВТОРЮВАТИ\n    → ПЕРЕРВАТИ ЦИКЛ 2\nКІНЕЦЬ", "E-TEXT-LABEL", 3, 5],
    ["ПОЧАТОК\n  БЛОК 1\n    a\n  → ВИЙТИ З БЛОКУ 1\nКІНЕЦЬ", "E-TEXT-LABEL", 4, 3],
    ["ПОЧАТОК\n  → ЩОСЬ\nКІНЕЦЬ", "E-TEXT-EXIT", 2, 3],
    ['ПОЧАТОК\n  ГІЛКА "A"\n    → ГІЛКА "B"\nКІНЕЦЬ', "E-TEXT-BRANCH", 3, 5],
    ['ПОЧАТОК\n  ГІЛКА "A"\n    a\n  ГІЛКА "A"\n    b\nКІНЕЦЬ', "W-TEXT-BRANCH-TWICE", 4, 3],
    ['ПОЧАТОК\n  a\n  ГІЛКА "A"\n    b\nКІНЕЦЬ', "E-TEXT-STRAY", 3, 3],
    ["ПОЧАТОК\n  a\n    b\nКІНЕЦЬ", "W-TEXT-INDENT", 3, 5],
    ["ПОЧАТОК\n  → КІНЕЦЬ\n  a\nКІНЕЦЬ", "W-TEXT-UNREACHABLE", 3, 3],
    ["ПОЧАТОК\n  a :(\n  b\nКІНЕЦЬ", "W-TEXT-BRACKET", 2, 3],
    ["ПОЧАТОК\n  ПАРАЛЕЛЬНО\n    ПРОЦЕС 1\n      → ГІЛКА A\nКІНЕЦЬ", "E-TEXT-STRAY", 4, 7],
  ])("%j: %s", (text, code, line, column) => {
    const { findings, tree } = parsePseudocode(text);
    const told = findings.find((one) => one.code === code);
    expect(told).toMatchObject({ line, column, severity: code.startsWith("E") ? "error" : "warning" });
    expect(tree === undefined).toBe(code.startsWith("E"));
    expect(told!.message.uk).toMatch(/^[^{}]*[а-яі]/);
    expect(told!.message.en).toMatch(/^[^{}]*[a-z]/);
  });
});

test("D-4 a damaged text gives a tree or findings, and parsing never throws", () => {
  const edits = fc.array(fc.record({ at: fc.nat(), cut: fc.nat(40), put: arbitraryText }), {
    minLength: 1,
    maxLength: 4,
  });
  let trees = 0;
  fc.assert(
    fc.property(arbitraryTree, edits, fc.constantFrom("uk" as const, "en" as const), (tree, all, language) => {
      let { text } = renderPseudocode(tree, { language });
      for (const { at, cut, put } of all) {
        const from = at % (text.length + 1);
        text = text.slice(0, from) + put + text.slice(from + cut);
      }
      const damaged = parsePseudocode(text);
      expect(damaged.tree === undefined).toBe(damaged.findings.some(({ severity }) => severity === "error"));
      if (!damaged.tree) return;
      trees++;
      const again = parsePseudocode(renderPseudocode(damaged.tree, { language }).text);
      expect(canonicalForm(again.tree!)).toEqual(canonicalForm(damaged.tree));
    }),
    { numRuns: tries(2000) },
  );
  expect(trees).toBeGreaterThan(tries(200));
});
