import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { tries } from "../../base/testing/tries.ts";
import { canonicalForm } from "../canonical.ts";
import { readDiagram } from "../diagram/diagram.ts";
import { hasErrors } from "../finding.ts";
import { structure } from "../structure/structure.ts";
import { structuredItems, wildItems } from "../testing/arbitrary-diagram.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import type { Block, Tree } from "../tree.ts";
import { diagramFromTree } from "./diagram-from-tree.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const files = ["examples", "counterexamples"].flatMap((part) =>
  fs
    .readdirSync(new URL(part, folder))
    .map((name) => [name, new URL(`${part}/${encodeURIComponent(name)}`, folder)] as const),
);

const tree = (body: Block): Tree => ({
  name: "",
  params: "",
  description: "",
  branches: [{ icon: "0", name: "", body }],
  silhouette: false,
});

const again = (from: Tree): string[] | undefined => {
  const { tree: found } = structure(readDiagram(diagramFromTree(from).source.text).diagram);
  return found && canonicalForm(found);
};

describe("D-3 a tree becomes a diagram with the same meaning", () => {
  it.each(files)("%s", (_, url) => {
    const { tree: meant } = structure(readDiagram(fs.readFileSync(url, "utf8")).diagram);
    expect(again(meant!)).toEqual(canonicalForm(meant!));
  });

  it("thousands of random diagrams keep their canonical form", () => {
    let [kept, silhouettes, wild] = [0, 0, 0];
    for (let seed = 1; seed <= tries(6000); seed++) {
      const chance = seeded(seed);
      const silhouette = chance() < 0.3;
      const items =
        seed % 3 === 0
          ? wildItems(chance, 3 + Math.floor(chance() * 25))
          : structuredItems(chance, { size: 3 + Math.floor(chance() * 40), silhouette });
      const { tree: meant } = structure(jsonDiagram({ items }));
      if (!meant) continue;
      expect(again(meant), `seed ${seed}`).toEqual(canonicalForm(meant));
      kept++;
      if (meant.silhouette) silhouettes++;
      if (seed % 3 === 0) wild++;
    }
    console.log(`${kept} random trees, ${silhouettes} of silhouettes, ${wild} of wild graphs`);
    expect(kept).toBeGreaterThan(tries(3000));
  });

  it("a diagram follows the widget's rules: decimal ids in order, loops exit downwards and repeat from the right", () => {
    const body: Block = [
      {
        node: "loop",
        icon: "a",
        body: [
          { node: "if", condition: { is: "question", icon: "q", text: "tired?" }, yes: [{ node: "break" }], no: [] },
          { node: "step", kind: "action", icon: "s", text: "lift" },
        ],
      },
    ];
    expect(JSON.parse(diagramFromTree(tree(body)).source.text)).toEqual({
      type: "drakon",
      items: {
        1: { type: "branch", branchId: 0, one: "2" },
        2: { type: "arrow-loop", one: "3" },
        3: { type: "question", content: "tired?", flag1: 1, one: "5", two: "4" },
        4: { type: "action", content: "lift", one: "2" },
        5: { type: "end" },
      },
    });
  });

  it("an exit from a for-each goes to the right, so that the line straight down reaches its end", () => {
    const body: Block = [
      {
        node: "for-each",
        icon: "f",
        endIcon: "e",
        text: "x; xs",
        endText: "",
        body: [
          { node: "if", condition: { is: "question", icon: "q", text: "found?" }, yes: [{ node: "return" }], no: [] },
          { node: "step", kind: "action", icon: "s", text: "look" },
        ],
      },
    ];
    const { icons } = diagramFromTree(tree(body));
    expect(icons.get("3")).toMatchObject({ text: "found?", yesIsDown: false, one: "4", two: "6" });
    expect(icons.get("6")?.type).toBe("end");
  });

  it.each(["<p>a</p>", "<b>a  b</b>\n\n&amp; <i>c</i>", "a < b > c", " x", ""])("the text %j is kept", (text) => {
    const meant = tree([{ node: "step", kind: "action", icon: "s", text }]);
    expect(again(meant)).toEqual(canonicalForm(meant));
  });

  it("ten thousand nested questions, labelled blocks and conditions do not overflow the stack", () => {
    const question = { is: "question", icon: "q", text: "q" } as const;
    let body: Block = [{ node: "step", kind: "action", icon: "s", text: "s" }];
    for (let i = 0; i < 10_000; i++)
      body = [
        { node: "if", condition: question, yes: body, no: [{ node: "step", kind: "action", icon: "n", text: "n" }] },
      ];
    expect(again(tree(body))).toEqual(canonicalForm(tree(body)));
    let deep: Block = [];
    for (let i = 10_000; i > 0; i--) deep = [{ node: "block", label: i, body: deep }];
    expect(hasErrors(structure(diagramFromTree(tree(deep))).findings)).toBe(false);
  });
});
