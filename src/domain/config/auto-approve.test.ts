import { expect, test } from "vitest";
import { type Action, actions } from "../proposal/action.ts";
import type { Operation } from "../proposal/operation.ts";
import { ownValuesRule, type Rule, ruleFor, ruleName, ruleText } from "./auto-approve.ts";

/** A rule that matches everything, which `garden.yaml` cannot express. */
const everything: Rule = { source: "agent", actions: [...actions] };
const asked = (action: Action, over: { target?: string; identity?: string; payload?: object } = {}) => ({
  action,
  source: { type: "agent" as const, identity: over.identity ?? "archivist", authenticated: true, timestamp: "" },
  target: over.target ?? "notes/a.md",
  operation: { action, payload: over.payload ?? { operations: [] } } as unknown as Operation,
});

test("P-9 no rule matches a change of logic or a merge", () => {
  const matched = actions.filter((action) => ruleFor([everything], asked(action)) !== undefined);
  expect(actions.filter((action) => !matched.includes(action))).toEqual([
    "logic-update",
    "logic-rollback",
    "propose-merge",
  ]);
});

test("M-4 M-5 memory of high priority, and a restore of memory, need a person", () => {
  const match = (priority: string, op: string) =>
    ruleFor([everything], asked("memory-update", { payload: { priority, operations: [{ op }] } }));
  expect({
    normal: match("normal", "append")?.number,
    high: match("high", "append"),
    restore: match("normal", "restore"),
  }).toEqual({ normal: 1, high: undefined, restore: undefined });
});

test("P-9 the first matching rule is returned", () => {
  const rules: Rule[] = [
    { source: "owner", actions: ["propose-tag"] },
    { source: "agent", identity: "echo", actions: ["propose-tag"] },
    { source: "agent", actions: ["propose-tag"], folder: "notes/music" },
    { source: "agent", actions: ["propose-tag", "propose-note"] },
  ];
  const texts = [
    asked("propose-tag", { target: "notes/music/a.md" }),
    asked("propose-tag", { target: "notes/musical.md" }),
    asked("propose-tag", { identity: "echo" }),
    asked("propose-edit"),
  ].map((proposal) => {
    const match = ruleFor(rules, proposal);
    return match && ruleText(match.rule, match.number);
  });
  expect(texts).toEqual([
    "auto_approve[3] agent: propose-tag in notes/music",
    "auto_approve[4] agent: propose-tag, propose-note",
    "auto_approve[2] agent echo: propose-tag",
    undefined,
  ]);
});

test("P-9 an unauthenticated sender matches no rule", () => {
  const unknown = asked("propose-tag");
  expect(ruleFor([everything], { ...unknown, source: { ...unknown.source, authenticated: false } })).toBeUndefined();
});

test("O-7 a proposal of a fork needs a person", () => {
  const fork = { ...asked("propose-tag"), forked_from: "run_2026-02-14_080000_abc123" };
  expect({ original: ruleFor([everything], asked("propose-tag"))?.number, fork: ruleFor([everything], fork) }).toEqual({
    original: 1,
    fork: undefined,
  });
});

test("P-9 a rule for own values matches an agent's own named values and nothing else", () => {
  const values = { op: "observe", text: "", values: { last_run: 1 } };
  const by = (operations: object[], agent = "archivist", identity = "archivist") =>
    ruleFor([ownValuesRule("archivist")], asked("memory-update", { identity, payload: { agent, operations } }));
  expect({
    values: by([values, values])?.number,
    withText: by([{ ...values, text: "it rained" }]),
    withFact: by([values, { op: "append", file: "facts.md", text: "- x" }]),
    ofAnother: by([values], "gardener"),
    byAnother: by([values], "gardener", "gardener"),
  }).toEqual({ values: 1, withText: undefined, withFact: undefined, ofAnother: undefined, byAnother: undefined });
});

test("P-10d a rule is called by its name, or by its number", () => {
  expect([ruleName(ownValuesRule("archivist"), 3), ruleName(everything, 3)]).toEqual([
    "rule:values-of-archivist",
    "rule:3",
  ]);
});
