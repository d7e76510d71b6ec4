import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { behaviourId } from "../canonical.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { diagramFromTree } from "../from-tree/diagram-from-tree.ts";
import { structure } from "../structure/structure.ts";
import { structuredItems } from "../testing/arbitrary-diagram.ts";
import { arbitraryEdit } from "../testing/arbitrary-edit.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { parsePseudocode } from "../text/parse.ts";
import { renderPseudocode } from "../text/render.ts";
import type { Tree } from "../tree.ts";
import { applyOperation } from "./apply-operation.ts";
import { redrawDiagram } from "./redraw.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const examples = ["examples", "counterexamples", "pairs"].flatMap((part) =>
  readdirSync(new URL(part, folder)).map((name) => ({
    name,
    diagram: readDiagram(readFileSync(new URL(`${part}/${encodeURIComponent(name)}`, folder), "utf8")).diagram,
  })),
);

/** The tree of a diagram's pseudocode, as a person gives it back. */
const throughText = (diagram: Diagram, language: "uk" | "en" = "uk"): Tree =>
  parsePseudocode(renderPseudocode(structure(diagram).tree!, { language }).text).tree!;

const meaning = (diagram: Diagram): string => behaviourId(structure(diagram).tree!);

describe("D-4b a diagram changed by its pseudocode", () => {
  it.each(examples)("$name stays byte for byte if its pseudocode comes back unchanged", ({ diagram }) => {
    for (const language of ["uk", "en"] as const) {
      const redrawn = redrawDiagram(diagram, throughText(diagram, language))!;
      expect(redrawn.diagram.source.text).toBe(diagram.source.text);
      expect([redrawn.changed, redrawn.added, redrawn.removed, redrawn.rerouted]).toEqual([[], [], [], []]);
    }
  });

  it.each(examples)("$name changes only in the text that changed in its pseudocode", ({ diagram, name }) => {
    let changed = 0;
    for (const { id, text } of diagram.icons.values()) {
      if (changed === 4) break;
      const edited = applyOperation(diagram, { op: "edit-text", icon: id, field: "content", text: `${text} anew` });
      if (edited.kind === "refused" || !structure(edited.diagram).tree) continue;
      const written = throughText(edited.diagram);
      if (behaviourId(written) === meaning(diagram)) continue; // an icon that is not part of the procedure
      const redrawn = redrawDiagram(diagram, written)!;
      expect(redrawn.diagram.source.text).toBe(edited.diagram.source.text);
      expect(meaning(redrawn.diagram)).toBe(meaning(diagramFromTree(written)));
      expect(redrawn.changed).toEqual([id]);
      changed++;
    }
    expect(changed > 0).toBe(!name.startsWith("01.")); // it has no text
  });

  it("keeps the icons that an edit kept, and means what the text means", () => {
    let [edits, allKept, same] = [0, 0, 0];
    for (let seed = 1; seed <= 500; seed++) {
      const chance = seeded(seed);
      const items = structuredItems(chance, { size: 4 + Math.floor(chance() * 30), silhouette: chance() < 0.3 });
      const before = jsonDiagram({ items });
      if (!structure(before).tree) continue;
      const applied = applyOperation(before, arbitraryEdit(before, chance));
      if (applied.kind === "refused" || !structure(applied.diagram).tree) continue;
      const written = throughText(applied.diagram);
      const redrawn = redrawDiagram(before, written);
      expect(redrawn, `seed ${seed}`).toBeDefined();
      const { diagram } = redrawn!;
      expect(meaning(diagram), `seed ${seed}`).toBe(meaning(diagramFromTree(written)));
      expect(meaning(diagram), `seed ${seed}`).toBe(meaning(applied.diagram));
      edits++;
      if (diagram.source.text === applied.diagram.source.text) same++;
      if ([...before.icons.keys()].every((id) => !applied.diagram.icons.has(id) || diagram.icons.has(id))) allKept++;
    }
    console.log(`${edits} edits by text: ${allKept} keep every icon, ${same} give the same file as the edit`);
    expect(edits).toBeGreaterThan(200);
    expect(allKept / edits).toBeGreaterThan(0.95);
  });
});
