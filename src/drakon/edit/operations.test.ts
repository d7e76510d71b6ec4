import { describe, expect, it } from "vitest";
import { readDiagram } from "../diagram/diagram.ts";
import {
  asked,
  chosen,
  drawn,
  each,
  loop,
  one,
  par,
  type Short,
  short,
  sil,
  simple,
  two,
} from "../testing/short-diagram.ts";
import { applyOperation, applyOperations } from "./apply-operation.ts";
import type { EditOperation } from "./operation.ts";
import { sockets } from "./sockets.ts";

describe("D-1 operations (FORMAT §8)", () => {
  it.each<[string, Short, EditOperation, Short]>([
    [
      "a step is inserted on a line",
      simple,
      { op: "insert-icon", at: one("2"), type: "action", text: "b" },
      { 2: "action a >4", 4: "action b >3" },
    ],
    [
      "a question is inserted with both exits to the target",
      simple,
      { op: "insert-question", at: one("1"), text: "q" },
      { 1: "branch >4 #0", 4: "question q >2 >>2" },
    ],
    [
      "a select is inserted with its cases",
      simple,
      { op: "insert-select", at: one("2"), text: "s", cases: ["x", "y", ""] },
      { 2: "action a >4", 4: "select s >5", 5: "case x >3 >>6", 6: "case y >3 >>7", 7: "case >3" },
    ],
    [
      "a for-each is inserted with both ends",
      simple,
      { op: "insert-for-each", at: one("2"), text: "x; xs" },
      { 2: "action a >5", 4: "loopend >3", 5: "loopbegin x; xs >4" },
    ],
    [
      "a parallel block is inserted",
      simple,
      { op: "insert-parallel", at: one("2") },
      { 2: "action a >6", 4: "parend >3", 5: "parbegin >4", 6: "parbegin >4 >>5" },
    ],
    [
      "a guard leads to the end",
      simple,
      { op: "insert-guard", at: one("1"), text: "ok?" },
      { 1: "branch >4 #0", 4: "question ok? >2 >>3" },
    ],
    [
      "a guard in a silhouette leads to the branch with the end",
      sil,
      { op: "insert-guard", at: one("1"), text: "ok?" },
      { 1: "branch A >6 #1", 6: "question ok? >4 >>3" },
    ],
    [
      "a guard in the branch with the end leads to the end",
      sil,
      { op: "insert-guard", at: one("3"), text: "ok?" },
      { 3: "branch C >6 #3", 6: "question ok? >5 >>5" },
    ],
    [
      "a guard inside a for-each leads to the next item",
      each,
      { op: "insert-guard", at: one("2"), text: "ok?" },
      { 2: "loopbegin x; xs >6", 6: "question ok? >3 >>4" },
    ],
    [
      "a guard behind a for-each leads to the end",
      each,
      { op: "insert-guard", at: one("4"), text: "ok?" },
      { 4: "loopend >6", 6: "question ok? >5 >>5" },
    ],
    [
      "a guard inside a parallel process leads to the end of the process",
      par,
      { op: "insert-guard", at: one("2"), text: "ok?" },
      { 2: "parbegin >7 >>3", 7: "question ok? >4 >>5" },
    ],
    [
      "a case is added to the right",
      chosen,
      { op: "add-case", beside: "4", side: "right", text: "n" },
      { 4: "case y >7 >>8", 8: "case n >7 >>5" },
    ],
    [
      "a case is added left of the first",
      chosen,
      { op: "add-case", beside: "3", side: "left", text: "n", to: "6" },
      { 2: "select s >8", 8: "case n >6 >>3" },
    ],
    [
      "a process is added",
      par,
      { op: "add-process", beside: "2", side: "left" },
      { 1: "branch >7 #0", 7: "parbegin >5 >>2" },
    ],
    [
      "a branch is inserted and takes over the addresses",
      sil,
      { op: "insert-branch", beside: "2", side: "left", name: "N" },
      { 4: "action a >6", 2: "branch B >3 #3", 3: "branch C >5 #4", 6: "branch N >2 #2" },
    ],
    [
      "a duration is added beside an icon",
      simple,
      { op: "insert-duration", beside: "2", text: "1 h" },
      { 2: "action a >3 |4", 4: "duration 1 h" },
    ],
    ["a step is deleted", simple, { op: "delete", icon: "2" }, { 1: "branch >3 #0", 2: "" }],
    [
      "a question is deleted with the icons that only its right exit reached",
      asked,
      { op: "delete", icon: "2" },
      { 1: "branch >3 #0", 2: "", 4: "" },
    ],
    [
      "a deleted select leaves the path of its first case",
      chosen,
      { op: "delete", icon: "2" },
      { 1: "branch >6 #0", 2: "", 3: "", 4: "", 5: "", 7: "" },
    ],
    [
      "a case is deleted with the icons that only it reached",
      chosen,
      { op: "delete", icon: "4" },
      { 3: "case x >6 >>5", 4: "", 7: "" },
    ],
    [
      "a deleted for-each leaves its body",
      each,
      { op: "delete", icon: "4" },
      { 1: "branch >3 #0", 2: "", 3: "action a >5", 4: "" },
    ],
    [
      "a deleted parallel block leaves its first process",
      par,
      { op: "delete", icon: "5" },
      { 1: "branch >4 #0", 2: "", 3: "", 4: "action a >6", 5: "" },
    ],
    [
      "a deleted branch leaves its addresses to the next one",
      sil,
      { op: "delete", icon: "2" },
      { 2: "", 3: "branch C >5 #2", 4: "action a >3" },
    ],
    [
      "a question with the line back is deleted with the arrow",
      loop,
      { op: "delete", icon: "4" },
      { 1: "branch >3 #0", 2: "", 3: "action a >5", 4: "" },
    ],
    [
      "an address is redirected",
      { ...sil, 4: "question q >2 >>3" },
      { op: "redirect-address", at: two("4"), to: "1" },
      { 4: "question q >2 >>1" },
    ],
    ["the end of a line is moved", asked, { op: "move-line", at: one("4"), to: "3" }, { 4: "action b >3" }],
    [
      "moving the last line back deletes the arrow",
      loop,
      { op: "move-line", at: two("4"), to: "5" },
      { 1: "branch >3 #0", 2: "", 4: "question q >5 >>5" },
    ],
    [
      "a loop is created",
      asked,
      { op: "make-loop", at: one("4"), above: one("1") },
      { 1: "branch >6 #0", 4: "action b >6", 6: "arrow-loop >2" },
    ],
    [
      "a primitive becomes a silhouette",
      simple,
      { op: "to-silhouette", names: ["A", "B", "C"] },
      { 1: "branch A >2 #1", 2: "action a >5", 4: "branch C >3 #3", 5: "branch B >4 #2" },
    ],
    [
      "a silhouette becomes a primitive",
      sil,
      { op: "to-primitive" },
      { 1: "branch A >4 #0", 2: "", 3: "", 4: "action a >5" },
    ],
    [
      "a step is moved",
      { ...simple, 2: "action a >4", 4: "action b >3" },
      { op: "move-step", icon: "4", at: one("1") },
      { 1: "branch >4 #0", 2: "action a >3", 4: "action b >2" },
    ],
  ])("%s", (_, before, operation, changed) => {
    const applied = applyOperation(drawn(before), operation);
    const expected = Object.fromEntries(Object.entries({ ...before, ...changed }).filter(([, line]) => line !== ""));
    expect(applied.kind === "edited" ? short(applied.diagram) : applied).toEqual(expected);
    const undone = applied.kind === "edited" ? applyOperation(applied.diagram, applied.inverse) : applied;
    expect(undone.kind === "edited" && undone.diagram.source.text).toBe(drawn(before).source.text);
  });

  it("an empty file gets its first two icons", () => {
    const applied = applyOperation(readDiagram("").diagram, { op: "start" });
    expect(applied.kind === "edited" && short(applied.diagram)).toEqual({ 1: "end", 2: "branch >1 #0" });
  });

  it("a diagram with errors may be edited", () => {
    const applied = applyOperation(drawn({ ...simple, 4: "case x >3" }), {
      op: "edit-text",
      icon: "2",
      field: "content",
      text: "b",
    });
    expect(applied.kind).toBe("edited");
  });

  it("a name is changed in place, HTML stays HTML, and swapping answers changes only the flag", () => {
    const text =
      '{"name":"N","x":1.0,"diagram":{"name":"N","items":{"1":{"type":"branch","branchId":0,"one":"2"},"2":{"type":"question","content":"<p>q</p>","one":"3","two":"3"},"3":{"type":"end"}}}}';
    const done = applyOperations(readDiagram(text).diagram, [
      { op: "edit-header", field: "name", text: "M" },
      { op: "edit-text", icon: "2", field: "content", text: "a < b" },
      { op: "swap-answers", icon: "2" },
    ]);
    expect(done.kind === "edited" && done.diagram.source.text).toBe(
      text
        .replaceAll('"N"', '"M"')
        .replace("<p>q</p>", "<p>a &lt; b</p>")
        .replace('"two":"3"}', '"two":"3","flag1":1}'),
    );
    const back = done.kind === "edited" ? applyOperations(done.diagram, done.inverses) : done;
    expect(back.kind === "edited" && back.diagram.source.text).toBe(text);
  });

  it("several operations are applied together or not at all", () => {
    const done = applyOperations(drawn(simple), [
      { op: "delete", icon: "2" },
      { op: "delete", icon: "2" },
    ]);
    expect(done).toMatchObject({ kind: "refused", index: 1 });
  });

  it("sockets are every single exit, and every join of lines", () => {
    expect(
      sockets(drawn(loop)).map(
        ({ line, target }) => `${line.map(({ icon, exit }) => icon + exit).join("+")}>${target}`,
      ),
    ).toEqual(["1one>2", "2one>3", "3one>4", "4one>5", "4two>2"]);
    expect(sockets(drawn(asked)).at(-1)).toMatchObject({
      joined: true,
      target: "5",
      line: [{ icon: "3" }, { icon: "4" }],
    });
  });
});
