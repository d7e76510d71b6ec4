import { describe, expect, test } from "vitest";
import type { Json } from "../../base/canonical.ts";
import type { Step, Tree, TreeNode } from "../tree.ts";
import { MAX_CALL_DEPTH } from "./machine.ts";
import { answerFault, answerTo, type Request, type RequestedEffect } from "./request.ts";
import { answered, program, programOf } from "./testing/procedures.ts";
import { replay, walkAll } from "./testing/replay.ts";

const treeWith = (...body: TreeNode[]): Tree => ({
  name: "one",
  params: "",
  description: "",
  silhouette: false,
  branches: [{ icon: "0", name: "", body }],
});

const step = (kind: string, text: string, more: Partial<Step> = {}): TreeNode => ({
  node: "step",
  kind,
  icon: "1",
  text,
  ...more,
});

describe("every icon with an effect makes a request of its kind", () => {
  const duration = (text: string): Partial<Step> => ({ duration: { icon: "9", text } });
  test.each<[string, TreeNode, string, string, object]>([
    ["a tool", step("action", "x ← read-notes(a)"), "tool", "read-notes", { folder: 1 }],
    ["a tool with too many arguments", step("action", "f(a, 2, к: 3)"), "tool", "f", { args: [1, 2], к: 3 }],
    ["words", step("action", "Think of a"), "llm", "do", { text: "Think of a", values: { a: 1 } }],
    ["words with a target", step("action", "x ← think of a"), "llm", "do", { text: "think of a", values: { a: 1 } }],
    [
      "a simple input",
      step("simpleinput", "Name?"),
      "human",
      "ask-human",
      { question: "Name?", form: "text", values: {} },
    ],
    [
      "a question to a person",
      step("action", 'x ← ask-human("Ok?", форма: "review")'),
      "human",
      "ask-human",
      { question: "Ok?", form: "review" },
    ],
    ["a pause", step("pause", "5 min"), "sleep", "sleep", { duration: "5 min" }],
    ["a timer", step("timer", "5 хв"), "sleep", "sleep", { duration: "5 хв" }],
    ["a beginning beside an icon", step("comment", "x", duration("t = 5")), "sleep", "sleep", { duration: "t = 5" }],
    ["a duration beside an icon", step("comment", "x", duration("20 min")), "sleep", "sleep", { duration: "20 min" }],
    ["an input", step("input", "payment"), "receive", "payment", { signal: "payment" }],
    ["a signal", step("action", 'x ← receive("paid")'), "receive", "paid", { signal: "paid" }],
    ["a process", step("process", "Explore"), "spawn", "spawn", { goal: "Explore", values: {} }],
    ["a spawn", step("action", 'spawn(ціль: "Explore")'), "spawn", "spawn", { goal: "Explore" }],
    [
      "an insertion from elsewhere",
      step("insertion", "Other(a, k: 2)"),
      "call",
      "Other",
      { args: [1], named: { k: 2 } },
    ],
    ["a commit", step("action", 'commit("msg", kind: "x")'), "commit", "commit", { message: "msg", kind: "x" }],
    ["a proposal", step("action", 'create-proposal("t")'), "propose", "create-proposal", { type: "t" }],
    ["an output of a value", step("output", "a", { secondary: "log" }), "notify", "notify", { text: 1, to: "log" }],
    [
      "an output of words",
      step("simpleoutput", "All is done"),
      "notify",
      "notify",
      { text: "All is done", values: {} },
    ],
    ["the clock", step("action", "x ← зараз()"), "now", "now", {}],
    ["chance", step("action", "x ← random()"), "random", "random", {}],
    ["a shelf", step("shelf", "read-notes(a)", { secondary: "x" }), "tool", "read-notes", { folder: 1 }],
    ["an unknown icon", step("hexagon", "read-notes(a)"), "tool", "read-notes", { folder: 1 }],
  ])("%s", (_, node, kind, name, payload) => {
    const { requests } = replay(programOf(treeWith(node)), { a: 1 }, []);
    expect(requests).toMatchObject([{ kind, name }]);
    expect(requests[0]!.payload).toEqual(payload);
  });

  test("a select in natural language asks for one of its cases, or for none if it has a default", () => {
    const select = (otherwise: boolean): Tree =>
      treeWith({
        node: "select",
        icon: "1",
        text: "Which is it?",
        cases: ["red", "green"].map((text) => ({ icon: text, text, body: [] })),
        ...(otherwise && { otherwise: { icon: "none", body: [] } }),
      });
    const [open] = replay(programOf(select(true)), {}, []).requests;
    expect(open!.payload).toMatchObject({ options: ["red", "green"], otherwise: true });
    const went = (tree: Tree, value: Json): unknown => {
      const [asked] = replay(programOf(tree), {}, []).requests;
      const { end, trace } = replay(programOf(tree), {}, [answerTo(asked!, value)]);
      return end?.kind === "failed" ? end.problem.code : trace.at(-1)!.icon;
    };
    expect(went(select(true), "green")).toBe("green");
    expect(went(select(true), null)).toBe("none");
    expect(went(select(true), "blue")).toBe("wrong-answer");
    expect(went(select(false), null)).toBe("wrong-answer");
  });

  test.each<[string, Json, string]>([
    ["5", 5, "5"],
    ['"5"', "5", "5"],
    ["word", "word", "word"],
    ["так", true, "так"],
    ["limit", 7, "limit"],
    ["so many words", "so many words", "so many words"],
  ])("a select over a value takes the case %s for %j", (label, value, icon) => {
    const cases = ["no such", label].map((text) => ({ icon: text.replaceAll('"', ""), text, body: [] }));
    const tree = treeWith({ node: "select", icon: "1", text: "x", cases });
    expect(replay(programOf(tree), { x: value, limit: 7 }, []).trace.at(-1)!.icon).toBe(icon);
    expect(replay(programOf(tree), { x: [], limit: 7 }, []).end).toMatchObject({ problem: { code: "no-case" } });
  });
});

describe("answers are checked against the form of the request", () => {
  const ask = (kind: RequestedEffect["kind"], payload: object = {}, name: string = kind): RequestedEffect => ({
    kind,
    name,
    payload: payload as RequestedEffect["payload"],
  });
  test.each<[RequestedEffect, readonly Json[], readonly Json[]]>([
    [ask("judge", {}, "question"), [true, false], ["true", null, 1]],
    [ask("judge", {}, "items"), [[], [1]], ["x", {}, null]],
    [ask("human", { form: "text" }), [{ text: "" }], ["x", {}, null]],
    [ask("human", { form: "number" }), [{ number: 5 }], [{ number: "5" }, 5]],
    [
      ask("human", { form: "review" }),
      [{ decision: "approve" }, { decision: "reject", comment: "no" }],
      [{ decision: "maybe" }],
    ],
    [ask("human", { form: "choice", options: ["a"] }), [{ choice: "a" }], [{ choice: "b" }, {}]],
    [ask("sleep"), [null, { wokeAt: 5 }], [5, {}]],
    [ask("spawn"), [{ agent: "x" }], [null, {}]],
    [ask("commit"), [{ commit: "a".repeat(40) }], [{ commit: "abc" }, { commit: 5 }]],
    [ask("propose"), [{ proposal: "prop_1" }, { proposal: "p", status: "pending" }], [{}, "x"]],
    [ask("notify"), [null], [0]],
    [ask("now"), [5], ["5", null]],
    [ask("random"), [0, 0.5], [1, -1, null]],
    [ask("tool"), [null, 5, { a: [] }], []],
  ])("%j", (asked, good, bad) => {
    for (const value of good) expect(answerFault(asked, value)).toBeUndefined();
    for (const value of bad) expect(answerFault(asked, value)?.uk).toBeTypeOf("string");
  });

  test.each(["__proto__", "unknown", 5])(
    "a question to a person in the form %j is refused before it is asked",
    (form) => {
      const what = programOf(treeWith(step("action", 'ask-human("x", form: f)')));
      expect(replay(what, { f: form }, []).end).toMatchObject({ problem: { code: "arguments", icon: "1" } });
    },
  );
});

describe("parallel", () => {
  const both = program(`BEGIN "both"
  PARALLEL
    PROCESS 1
      a ← read-notes("1")
      last ← 1
    PROCESS 2
      b ← read-notes("2")
      last ← 2
  END PARALLEL
  result ← [a, b, last]
END`);

  test("processes have all their requests open at once, and answers take effect in the order of the journal", () => {
    const [one, two] = replay(both, {}, []).requests as [Request, Request];
    expect([one, two]).toMatchObject([{ payload: { folder: "1" } }, { payload: { folder: "2" } }]);
    const forth = [answerTo(one, "x"), answerTo(two, "y")];
    expect(replay(both, {}, forth).end).toEqual({ kind: "returned", value: ["x", "y", 2] });
    expect(replay(both, {}, forth.toReversed()).end).toEqual({ kind: "returned", value: ["x", "y", 1] });
    expect(replay(both, {}, forth.slice(1)).requests).toEqual([one]);
  });
});

test("an end inside a process ends that process only: the others and the rest of the procedure continue", () => {
  const what = program(`BEGIN "ends"
  PARALLEL
    PROCESS 1
      IF early
        → END
      x ← never()
    PROCESS 2
      y ← read-notes("2")
  END PARALLEL
  result ← y
END`);
  const journal = answered(what, { early: true }, ["notes"]);
  expect(replay(what, { early: true }, journal).end).toEqual({ kind: "returned", value: "notes" });
});

describe("an icon with several effects", () => {
  test("an icon makes two requests for two equal calls", () => {
    const what = programOf(treeWith(step("action", "result ← [f(), f()]")));
    const journal = answered(what, {}, [1, 2]);
    expect(journal[0]!.sem).toBe(journal[1]!.sem);
    expect(journal[0]!.id).not.toBe(journal[1]!.id);
    expect(replay(what, {}, journal).end).toEqual({ kind: "returned", value: [1, 2] });
  });

  test("an unbound name is requested once per visit", () => {
    const what = programOf(treeWith(step("action", "result ← f(somebody, somebody)")));
    const { requests } = replay(what, {}, answered(what, {}, ["Ada"]));
    expect(requests).toMatchObject([{ kind: "tool", payload: { args: ["Ada", "Ada"] } }]);
  });
});

describe("insertions", () => {
  const double = 'BEGIN "Double it"\n  PARAMETERS n\n  base ← read-context(n)\n  result ← base * 2\nEND';
  test("an insertion calls the diagram of that name, with positional or named arguments, and gets its result", () => {
    const main = 'BEGIN "main"\n  CALL a ← Double it(5)\n  CALL b ← "Double  it"(n: a)\n  result ← [a, b]\nEND';
    const what = program(main, double);
    const walked = walkAll(what, {}, ({ payload }) => payload["name"] as number);
    expect(walked.end).toEqual({ kind: "returned", value: [10, 20] });
    expect(walked.journal).toHaveLength(2);
    expect(walked.trace.map(({ proc }) => proc)).toContain("/1.0.0");
  });

  test.each([
    ["CALL Double it(1, 2)", "input"],
    ["CALL Double it(m: 2)", "input"],
    ["CALL Double it", "missing-input"],
  ])("%s fails: %s", (line, code) => {
    expect(replay(program(`BEGIN "main"\n  ${line}\nEND`, double), {}, []).end).toMatchObject({ problem: { code } });
  });

  test("endless recursion is stopped by the call depth", () => {
    const what = program('BEGIN "main"\n  CALL main\nEND');
    const { end } = replay(what, {}, []);
    expect(end).toMatchObject({ problem: { code: "call-depth" } });
    expect(end?.kind === "failed" && end.problem.message.en).toContain(String(MAX_CALL_DEPTH));
  });
});
