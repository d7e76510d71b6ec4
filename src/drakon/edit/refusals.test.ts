import { describe, expect, it } from "vitest";
import { asked, chosen, drawn, each, loop, one, type Short, sil, simple, two } from "../testing/short-diagram.ts";
import { applyOperation } from "./apply-operation.ts";
import type { EditOperation } from "./operation.ts";

describe("D-2 an edit that would make a diagram invalid", () => {
  it.each<[string, Short, EditOperation, string]>([
    ["a deletion of an unknown icon", simple, { op: "delete", icon: "9" }, "there is no icon 9"],
    ["a deletion of the end", simple, { op: "delete", icon: "3" }, "icon 3 (end) cannot be deleted"],
    [
      "an insertion on a missing line",
      simple,
      { op: "insert-question", at: two("2"), text: "q" },
      "there is no such line",
    ],
    ["an empty question", simple, { op: "insert-question", at: one("1"), text: "" }, "icon 4: the question is empty"],
    [
      "a type that is not a step",
      simple,
      { op: "insert-icon", at: one("1"), type: "end", text: "" },
      "an icon of type end cannot be inserted",
    ],
    [
      "a deletion of one of two cases",
      { ...chosen, 4: "case y >7" },
      { op: "delete", icon: "4" },
      "the first case cannot be deleted, nor one of two cases",
    ],
    [
      "a moved line that makes icons unreachable",
      asked,
      { op: "move-line", at: two("2"), to: "3" },
      'icon 4 "b": no line leads to this icon',
    ],
    [
      "a line back without an arrow",
      asked,
      { op: "move-line", at: one("4"), to: "2" },
      'icon 2 "q": a line leads back to this icon without a loop arrow (from 4)',
    ],
    [
      "a line into a loop",
      { ...each, 1: "branch >6 #0", 6: "question q >2 >>5" },
      { op: "move-line", at: two("6"), to: "3" },
      'icon 3 "a": a line leads into the middle of this loop (from 2)',
    ],
    [
      "a loop that does not lead upwards",
      asked,
      { op: "make-loop", at: one("1"), above: one("4") },
      "the second line does not lie above the first",
    ],
    [
      "a branch in a primitive",
      simple,
      { op: "insert-branch", beside: "1", side: "left" },
      "only a silhouette has branches",
    ],
    [
      "a branch behind the end",
      sil,
      { op: "insert-branch", beside: "3", side: "right" },
      "no branch can follow the branch with the end",
    ],
    ["a second silhouette", sil, { op: "to-silhouette" }, "the diagram is already a silhouette"],
    [
      "a default in the middle",
      chosen,
      { op: "edit-text", icon: "3", field: "content", text: "" },
      "icon 3: only the last case may be empty",
    ],
    [
      "a text on an arrow",
      loop,
      { op: "edit-text", icon: "2", field: "content", text: "x" },
      "icon 2 has no such text",
    ],
    [
      "a text that the format cannot express",
      simple,
      { op: "edit-text", icon: "2", field: "content", text: " <p>x</p>" },
      "a text that looks like HTML cannot begin with a space",
    ],
    [
      "an undo of another edit",
      simple,
      { op: "restore", splices: [{ at: 3, remove: "zzz", insert: "" }] },
      "the diagram has changed in the meantime",
    ],
  ])("is refused: %s", (_, before, operation, reason) => {
    const applied = applyOperation(drawn(before), operation);
    expect(applied.kind === "refused" ? applied.reason.en : applied.kind).toContain(reason);
  });
});
