import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tries } from "../../base/testing/tries.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { structure } from "../structure/structure.ts";
import { graphWalk } from "../testing/graph-walk.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import type { Tree } from "../tree.ts";
import { generated, inputOf, oracle, programWith, sub } from "./testing/generated.ts";
import { walkAll } from "./testing/replay.ts";

function compare(diagram: Diagram, tree: Tree, seed: number): { steps: number; end: string } {
  const input = inputOf(tree);
  const graph = graphWalk(
    new Map([
      ["Main", diagram],
      ["Sub", sub],
    ]),
    "Main",
    input,
    oracle(seed),
    300,
  );
  const walked = walkAll(programWith(tree), input, oracle(seed), { maxSteps: 1200 });
  const lines = walked.trace.map(
    (entry) => `${entry.diagram} ${entry.icon} ${entry.visit}${entry.answer === undefined ? "" : ` ${entry.answer}`}`,
  );
  const length = Math.min(graph.trace.length, lines.length) - 20;
  const { end } = walked;
  if (graph.end === "failed long") {
    // Both were cut off: a request that was open at that point has no answer yet.
    expect(lines.slice(0, length).join("\n")).toBe(graph.trace.slice(0, length).join("\n"));
    return { steps: length, end: "long" };
  }
  expect(lines.join("\n")).toBe(graph.trace.join("\n"));
  const told =
    end?.kind === "failed"
      ? `failed ${end.problem.code}`
      : end?.kind === "returned"
        ? `returned ${JSON.stringify(end.value)}`
        : end?.kind;
  expect(told).toBe(graph.end);
  return { steps: lines.length, end: told?.split(" ").slice(0, 2).join(" ") ?? "open" };
}

describe("walking the graph and walking the tree leave the same trace, with values computed", () => {
  test("on generated diagrams, with shared variables, calls, loops and parallel processes", () => {
    let [walks, steps] = [0, 0];
    const ends = new Map<string, number>();
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 3, max: 60 }), fc.boolean(), (seed, size, silhouette) => {
        const { diagram, tree } = generated(seed, size, silhouette);
        if (!tree) return;
        for (const answers of [1, 2, 3]) {
          const done = compare(diagram, tree, answers);
          walks++;
          steps += done.steps;
          ends.set(done.end, (ends.get(done.end) ?? 0) + 1);
        }
      }),
      { numRuns: tries(1200) },
    );
    const shown = [...ends].toSorted((a, b) => b[1] - a[1]).map(([end, count]) => `${end}: ${count}`);
    process.stdout.write(`${walks} walks, ${steps} icons passed; ${shown.join(", ")}\n`);
    expect(walks).toBeGreaterThan(tries(2000));
    expect(ends.get("done") ?? 0).toBeGreaterThan(tries(100));
  });

  test("a step marked as final inside a process ends that process, and the others continue", () => {
    const items = {
      1: { type: "branch", branchId: 0, one: "2" },
      2: { type: "parbegin", one: "4", two: "3" },
      3: { type: "parbegin", one: "5" },
      4: { type: "action", content: "a ← read-notes()", one: "6", final: true },
      5: { type: "action", content: "b ← read-notes()", one: "6" },
      6: { type: "parend", one: "7" },
      7: { type: "action", content: "after()", one: "8" },
      8: { type: "end" },
    };
    const diagram = jsonDiagram({ name: "Main", items });
    const { tree, findings } = structure(diagram);
    expect(findings).toEqual([]);
    expect(compare(diagram, tree!, 1)).toEqual({ steps: 7, end: "done" });
  });
});

const folder = join(import.meta.dirname, "../../../test/drakon");
const files = ["examples", "counterexamples"].flatMap((part) =>
  readdirSync(join(folder, part)).map((name) => join(folder, part, name)),
);

test("walking the graph and walking the tree leave the same trace on diagrams drawn by people", () => {
  let drawings = 0;
  for (const file of files) {
    const { diagram } = readDiagram(readFileSync(file, "utf8"));
    const { tree } = structure(diagram);
    if (!tree) continue;
    drawings++;
    for (let seed = 0; seed < 20; seed++) compare(diagram, tree, seed);
  }
  expect(drawings).toBeGreaterThan(40);
});
