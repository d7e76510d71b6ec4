import { expect, test } from "vitest";
import { didYouMean } from "./did-you-mean.ts";

const words = ["name", "notes_root", "auto_approve", "models", "egress", "status", "verify"];

test.each([
  ["nmae", "name"],
  ["notes-root", "notes_root"],
  ["NotesRoot", "notes_root"],
  ["autoapprove", "auto_approve"],
  ["model", "models"],
  ["stauts", "status"],
  ["verfy", "verify"],
  ["xyz", undefined],
  ["", undefined],
  ["q", undefined],
  ["x".repeat(100_000), undefined],
])("for %j the suggestion is %j", (word, meant) => {
  expect(didYouMean(word, words)).toBe(meant);
});
