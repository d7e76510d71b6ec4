import type { EditOperation } from "../../src/drakon/edit/operation.ts";
import { asked, chosen, one, par, type Short, sil } from "../../src/drakon/testing/short-diagram.ts";

/** The acts of a person for an operation: at a place, by a button (or its key), with texts, and with a second place. */
export interface Wish {
  readonly at: string;
  readonly button: string;
  readonly key?: string;
  readonly texts?: readonly string[];
  readonly to?: string;
  readonly does: EditOperation;
}

export const text = "hello";
const steps: Short = { 1: "branch >2 #0", 2: "action a >3", 3: "action b >4", 4: "end" };

/** Every operation of FORMAT §8, on the least diagram that has a place for it. */
export const TABLE: readonly (readonly [Short, readonly Wish[]])[] = [
  [
    steps,
    [
      {
        at: "line 2.one",
        button: "Action",
        key: "a",
        texts: [text],
        does: { op: "insert-icon", at: one("2"), type: "action", text },
      },
      {
        at: "line 2.one",
        button: "Question",
        key: "q",
        texts: [text],
        does: { op: "insert-question", at: one("2"), text },
      },
      {
        at: "line 2.one",
        button: "Select",
        key: "s",
        texts: [text, "x\ny\n"],
        does: { op: "insert-select", at: one("2"), text, cases: ["x", "y", ""] },
      },
      {
        at: "line 2.one",
        button: "For each",
        key: "f",
        texts: ["x; xs"],
        does: { op: "insert-for-each", at: one("2"), text: "x; xs" },
      },
      { at: "line 2.one", button: "Parallel block", key: "p", does: { op: "insert-parallel", at: one("2") } },
      {
        at: "line 2.one",
        button: "Guard: continue only if",
        key: "g",
        texts: [text],
        does: { op: "insert-guard", at: one("2"), text },
      },
      {
        at: "icon 2",
        button: "Add duration",
        key: "d",
        texts: ["1 h"],
        does: { op: "insert-duration", beside: "2", text: "1 h" },
      },
      {
        at: "icon 2",
        button: "Edit text",
        key: "Enter",
        texts: [text],
        does: { op: "edit-text", icon: "2", field: "content", text },
      },
      { at: "icon 2", button: "Delete", key: "Delete", does: { op: "delete", icon: "2" } },
      {
        at: "icon 2",
        button: "Move to another line",
        key: "m",
        to: "line 3.one",
        does: { op: "move-step", icon: "2", at: one("3") },
      },
      {
        at: "header",
        button: "Convert to silhouette (branches)",
        does: { op: "to-silhouette", names: ["Branch 1", "Branch 2", "Exit"] },
      },
      {
        at: "header",
        button: "Name and parameters",
        texts: ["Named"],
        does: { op: "edit-header", field: "name", text: "Named" },
      },
    ],
  ],
  [
    asked,
    [
      { at: "icon 2", button: "Swap yes and no", key: "w", does: { op: "swap-answers", icon: "2" } },
      { at: "icon 2", button: "Flip branches", key: "t", does: { op: "turn-question", icon: "2" } },
      { at: "icon 2", button: "Delete", key: "Delete", does: { op: "delete", icon: "2" } },
      {
        at: "line 3.one",
        button: "Lead to another icon",
        key: "m",
        to: "icon 4",
        does: { op: "move-line", at: one("3"), to: "4" },
      },
      {
        at: "line 4.one",
        button: "Lead back up (loop)",
        key: "l",
        to: "line 1.one",
        does: { op: "make-loop", at: one("4"), above: one("1") },
      },
    ],
  ],
  [
    chosen,
    [
      {
        at: "icon 3",
        button: "Add case to the left",
        texts: [text],
        does: { op: "add-case", beside: "3", side: "left", text },
      },
      {
        at: "icon 3",
        button: "Add case to the right",
        texts: [text],
        does: { op: "add-case", beside: "3", side: "right", text },
      },
    ],
  ],
  [
    par,
    [
      { at: "icon 2", button: "Add process to the left", does: { op: "add-process", beside: "2", side: "left" } },
      { at: "icon 3", button: "Add process to the right", does: { op: "add-process", beside: "3", side: "right" } },
    ],
  ],
  [
    sil,
    [
      {
        at: "icon 2",
        button: "Add branch to the left",
        texts: ["New"],
        does: { op: "insert-branch", beside: "2", side: "left", name: "New" },
      },
      {
        at: "icon 2",
        button: "Add branch to the right",
        texts: ["New"],
        does: { op: "insert-branch", beside: "2", side: "right", name: "New" },
      },
      { at: "icon 2", button: "Delete", key: "Delete", does: { op: "delete", icon: "2" } },
      {
        at: "address 4.one",
        button: "Go to another branch",
        key: "r",
        to: "icon 3",
        does: { op: "redirect-address", at: one("4"), to: "3" },
      },
      {
        at: "header",
        button: "Convert to primitive (first branch only)",
        does: { op: "to-primitive" },
      },
    ],
  ],
];

type Drag = readonly [from: string, to: string, does: EditOperation];

export const DRAGS: readonly (readonly [Short, readonly Drag[]])[] = [
  [steps, [["icon 2", "line 3.one", { op: "move-step", icon: "2", at: one("3") }]]],
  [
    asked,
    [
      ["line 3.one", "icon 4", { op: "move-line", at: one("3"), to: "4" }],
      ["line 4.one", "line 1.one", { op: "make-loop", at: one("4"), above: one("1") }],
    ],
  ],
  [sil, [["address 4.one", "icon 3", { op: "redirect-address", at: one("4"), to: "3" }]]],
];
