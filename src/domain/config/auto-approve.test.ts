import { expect, test } from "vitest";
import { type Action, actions } from "../proposal/action.ts";
import type { Operation } from "../proposal/operation.ts";
import { type Rule, ruleFor, ruleText } from "./auto-approve.ts";

/** A rule for everything, as nobody could write it into `garden.yaml`. */
const everything: Rule = { source: "agent", actions: [...actions] };
const asked = (action: Action, over: { target?: string; identity?: string; payload?: object } = {}) => ({
  action,
  source: { type: "agent" as const, identity: over.identity ?? "archivist", authenticated: true, timestamp: "" },
  target: over.target ?? "notes/a.md",
  operation: { action, payload: over.payload ?? { operations: [] } } as unknown as Operation,
});

test("P-9 no rule ever matches logic or a merge, whatever it says", () => {
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
  expect([match("normal", "append")?.number, match("high", "append"), match("normal", "restore")]).toEqual([
    1,
    undefined,
    undefined,
  ]);
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
  const nobody = asked("propose-tag");
  expect(ruleFor([everything], { ...nobody, source: { ...nobody.source, authenticated: false } })).toBeUndefined();
});

test("O-7 a proposal of a fork needs a person", () => {
  const fork = { ...asked("propose-tag"), forked_from: "run_2026-02-14_080000_abc123" };
  expect([ruleFor([everything], asked("propose-tag"))?.number, ruleFor([everything], fork)]).toEqual([1, undefined]);
});
