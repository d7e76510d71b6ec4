import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { isThorough, tries } from "../../base/testing/tries.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { hasErrors } from "../finding.ts";
import { structure } from "../structure/structure.ts";
import { structuredItems } from "../testing/arbitrary-diagram.ts";
import { arbitraryEdit } from "../testing/arbitrary-edit.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { graphTrace, type Oracle } from "../testing/traces.ts";
import { applyOperation, applyOperations } from "./apply-operation.ts";
import type { EditOperation } from "./operation.ts";
import { sockets } from "./sockets.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const examples = ["examples", "counterexamples"].flatMap((part) =>
  fs
    .readdirSync(new URL(part, folder))
    .map(
      (name) => readDiagram(fs.readFileSync(new URL(`${part}/${encodeURIComponent(name)}`, folder), "utf8")).diagram,
    ),
);

function random(seed: number): Diagram {
  const chance = seeded(seed);
  const items = structuredItems(chance, { size: 3 + Math.floor(chance() * 25), silhouette: chance() < 0.4 });
  return jsonDiagram({ items });
}

/** Answers that depend on the icon and the visit only. */
const oracle =
  (seed: number): Oracle =>
  (icon, visit, choices) => {
    const chance = seeded(
      seed * 7919 + visit * 104_729 + [...icon].reduce((sum, char) => sum * 31 + char.charCodeAt(0), 7),
    );
    chance();
    return Math.floor(chance() * choices);
  };

/** Edits that add or remove icons and do not change the others. */
const gentle =
  /^(insert-(icon|question|select|for-each|parallel|branch|duration)|add-process|edit-|turn-|to-silhouette|remove-step)/;

/** The first difference between the traces of two diagrams, at the icons that both have. */
function parting(before: Diagram, after: Diagram, seeds: number): string | undefined {
  for (let seed = 0; seed < seeds; seed++) {
    const [was, is] = [before, after].map((diagram) =>
      graphTrace(diagram, oracle(seed)).filter((event) => {
        const id = event.replace(/^(branch|arrow|process) |=\d+$/g, "");
        return id === "stop" || (before.icons.has(id) && after.icons.has(id));
      }),
    );
    const length = Math.min(was!.length, is!.length);
    const at = was!.slice(0, length).findIndex((event, i) => event !== is![i]);
    if (at >= 0) return `seed ${seed}: ${was![at]} became ${is![at]}`;
  }
  return undefined;
}

const legal = (diagram: Diagram): boolean => !hasErrors(structure(diagram).findings);

describe("D-1 P13 edits", () => {
  it("a valid diagram stays valid under thousands of random edits, and undoing all of them restores every byte", () => {
    const counts = new Map<string, { done: number; refused: number }>();
    let [diagrams, done, refusals, kept] = [0, 0, 0, 0];
    const starts = [...examples, ...Array.from({ length: tries(120) }, (_, seed) => random(seed + 1))].filter(legal);
    for (const [seed, start] of starts.entries()) {
      const chance = seeded(seed + 77);
      let diagram = start;
      const undo: { inverse: EditOperation; before: Diagram }[] = [];
      for (let i = 0; i < 35; i++) {
        const operation = arbitraryEdit(diagram, chance);
        const applied = applyOperation(diagram, operation);
        const count = counts.get(operation.op) ?? { done: 0, refused: 0 };
        counts.set(operation.op, count);
        if (applied.kind === "refused") {
          expect(applied.reason.uk).not.toBe("");
          count.refused++;
          refusals++;
          continue;
        }
        count.done++;
        done++;
        expect(legal(applied.diagram), `${seed}: ${JSON.stringify(operation)}`).toBe(true);
        if (gentle.test(operation.op)) {
          const parts = parting(diagram, applied.diagram, 3);
          expect(parts, `${seed}: ${JSON.stringify(operation)}`).toBeUndefined();
          kept++;
        }
        undo.push({ inverse: applied.inverse, before: diagram });
        diagram = applied.diagram;
      }
      for (const { inverse, before } of undo.toReversed()) {
        const applied = applyOperation(diagram, inverse);
        expect(applied.kind).toBe("edited");
        if (applied.kind === "edited") diagram = applied.diagram;
        expect(diagram.icons).toEqual(before.icons);
      }
      expect(diagram.source.text).toBe(start.source.text);
      diagrams++;
    }
    console.log(`${diagrams} diagrams, ${done} edits done and undone, ${refusals} refused, ${kept} compared by trace`);
    console.log([...counts].map(([op, { done: yes, refused: no }]) => `${op} ${yes}/${yes + no}`).join(", "));
    expect(done).toBeGreaterThan(tries(2400));
    expect([...counts.values()].filter((count) => count.done < tries(12))).toEqual([]);
  });

  it("a broken diagram is edited or refused without an exception, and undone to the byte", () => {
    let edits = 0;
    for (let seed = 1; seed <= tries(180); seed++) {
      const chance = seeded(seed);
      const items = structuredItems(chance, { size: 12, silhouette: chance() < 0.4 });
      const ids = Object.keys(items);
      for (let i = 0; i < 2; i++) {
        const field = ["one", "two", "content", "side", "branchId"][Math.floor(chance() * 5)]!;
        items[ids[Math.floor(chance() * ids.length)]!]![field] = [null, "", "gone", 5, {}][Math.floor(chance() * 5)];
      }
      const start = jsonDiagram({ items });
      let diagram = start;
      const inverses: EditOperation[] = [];
      for (let i = 0; i < 15; i++) {
        const applied = applyOperation(diagram, arbitraryEdit(diagram, chance));
        if (applied.kind === "refused") continue;
        inverses.unshift(applied.inverse);
        diagram = applied.diagram;
        edits++;
      }
      const undone = applyOperations(diagram, inverses);
      expect(undone.kind === "edited" && undone.diagram.source.text).toBe(start.source.text);
    }
    console.log(`${edits} edits of broken diagrams`);
    expect(edits).toBeGreaterThan(tries(600));
  });

  it("every socket accepts every kind of icon, and the other icons keep their flow", () => {
    let tried = 0;
    const starts = [...examples, ...Array.from({ length: 60 }, (_, seed) => random(seed + 1000))].filter(legal);
    for (const [index, diagram] of starts.entries()) {
      const chosen = sockets(diagram).slice(0, 120);
      for (const { line } of isThorough ? chosen : chosen.filter((_, at) => at % 6 === index % 6)) {
        const inserts: EditOperation[] = [
          { op: "insert-icon", at: line, type: "comment", text: "new" },
          { op: "insert-question", at: line, text: "new" },
          { op: "insert-select", at: line, text: "new", cases: ["a", ""] },
          { op: "insert-for-each", at: line, text: "new" },
          { op: "insert-parallel", at: line },
        ];
        for (const operation of inserts.slice(0, tried % 7 === 0 ? 5 : 2)) {
          const applied = applyOperation(diagram, operation);
          expect(applied, JSON.stringify(operation)).toMatchObject({ kind: "edited" });
          tried++;
          if (applied.kind === "edited") expect(parting(diagram, applied.diagram, 2)).toBeUndefined();
        }
      }
    }
    console.log(`${tried} insertions at sockets`);
    expect(tried).toBeGreaterThan(tries(6000));
  });
});
