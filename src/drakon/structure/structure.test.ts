import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { tries } from "../../base/testing/tries.ts";
import { behaviourId, canonicalForm } from "../canonical.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { hasErrors } from "../finding.ts";
import { flipped, type Items, shuffledIds, structuredItems, wildItems } from "../testing/arbitrary-diagram.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { graphTrace, type Oracle, treeTrace } from "../testing/traces.ts";
import { parsePseudocode } from "../text/parse.ts";
import { renderPseudocode } from "../text/render.ts";
import type { Block, Condition, Tree } from "../tree.ts";
import { structure } from "./structure.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const files = ["examples", "counterexamples"].flatMap((part) =>
  fs
    .readdirSync(new URL(part, folder))
    .map((name) => ({ name, text: fs.readFileSync(new URL(`${part}/${encodeURIComponent(name)}`, folder), "utf8") })),
);

/** Answers that depend on the icon and the visit only, so that both walks get the same; loops end soon. */
const oracle =
  (seed: number): Oracle =>
  (icon, visit, choices) => {
    const chance = seeded(
      seed * 7919 + visit * 104_729 + [...icon].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7),
    );
    chance();
    return Math.floor(chance() * choices);
  };

function disagreement(diagram: Diagram, tree: Tree, seeds: number): string | undefined {
  for (let seed = 0; seed < seeds; seed++) {
    const [graph, nested] = [graphTrace(diagram, oracle(seed)), treeTrace(tree, oracle(seed))];
    const at = graph.findIndex((event, i) => event !== nested[i]);
    if (at >= 0 || graph.length !== nested.length)
      return `seed ${seed}, step ${at}: ${graph.slice(0, at + 1).join(" ")} | ${nested.slice(at, at + 3).join(" ")}`;
  }
  return undefined;
}

/** Every icon of the tree, once per occurrence. */
function iconsOf(tree: Tree): string[] {
  const found: string[] = [];
  const conditions = (condition: Condition): void => {
    if (condition.is === "question")
      found.push(condition.icon, ...(condition.duration ? [condition.duration.icon] : []));
    else if (condition.is === "not") conditions(condition.of);
    else condition.of.forEach(conditions);
  };
  const blocks = (nodes: Block): void => {
    for (const node of nodes) {
      if ("icon" in node) found.push(node.icon);
      if ("endIcon" in node) found.push(node.endIcon);
      if ("duration" in node && node.duration) found.push(node.duration.icon);
      if (node.node === "if") {
        conditions(node.condition);
        blocks(node.yes);
        blocks(node.no);
      }
      if (node.node === "select") {
        for (const one of [...node.cases, ...(node.otherwise ? [node.otherwise] : [])]) {
          found.push(one.icon);
          blocks(one.body);
        }
      }
      if (node.node === "parallel") {
        for (const process of node.processes) {
          found.push(process.icon);
          blocks(process.body);
        }
      }
      if ("body" in node) blocks(node.body);
    }
  };
  for (const branch of tree.branches) {
    found.push(branch.icon);
    blocks(branch.body);
  }
  return found.toSorted();
}

const read = (items: Items): Diagram => jsonDiagram({ items });

describe("D-2 the check", () => {
  it.each<[string, string, boolean]>([
    ["leads to the end", "9", true],
    ["leads to the next item", "5", false],
    ["leaves the loop", "6", false],
  ])("warns where an answer inside a for-each ends the procedure: %s", (_, to, warned) => {
    const { findings } = structure(
      read({
        1: { type: "branch", branchId: 0, one: "2" },
        2: { type: "loopbegin", content: "x; xs", one: "3" },
        3: { type: "question", content: "bad?", flag1: 0, one: "4", two: to },
        4: { type: "action", content: "use(x)", one: "5" },
        5: { type: "loopend", one: "6" },
        6: { type: "action", content: "report", one: "9" },
        9: { type: "end" },
      }),
    );
    expect(findings.map(({ code, icon }) => [code, icon])).toEqual(warned ? [["W-LOOP-LEFT", "3"]] : []);
  });

  const each: Items = {
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "loopbegin", content: "x; xs", one: "3" },
    3: { type: "question", content: "bad?", flag1: 1, one: "4", two: "5" },
    4: { type: "action", content: "use(x)", one: "5" },
    5: { type: "loopend", one: "9" },
    7: { type: "question", content: "skip?", flag1: 1, one: "2", two: "9" },
    9: { type: "end" },
  };
  const par: Items = {
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "question", content: "now?", flag1: 1, one: "3", two: "9" },
    3: { type: "parbegin", one: "6", two: "4" },
    4: { type: "parbegin", one: "6" },
    6: { type: "parend", one: "9" },
    9: { type: "end" },
  };
  it.each<[string, Items, string[]]>([
    [
      "a line from outside to the lower end of a loop",
      { ...each, 1: { ...each["1"], one: "7" }, 7: { ...each["7"], two: "5" } },
      [
        "E-LOOP-ENTRY 5: a line leads into the middle of this loop (from 7)",
        "E-LOOP-ENTRY 7: its line leads into the middle of a loop, to icon 5",
      ],
    ],
    [
      "a line from inside to the head of its loop",
      { ...each, 7: { type: "comment" }, 3: { ...each["3"], two: "2" } },
      [
        "E-LOOP-RESTART 2: a line from inside the loop leads back to its head (from 3); the next item is at its lower end",
        "E-LOOP-RESTART 3: its line leads back to the head 2 of the loop; lead it to the lower end for the next item",
      ],
    ],
    [
      "an icon in a loop that leads to itself",
      { ...each, 3: { type: "action", content: "spin", one: "3" } },
      [
        "E-CYCLE-NO-ARROW 3: a line leads back to this icon without a loop arrow (from 3)",
        "E-CYCLE-NO-ARROW 3: its line leads back to icon 3 without a loop arrow",
      ],
    ],
    [
      "a line from outside to the end of a parallel block",
      { ...par, 2: { ...par["2"], two: "6" } },
      [
        "E-PAR-ESCAPE 6: a line leads out of, or into, a parallel process (from 2)",
        "E-PAR-ESCAPE 2: its line to icon 6 leads out of, or into, a parallel process",
      ],
    ],
    [
      "a line to the second process",
      { ...par, 2: { ...par["2"], two: "4" } },
      [
        "E-PROCESS-ENTRY 4: a line leads to a process that is not the first of its parallel block (from 2)",
        "E-PROCESS-ENTRY 2: its line leads to 4, which is not the first process of its parallel block",
      ],
    ],
    [
      "a parallel block without an end",
      {
        ...par,
        3: { ...par["3"], one: "7" },
        4: { ...par["4"], one: "8" },
        7: { type: "action", content: "a", final: true },
        8: { type: "action", content: "b", final: true },
      },
      ["E-PAR-NO-END 3: no process of this parallel block leads to its end"],
    ],
  ])("names the icons of a fault, each with a true sentence: %s", (_, items, expected) => {
    const { tree, findings } = structure(read(items));
    const errors = findings.filter(({ severity }) => severity === "error");
    expect(errors.map(({ code, icon, message }) => `${code} ${icon}: ${message.en}`)).toEqual(expected);
    expect(tree).toBeUndefined();
  });

  it("accepts a parallel block whose processes all end, and warns of texts that are no part of the procedure", () => {
    const ended: Items = {
      ...par,
      3: { ...par["3"], one: "7" },
      4: { ...par["4"], one: "8" },
      6: { ...par["6"], content: "odd" },
      7: { type: "action", content: "a", final: true, one: "6" },
      8: { type: "action", content: "b", final: true, one: "6" },
    };
    const { tree, findings } = structure(read(ended));
    expect(tree).toBeDefined();
    expect(findings.map(({ code, icon, field }) => [code, icon, field])).toEqual([["W-TEXT-IGNORED", "6", "content"]]);
  });

  it("warns of a select that no line leads to, with its cases", () => {
    const { tree, findings } = structure(
      read({
        1: { type: "branch", branchId: 0, one: "9" },
        3: { type: "select", content: "which?", one: "4" },
        4: { type: "case", content: "a", one: "9", two: "5" },
        5: { type: "case", content: "", one: "9" },
        9: { type: "end" },
      }),
    );
    expect(tree).toBeDefined();
    expect(findings.map(({ code, icon }) => `${code} ${icon}`)).toEqual(
      ["3", "4", "5"].map((icon) => `W-UNREACHABLE ${icon}`),
    );
  });
});

describe("D-3 a diagram has one meaning", () => {
  it.each(files.map(({ name, text }) => [name, text]))(
    "%s: graph and tree leave the same trace, every icon once",
    (_, text) => {
      const { diagram } = readDiagram(text);
      const { tree, findings } = structure(diagram);
      expect(findings.filter(({ severity }) => severity === "error")).toEqual([]);
      const reached = [...diagram.icons.values()].filter(
        ({ id, type }) =>
          type !== "end" &&
          roleOf(type) !== "none" &&
          !findings.some(({ icon, code }) => icon === id && code === "W-UNREACHABLE"),
      );
      expect(disagreement(diagram, tree!, 200)).toBeUndefined();
      expect(iconsOf(tree!)).toEqual(reached.map(({ id }) => id).toSorted());
    },
  );

  it("thousands of diagrams keep their meaning with other ids and orientations", () => {
    let accepted = 0;
    let labelled = 0;
    let turnedOtherwise = 0;
    for (let seed = 1; seed <= tries(6000); seed++) {
      const chance = seeded(seed);
      const items = structuredItems(chance, { size: 3 + Math.floor(chance() * 40), silhouette: chance() < 0.3 });
      const diagram = read(items);
      const { tree, findings } = structure(diagram);
      if (!tree) {
        expect(hasErrors(findings)).toBe(true);
        continue;
      }
      accepted++;
      const form = canonicalForm(tree);
      if (form.includes("leave") || form.includes("label")) labelled++;
      const problem = disagreement(diagram, tree, 6);
      if (problem) throw new Error(`seed ${seed}: ${problem}`);
      const shuffled = structure(read(shuffledIds(items, chance))).tree;
      expect({ seed, form: shuffled && canonicalForm(shuffled) }).toEqual({ seed, form });
      const turned = structure(read(flipped(items))).tree;
      if (!turned || canonicalForm(turned).join() !== form.join()) turnedOtherwise++;
      expect(new Set(iconsOf(tree)).size).toBe(iconsOf(tree).length);
      for (const language of ["uk", "en"] as const) {
        const { tree: back } = parsePseudocode(renderPseudocode(tree, { language }).text);
        expect({ seed, form: back && canonicalForm(back) }).toEqual({ seed, form });
      }
    }
    console.log(
      `structured diagrams: ${accepted} of ${tries(6000)} legal, all trace-equal and the same after pseudocode in both languages; ${labelled} need a label`,
    );
    // The drawing alone distinguishes two adjacent loop ends; none of these diagrams has them.
    expect(turnedOtherwise).toBe(0);
    expect(accepted).toBeGreaterThan(tries(3000));
  });

  it("wild graphs are refused with a finding that names an icon, or keep their meaning", () => {
    let accepted = 0;
    for (let seed = 1; seed <= tries(6000); seed++) {
      const chance = seeded(seed);
      const diagram = read(wildItems(chance, 2 + Math.floor(chance() * 20)));
      const { tree, findings } = structure(diagram);
      if (!tree) {
        expect(findings.some(({ severity, icon }) => severity === "error" && icon !== undefined)).toBe(true);
        continue;
      }
      accepted++;
      const problem = disagreement(diagram, tree, 6);
      if (problem) throw new Error(`seed ${seed}: ${problem}`);
    }
    console.log(`wild graphs: ${accepted} of ${tries(6000)} legal, all trace-equal`);
    expect(accepted).toBeGreaterThan(tries(1000));
  });

  it("the behaviour id is a git blob id of the texts, independent of the layout", () => {
    const diagram = (word: string, margin: number): Diagram =>
      jsonDiagram({
        name: `x${margin}`,
        items: {
          1: { type: "branch", branchId: 0, margin, one: "2" },
          2: { type: "action", content: word, one: "3" },
          3: { type: "end" },
        },
      });
    const id = (word: string, margin: number): string => behaviourId(structure(diagram(word, margin)).tree!);
    expect(id("water", 1)).toMatch(/^[0-9a-f]{40}$/);
    expect(id("<p>water</p>", 5)).toBe(id("water", 1));
    expect(id("wine", 1)).not.toBe(id("water", 1));
  });
});
