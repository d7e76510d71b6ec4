import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { behaviourId } from "../canonical.ts";
import { diagramFromTree } from "../from-tree/diagram-from-tree.ts";
import { structure } from "../structure/structure.ts";
import { structuredItems, wildItems } from "../testing/arbitrary-diagram.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import type { Tree } from "../tree.ts";
import { parsePseudocode } from "./parse.ts";
import { renderPseudocode } from "./render.ts";

const sources = new URL("../../../test/golden/pseudocode/sources/", import.meta.url);

const english = (tree: Tree): string => renderPseudocode(tree, { language: "en" }).text;
/** The text of the diagram that is drawn from a text. */
const throughDiagram = (text: string): string => english(structure(diagramFromTree(parsePseudocode(text).tree!)).tree!);
const procedure = (...lines: string[]): string => `BEGIN "x"\n\n${lines.map((line) => `  ${line}\n`).join("")}\nEND\n`;
const body = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("  "));

describe("D-4a guards read as guards", () => {
  test.each([
    {
      where: "the rest inside IF NOT, in a loop",
      written: ["FOR EACH x IN xs", "  IF NOT done", "    a", "    IF NOT small", "      b"],
      read: ["FOR EACH x IN xs", "  IF done", "    → NEXT", "  a", "  IF small", "    → NEXT", "  b"],
    },
    {
      where: "the rest inside ELSE, after an exit",
      written: ["FOR EACH x IN xs", "  IF found", "    → BREAK", "  ELSE", "    a", "    b", "c"],
      read: ["FOR EACH x IN xs", "  IF found", "    → BREAK", "  a", "  b", "c"],
    },
    {
      where: "an exit on no",
      written: ["FOR EACH x IN xs", "  IF good", "    a", "  ELSE", "    → END"],
      read: ["FOR EACH x IN xs", "  IF NOT good", "    → END", "  a"],
    },
    { where: "the end of the procedure", written: ["a", "IF NOT b", "  c"], read: ["a", "IF b", "  → END", "c"] },
    {
      where: "steps before the end, and a loop otherwise",
      written: ["IF empty", "  say", "ELSE", "  FOR EACH x IN xs", "    a"],
      read: ["IF empty", "  say", "  → END", "FOR EACH x IN xs", "  a"],
    },
    { where: "no leaves by reaching the end", written: ["a", "IF b", "  c"] },
    { where: "something follows", written: ["IF NOT a", "  b", "c"] },
    {
      where: "an else-if chain",
      written: ["REPEAT", "  IF a", "    x", "  ELSE IF b", "    y", "  ELSE", "    → BREAK", "z"],
    },
    {
      where: "branches: most lines lead to the error, the last one to the next branch",
      written: [
        'BRANCH "A"',
        "  IF a",
        '    → BRANCH "E"',
        "  x",
        "  IF b",
        '    → BRANCH "E"',
        "  y",
        '  → BRANCH "B"',
        'BRANCH "B"',
        '  → BRANCH "E"',
        'BRANCH "E"',
        "  → END",
      ],
    },
  ])("$where", ({ written, read = written }) => {
    expect(body(throughDiagram(procedure(...written)))).toEqual(read.map((line) => `  ${line}`));
    expect(body(english(parsePseudocode(procedure(...written)).tree!))).toEqual(read.map((line) => `  ${line}`));
  });

  test.each(readdirSync(sources).filter((name) => name.endsWith(".md") && !name.startsWith("001-6.2")))(
    "the procedure of source %s comes back from its diagram as it was written",
    (name) => {
      const text = readFileSync(new URL(name, sources), "utf8");
      const { tree } = parsePseudocode(text);
      const { tree: drawn } = structure(diagramFromTree(tree!));
      const lines = (of: string): string[] => of.split("\n").filter((line) => line.startsWith("  "));
      expect(lines(renderPseudocode(drawn!, { language: "uk" }).text)).toEqual(
        lines(text.slice(text.indexOf("ПОЧАТОК"))).map((line) => line.replace("КОЖНОЇ", "КОЖНОГО")),
      );
    },
  );

  test("the text of any diagram comes back from the diagram drawn from it, with the same behaviour", () => {
    let [texts, guards] = [0, 0];
    for (let seed = 1; seed <= 600; seed++) {
      const chance = seeded(seed);
      const size = 3 + Math.floor(chance() * 40);
      const items =
        seed % 3 === 0 ? wildItems(chance, size) : structuredItems(chance, { size, silhouette: chance() < 0.4 });
      const { tree } = structure(jsonDiagram({ items }));
      if (!tree) continue;
      const text = english(tree);
      expect(behaviourId(parsePseudocode(text).tree!), `seed ${seed}`).toBe(behaviourId(tree));
      expect(throughDiagram(text), `seed ${seed}`).toBe(text);
      texts++;
      guards += text.match(/IF [^\n]*\n +→/g)?.length ?? 0;
    }
    expect(texts).toBeGreaterThan(300);
    expect(guards).toBeGreaterThan(texts);
  });
});
