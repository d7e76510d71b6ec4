import * as fs from "node:fs";
import { describe, expect, it } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { type Diagram, readDiagram } from "../diagram/diagram.ts";
import { roleOf } from "../diagram/icon-types.ts";
import { applyOperation } from "../edit/apply-operation.ts";
import type { EditOperation } from "../edit/operation.ts";
import { diagramFromTree } from "../from-tree/diagram-from-tree.ts";
import { structure } from "../structure/structure.ts";
import { type Items, shuffledIds } from "../testing/arbitrary-diagram.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { drawn, one, type Short, two } from "../testing/short-diagram.ts";
import { compareDiagrams } from "./compare.ts";

const folder = new URL("../../../test/drakon/", import.meta.url);
const examples = ["examples", "counterexamples"].flatMap((part) =>
  fs.readdirSync(new URL(part, folder)).map((name) => {
    const text = fs.readFileSync(new URL(`${part}/${encodeURIComponent(name)}`, folder), "utf8");
    return { name, text, diagram: readDiagram(text).diagram };
  }),
);

/** A curator: for each note that is not short, it proposes a tag. */
const curator: Short = {
  1: "branch >2 #0",
  2: "loopbegin note; notes >3",
  3: "question words(note) < 200 >4 >>6",
  4: "action read(note) >5",
  5: "action propose_tag(note) >6",
  6: "loopend >7",
  7: "action log the count >8",
  8: "end",
};

function edited(short: Short, ...operations: EditOperation[]): Diagram {
  return operations.reduce((diagram, operation) => {
    const applied = applyOperation(diagram, operation);
    expect(applied).toMatchObject({ kind: "edited" });
    return applied.kind === "edited" ? applied.diagram : diagram;
  }, drawn(short));
}

const compared = (...operations: EditOperation[]) => compareDiagrams(drawn(curator), edited(curator, ...operations));
const text = (icon: string, to: string): EditOperation => ({ op: "edit-text", icon, field: "content", text: to });
const insert = (icon: string, to: string): EditOperation => ({
  op: "insert-icon",
  at: one(icon),
  type: "action",
  text: to,
});

describe("D-8 L-5 a comparison of two diagrams", () => {
  it.each<[string, EditOperation[], "low" | "medium" | "high", string]>([
    ["a step that calls nothing", [insert("7", "thank the owner")], "low", 'a step is added: "thank the owner"'],
    ["another wording", [text("7", "log the number")], "low", 'a step changes: "log the count → log the number"'],
    [
      "a new check",
      [{ op: "insert-guard", at: one("1"), text: "is it day?" }],
      "medium",
      'a check is added: "is it day?" (yes → the loop "note; notes"; no → the end)',
    ],
    [
      "a check in a loop that ends the procedure",
      [{ op: "insert-guard", at: one("3"), text: "is it mine?", otherwise: "8" }],
      "medium",
      'a check is added: "is it mine?" (yes → "read(note)"; no → the end, leaving the loop "note; notes")',
    ],
    ["a new tool", [insert("4", "send_mail(owner)")], "high", '"send_mail" becomes reachable'],
    ["a new tool in words", [text("7", "then use delete-note(note)")], "high", '"delete-note" becomes reachable'],
    [
      "a builtin, which is not a tool",
      [text("7", "length(notes)")],
      "low",
      'a step changes: "log the count → length(notes)"',
    ],
    [
      "a called diagram",
      [{ op: "insert-icon", at: one("7"), type: "insertion", text: "Clean up" }],
      "high",
      '"Clean up" becomes reachable',
    ],
    ["a removed check", [{ op: "delete", icon: "3" }], "high", 'a check is removed: "words(note) < 200"'],
    [
      "a check whose exits lead to one icon",
      [{ op: "move-line", at: two("3"), to: "4" }],
      "high",
      'no longer behind the check "words(note) < 200" (yes): "read(note)", "propose_tag(note)"',
    ],
    [
      "a check with swapped answers",
      [{ op: "swap-answers", icon: "3" }],
      "high",
      'the answers of a check are swapped: "words(note) < 200"',
    ],
    [
      "a call moved before its check",
      [{ op: "move-step", icon: "5", at: one("2") }],
      "high",
      'no longer behind the check "words(note) < 200" (yes): "propose_tag(note)"',
    ],
    [
      "a second call that bypasses the check",
      [insert("2", "propose_tag(other)")],
      "high",
      'no longer behind the check "words(note) < 200" (yes): "propose_tag(other)"',
    ],
    [
      "another threshold",
      [text("3", "words(note) < 100")],
      "medium",
      'a threshold changes: "words(note) < 200 → words(note) < 100"',
    ],
    [
      "another condition",
      [text("3", "words(note) < limit")],
      "medium",
      'a condition changes: "words(note) < 200 → words(note) < limit"',
    ],
    [
      "another order",
      [{ op: "move-step", icon: "4", at: one("5") }],
      "medium",
      'the order changes: "read(note)" now comes after "propose_tag(note)"',
    ],
    ["another argument", [text("4", "read(all)")], "medium", 'a call changes: "read(note) → read(all)"'],
    ["a removed tool", [{ op: "remove-step", icon: "5" }], "high", 'an output is removed: "propose_tag(note)"'],
    ["the same tool again", [insert("5", "read(again)")], "medium", '"read" is called in one more place'],
    ["a new loop", [{ op: "insert-for-each", at: one("7"), text: "x; xs" }], "medium", 'a loop is added: "x; xs"'],
    ["a removed loop", [{ op: "delete", icon: "2" }], "medium", 'a loop is removed: "note; notes"'],
  ])("finds the risk of %s", (_, operations, level, reason) => {
    const { riskLevel, reasons } = compared(...operations);
    expect({ risk: riskLevel, reasons: reasons.map(({ en }) => en) }).toEqual({
      risk: level,
      reasons: expect.arrayContaining([expect.stringContaining(reason)]),
    });
  });

  it("marks icons, lists changes and summarizes them", () => {
    const found = compared(insert("7", "thank"), text("4", "read(all)"), { op: "move-step", icon: "7", at: one("9") });
    expect([...found.marks.after]).toEqual(
      expect.arrayContaining([
        ["9", "added"],
        ["4", "changed"],
      ]),
    );
    expect(found.changed).toEqual([{ before: "4", after: "4", textBefore: "read(note)", textAfter: "read(all)" }]);
    expect(found.summary).toEqual({
      en: '+1 icon, changed: 1: a call changes: "read(note) → read(all)"; a step is added: "thank"',
      uk: "+1 ікона, змінено: 1: змінюється виклик: «read(note) → read(all)»; додано крок: «thank»",
    });
    const removal = compared({ op: "remove-step", icon: "7" });
    expect([...removal.marks.before]).toEqual([["7", "removed"]]);
    expect(removal.removed).toEqual(["7"]);
  });

  it("quotes the part of a long text that changes", () => {
    const long = (word: string): Diagram =>
      edited(curator, text("7", `${"a long explanation ".repeat(6)}ends ${word}`));
    expect(compareDiagrams(long("here"), long("there")).facts.map(({ text: { en } }) => en)).toEqual([
      'a step changes: "…nation ends here → …nation ends there"',
    ]);
  });

  it("covers the valid part of a diagram with errors, and reports a high risk", () => {
    const found = compareDiagrams(drawn(curator), drawn({ ...curator, 5: "action propose_tag(note) >99" }));
    expect({ risk: found.riskLevel, reason: found.reasons[0]?.en }).toEqual({
      risk: "high",
      reason: "the new diagram has errors",
    });
    for (const broken of ["", "null", "{}", '{"items":{"1":{"type":"question","one":"1"}}}'])
      expect(compareDiagrams(readDiagram(broken).diagram, drawn(curator)).added).toContain("5");
  });

  it.each(examples)(
    "finds no difference in $name after it was saved by another editor or drawn anew",
    ({ text: source, diagram }) => {
      const nothing = compareDiagrams(diagram, diagram);
      expect({ summary: nothing.summary.en, risk: nothing.riskLevel, marks: nothing.marks.after.size }).toEqual({
        summary: "no difference",
        risk: "low",
        marks: 0,
      });
      const json = JSON.parse(source) as { items: Items };
      const other = jsonDiagram({ ...json, items: shuffledIds(json.items, seeded(7)) });
      const renumbered = compareDiagrams(diagram, other);
      const { added, removed, changed, moved, sameMeaning } = renumbered;
      expect({ added, removed, changed, moved, sameMeaning }).toEqual({
        added: [],
        removed: [],
        changed: [],
        moved: [],
        sameMeaning: true,
      });
      const { tree, findings } = structure(diagram);
      const again = compareDiagrams(diagram, diagramFromTree(tree!));
      const unreached = findings.filter(({ code }) => code === "W-UNREACHABLE").length;
      const control = [...diagram.icons.values()].filter(({ type }) => roleOf(type) !== "none").length - unreached;
      expect({ risk: again.riskLevel, sameMeaning: again.sameMeaning, added: again.added }).toEqual({
        risk: "low",
        sameMeaning: true,
        added: [],
      });
      expect(again.matched.length).toBeGreaterThanOrEqual(control * 0.9);
    },
  );
});
