import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { definedCodes, renderRules, undefinedCodes, unusedCodes } from "./tidy/rule-codes.ts";
import {
  commentOpenings,
  longFunctions,
  MAX_FUNCTION_LINES,
  MAX_ODD_SHARE,
  MAX_WALK_FILES,
  MAX_WALK_LINES,
  namesDefinedTwice,
  walkFiles,
} from "./tidy/shape.ts";
import { source, sourcesIn } from "./tidy/source.ts";

/** Measures of the whole tree, each shown an offence too. The style rules of single files are in tidy.test.ts. */
const root = join(import.meta.dirname, "..");
const sources = sourcesIn(root);
const text = (path: string): string => readFileSync(join(root, path), "utf8");
const rulesPage = text("docs/rules.md");

describe("functions", () => {
  test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
    expect(longFunctions(sources)).toEqual([]);
  });

  test.each([
    ["a declaration", (body: string) => `export function x(\n  a: number,\n): void {\n${body}}`],
    ["an arrow", (body: string) => `const x = (): void => {\n${body}};`],
    ["a method", (body: string) => `class X {\n  async y(a: number): Promise<void> {\n${body}  }\n}`],
  ])("%s that is too long is caught", (_, wrap) => {
    expect(longFunctions([source("src/garden/core/x.ts", wrap("    a();\n".repeat(MAX_FUNCTION_LINES)))])).toHaveLength(
      1,
    );
  });
});

describe("exported names", () => {
  test("every exported name is defined in one file", () => {
    expect(namesDefinedTwice(sources)).toEqual([]);
  });

  test("a name that two files export is caught", () => {
    const twice = ["src/base/a.ts", "web/src/b.ts"].map((path) => source(path, "export const same = 1;"));
    expect(namesDefinedTwice(twice)).toEqual(["same: src/base/a.ts, web/src/b.ts"]);
  });
});

describe("comments", () => {
  test(`fewer than ${MAX_ODD_SHARE * 100} % of comments open with What, Whether, Who, Of, Where or How`, () => {
    const { blocks, odd } = commentOpenings(sources);
    expect(odd.length / blocks, odd.join("\n")).toBeLessThan(MAX_ODD_SHARE);
  });

  test("such an opening is caught, in all three forms of a comment", () => {
    const bad =
      "/** What it is. */\nconst a = 1;\n/**\n * Whoever asks.\n */\nconst b = 2;\n// Of one run.\n// Second line.\n";
    expect(commentOpenings([source("src/base/x.ts", bad)])).toEqual({
      blocks: 3,
      odd: ["src/base/x.ts:1: What it is. */", "src/base/x.ts:3: Whoever asks.", "src/base/x.ts:7: Of one run."],
    });
  });
});

describe("rule codes", () => {
  test("every code that code or tests name is defined in docs/rules.md", () => {
    expect(undefinedCodes(sources, rulesPage)).toEqual([]);
  });

  test("every rule of docs/rules.md is named by code or tests", () => {
    expect(unusedCodes(sources, rulesPage)).toEqual([]);
  });

  test("docs/rules.md lists the tests that name each rule; `npm test -- tidy -u` rewrites it", async () => {
    await expect(renderRules(sources, rulesPage)).toMatchFileSnapshot(join(root, "docs/rules.md"));
  });

  test("an undefined code and an unused rule are caught", () => {
    const page = "## Runs\n\n### O-1\n\nA run moves.\n\n### O-2\n\nA run has steps.\n";
    const missing = ["O", 77].join("-"); // in one piece, this file would name an undefined code
    const uses = [source("src/base/x.ts", `/** Kept by O-1 and ${missing}. */`)];
    expect([...definedCodes(page)]).toEqual(["O-1", "O-2"]);
    expect(undefinedCodes(uses, page)).toEqual([`src/base/x.ts:1: ${missing} is not defined in docs/rules.md`]);
    expect(unusedCodes(uses, page)).toEqual(["O-2"]);
  });

  test("a test is listed under each rule of its title, with the title's words", () => {
    const page =
      "## Runs\n\n### O-1\n\nA run moves.\n\n- [gone.test.ts](../gone.test.ts): old\n\n### O-2\n\nA run has steps.\n";
    const suite = source("src/base/x.test.ts", 'test("O-1 O-9 a run is queued", () => {});');
    expect(renderRules([suite], page)).toBe(
      "## Runs\n\n### O-1\n\nA run moves.\n\n- [x.test.ts](../src/base/x.test.ts): a run is queued\n\n### O-2\n\nA run has steps.\n\nNo test title names it.\n",
    );
  });
});

describe("the walk in ARCHITECTURE.md", () => {
  const walk = walkFiles(source("ARCHITECTURE.md", text("ARCHITECTURE.md")));

  test(`names at most ${MAX_WALK_FILES} files, each once`, () => {
    expect(walk.length).toBeGreaterThan(10);
    expect(walk.length).toBeLessThanOrEqual(MAX_WALK_FILES);
    expect(new Set(walk).size).toBe(walk.length);
  });

  test.each(walk)(`%s exists and has at most ${MAX_WALK_LINES} lines`, (path) => {
    expect(existsSync(join(root, path))).toBe(true);
    expect(text(path).trimEnd().split("\n").length).toBeLessThanOrEqual(MAX_WALK_LINES);
  });
});
