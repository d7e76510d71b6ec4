import { expect, test } from "vitest";
import { actions, isAction, ruleActions } from "./action.ts";

test("P-4 P-9 there are these ten actions and no other, and a rule may approve neither logic nor a merge", () => {
  const decidedByPeople = ["logic-rollback", "logic-update", "propose-merge"];
  const others = [
    "memory-update",
    "propose-artifact",
    "propose-comment",
    "propose-edit",
    "propose-note",
    "propose-summary",
    "propose-tag",
  ];
  expect(actions.toSorted()).toEqual([...decidedByPeople, ...others].toSorted());
  expect(ruleActions.toSorted()).toEqual(others);
  expect(["propose-contract", "Propose-note", "constructor", ""].filter(isAction)).toEqual([]);
});
