import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { tries } from "../../base/testing/tries.ts";
import { type Diagram } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { applyOperation } from "../edit/apply-operation.ts";
import { structure } from "../structure/structure.ts";
import { type Items, shuffledIds, structuredItems } from "../testing/arbitrary-diagram.ts";
import { arbitraryEdit } from "../testing/arbitrary-edit.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { compareDiagrams } from "./compare.ts";

describe("D-8 a comparison after a random edit", () => {
  it("partitions the icons, finds inserted and removed ones, and works without ids", () => {
    let [edits, exact, same] = [0, 0, 0];
    for (let seed = 1; seed <= tries(800); seed++) {
      const chance = seeded(seed);
      const items = structuredItems(chance, { size: 4 + Math.floor(chance() * 30), silhouette: chance() < 0.3 });
      const before = jsonDiagram({ items });
      if (!structure(before).tree) continue;
      const operation = arbitraryEdit(before, chance);
      const applied = applyOperation(before, operation);
      if (applied.kind === "refused") continue;
      const found = compareDiagrams(before, applied.diagram);
      const control = (diagram: Diagram): string[] =>
        [...diagram.icons.values()]
          .filter(({ type }) => roleOf(type) !== "none")
          .map(({ id }) => id)
          .toSorted();
      expect([...found.matched.map((pair) => pair.before), ...found.removed].toSorted()).toEqual(control(before));
      expect([...found.matched.map((pair) => pair.after), ...found.added].toSorted()).toEqual(control(applied.diagram));
      const really = control(applied.diagram).filter((id) => !before.icons.has(id));
      if (found.added.toSorted().join() === really.join()) exact++;
      const saved = JSON.parse(applied.diagram.source.text) as { items: Items };
      const renumbered = jsonDiagram({ ...saved, items: shuffledIds(saved.items, chance) });
      const blind = compareDiagrams(before, renumbered);
      if (blind.riskLevel === found.riskLevel && blind.added.length === found.added.length) same++;
      edits++;
    }
    console.log(
      `${edits} edits compared, ${exact} with exactly the inserted icons as added, ${same} the same without ids`,
    );
    expect(exact / edits).toBeGreaterThan(0.9);
    expect(same / edits).toBeGreaterThan(0.95);
  });

  it("of ten thousand icons takes about as long as structuring them", () => {
    const items = (count: number, changed: number): Items => {
      const made: Items = { b: { type: "branch", branchId: 0, one: "0" }, e: { type: "end" } };
      for (let i = 0; i < count; i++)
        made[i] =
          i % 3 === 0
            ? {
                type: "question",
                content: `q${i % 50}?`,
                one: `${i + 1}`,
                two: `${Math.min(i + 2, count - 1)}`,
                flag1: 1,
              }
            : {
                type: "action",
                content: i % changed === 0 ? `new${i}(x)` : `same ${i % 70}`,
                one: i + 1 < count ? `${i + 1}` : "e",
              };
      return made;
    };
    const [before, after] = [items(9999, 20_000), items(9999, 1000)].map((all) => jsonDiagram({ items: all }));
    const started = process.cpuUsage();
    const found = compareDiagrams(before!, after!);
    const { user, system } = process.cpuUsage(started);
    console.log(`10,000 icons compared in ${Math.round((user + system) / 1000)} ms of CPU`);
    expect(found.riskLevel).toBe("high");
    expect((user + system) / 1e6).toBeLessThan(15);
  });
});
