import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { importCycles, strayImports } from "./tidy/layers.ts";
import { deadLinks, findingsOf, type Manifest, rules, unlistedPackages } from "./tidy/rules.ts";
import { blanked, source, sourcesIn } from "./tidy/source.ts";

/** The project's style as tests. Every rule is also shown an offence. The measures of the whole tree are in tidy-shape.test.ts. */
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const sources = sourcesIn(root);
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;

test("the scan of the repository finds its files", () => {
  expect(sources.map(({ path }) => path)).toEqual(
    expect.arrayContaining([
      "src/base/world.ts",
      "src/ports/repo.ts",
      "test/tidy.test.ts",
      "package.json",
      "README.md",
    ]),
  );
});

describe("imports", () => {
  test("follow the layer table", () => {
    expect(strayImports(sources)).toEqual([]);
  });

  test("form no cycle", () => {
    expect(importCycles(sources)).toEqual([]);
  });

  test("name packages that package.json lists", () => {
    expect(unlistedPackages(sources, manifest)).toEqual([]);
  });

  test.each([
    ["src/base/x.ts", 'import { a } from "../domain/a.ts";', "base may not import domain"],
    [
      "src/garden/core/x.ts",
      'import type { A } from "../../adapters/store/dir/a.ts";',
      "garden may not import adapters",
    ],
    ["src/garden/core/x.ts", 'export * from "../../gateway/a.ts";', "garden may not import gateway"],
    ["src/garden/core/x.ts", 'import a from "../../data/a.json" with { type: "json" };', "garden may not import data"],
    ["src/garden/core/x.ts", 'import { a } from "../records/a.ts";', "garden/core may not import garden/records"],
    [
      "src/garden/runs/x.ts",
      'import type { A } from "../insight/why/a.ts";',
      "garden/runs may not import garden/insight",
    ],
    [
      "src/garden/sessions/x.ts",
      'import { a } from "../changes/a.ts";',
      "garden/sessions may not import garden/changes",
    ],
    ["src/cli/x.ts", 'const a = await import("../compose.ts");', "cli may not import wiring"],
    ["src/adapters/repo/git/x.ts", 'import "../../store/dir/a.ts";', "one adapter family knows another"],
    ["src/domain/x.ts", 'import { join } from "node:path";', "domain is pure and may not import node:path"],
    [
      "src/garden/core/x.ts",
      'import { a } from "./a.test.ts";',
      "imports what only tests may import (src/garden/core/a.test.ts)",
    ],
    ["src/garden/core/x.ts", 'import { a } from "../../../scripts/a.ts";', "leads out of the layers (scripts/a.ts)"],
  ])("%s with %s is caught", (path, text, why) => {
    expect(strayImports([source(path, text)])).toEqual([`${path}:1: ${why}`]);
  });

  test("a folder that the table does not know is caught", () => {
    expect(strayImports([source("src/odds/x.ts", "")])).toEqual(["src/odds/x.ts: in no layer of the table"]);
  });

  test("a file of garden/ outside its rooms is caught", () => {
    expect(strayImports([source("src/garden/x.ts", "")])).toEqual(["src/garden/x.ts: in no room of garden/"]);
  });

  test("a cycle of type imports is caught", () => {
    const ring = [
      source("src/base/b.ts", 'import { type C } from "./c.ts";'),
      source("src/base/c.ts", 'import type { A } from "./a.ts";'),
      source("src/base/a.ts", 'export type { B } from "./b.ts";'),
    ];
    expect(importCycles(ring)).toEqual(["src/base/a.ts → src/base/b.ts → src/base/c.ts → src/base/a.ts"]);
  });

  test.each([
    ["src/gateway/x.ts", 'import { a } from "left-pad/a";', "left-pad"],
    ["src/gateway/x.ts", 'import { test } from "vitest";', "vitest"],
    ["src/gateway/x.ts", 'import fs from "fs";', "fs"],
    ["test/x.test.ts", 'import { a } from "@left/pad/deep";', "@left/pad"],
  ])("%s with %s is caught", (path, text, name) => {
    expect(unlistedPackages([source(path, text)], manifest)).toEqual([
      `${path}:1: ${name} is not listed in package.json`,
    ]);
  });
});

describe("rules", () => {
  test.each(rules)("$name", (rule) => {
    expect(findingsOf(rule, sources)).toEqual([]);
  });

  test.each(rules)("$name: an offence is caught", (rule) => {
    expect(findingsOf(rule, [rule.caught])).toHaveLength(1);
  });

  test.each(rules)("$name: every exemption is needed", (rule) => {
    const { except = {}, ...strict } = rule;
    const offenders = new Set(findingsOf(strict, sources).map((finding) => finding.split(":")[0]));
    expect(Object.keys(except).filter((path) => !offenders.has(path))).toEqual([]);
  });
});

describe("documents", () => {
  test("have no broken links, except for three in the demo garden that its gardener fixes", () => {
    const dead = deadLinks(sources, (path) => existsSync(join(root, path)));
    const inDemo = dead.filter((each) => each.startsWith("examples/demo/"));
    expect([dead.filter((each) => !inDemo.includes(each)), inDemo.length]).toEqual([[], 3]);
  });

  test("a broken link is caught, one in an example is not", () => {
    const page = source("docs/x.md", "See [a](../README.md), [b](gone.md#x), [c](https://example.org), `[d](no.md)`.");
    expect(deadLinks([page], (path) => path === "README.md")).toEqual(["docs/x.md:1: gone.md does not exist"]);
  });
});

describe("comments and strings are distinguished from code", () => {
  test.each([
    ["a(); // b", "a();     "],
    ["a(/* b\nc */);", "a(    \n    );"],
    ["x = 'it\\'s' + \"//\";", "x = '     ' + \"  \";"],
    ["x = `a ${b(`c ${d}`)} e`;", "x = `  ${b(`  ${d}`)}  `;"],
    ["x = `a ${{ b: 1 }} c`; d();", "x = `  ${{ b: 1 }}  `; d();"],
    ["y = a / b; // c", "y = a / b;     "],
    ['y = /["/]\\//g.test(z); f("a");', 'y = /       g.test(z); f(" ");'],
    ["return /'/;", "return / /;"],
  ])("%s", (text, code) => {
    expect(blanked(text)).toBe(code);
  });
});
