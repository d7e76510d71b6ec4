import { describe, expect, test } from "vitest";
import type { Json } from "../../base/canonical.ts";
import { analyse } from "../expression/analyse.ts";
import type { Block, Condition, Tree, TreeNode } from "../tree.ts";
import type { CallResult } from "./call-result.ts";
import { type Program } from "./frame.ts";
import { answerTo, type Request } from "./request.ts";
import { type ReplayRules, retrace, walkProgram } from "./retrace.ts";
import { program, programOf } from "./testing/procedures.ts";
import { replay, walkAll } from "./testing/replay.ts";

const treeWith = (body: Block): Tree => ({
  name: "one",
  params: "",
  description: "",
  silhouette: false,
  branches: [{ icon: "0", name: "", body }],
});
const step = (icon: string, text: string): TreeNode => ({ node: "step", kind: "action", icon, text });
const question = (icon: string, text: string): Condition => ({ is: "question", icon, text });

/** Every answer depends on all earlier changes. */
const PLAIN: ReplayRules = {
  options: {},
  dependencyOf: () => ({ how: "changes" }),
  nextBatch: (open) => open.slice(0, 1),
  derivedAnswer: () => undefined,
  errorAnswer: () => undefined,
};
const said = ({ payload }: Request): CallResult => ({ kind: "value", value: payload });

/** CPU milliseconds, the best of three. */
function cost(work: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 3; i++) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const DEPTH = 10_000;

/** Shapes of `n` icons that are deep, wide or long. */
const shapes: Record<string, (n: number) => Tree> = {
  "nested questions": (n) => {
    let body: Block = [step("last", "x ← 1")];
    for (let i = 0; i < n; i++) body = [{ node: "if", condition: question(`q${i}`, "n < 5"), yes: body, no: [] }];
    return treeWith(body);
  },
  "a chain of steps": (n) => treeWith(Array.from({ length: n }, (_, i) => step(`s${i}`, "n ← n + 1"))),
  "one condition of many questions": (n) => {
    const of = Array.from({ length: n }, (_, i) => question(`q${i}`, "n < 5"));
    return treeWith([{ node: "if", condition: { is: "and", of }, yes: [], no: [] }]);
  },
  "a condition that is nested": (n) => {
    let condition: Condition = question("q", "n < 5");
    for (let i = 0; i < n; i++)
      condition = { is: i % 2 === 0 ? "and" : "or", of: [question(`q${i}`, "n < 5"), { is: "not", of: condition }] };
    return treeWith([{ node: "if", condition, yes: [], no: [] }]);
  },
  "nested loops": (n) => {
    let body: Block = [step("last", "x ← 1"), { node: "break" }];
    for (let i = 0; i < n; i++) body = [{ node: "loop", icon: `l${i}`, body }, { node: "break" }];
    return treeWith([{ node: "loop", icon: "first", body }]);
  },
  "nested parallel blocks": (n) => {
    let body: Block = [step("last", "x ← 1")];
    for (let i = 0; i < n; i++)
      body = [{ node: "parallel", processes: [{ icon: `p${i}`, text: "", body }], endIcon: `e${i}` }];
    return treeWith(body);
  },
};

describe("a deep drawing does not overflow the stack, and its cost is linear", () => {
  test.each(Object.keys(shapes))("%s", (name) => {
    const walkOf = (n: number) => () => {
      const { end } = replay(programOf(shapes[name]!(n)), { n: 0 }, []);
      expect(end).toEqual({ kind: "done" });
    };
    const [small, large] = [cost(walkOf(DEPTH / 10)), cost(walkOf(DEPTH))];
    process.stdout.write(`${name}: ${DEPTH} icons ${large.toFixed(0)} ms, a tenth ${small.toFixed(1)} ms\n`);
    expect(large).toBeLessThan(2500);
    // Below a few milliseconds the measurement is mostly noise.
    expect(large / Math.max(small, 5)).toBeLessThan(40);
    expect(analyse(shapes[name]!(DEPTH), { given: ["n"] }).findings).toEqual([]);
  });
});

test("a request in nested loops carries the items of the innermost loops only, so that a walk does not grow with its square", () => {
  let body: Block = [step("last", "think about it")];
  for (let i = 300; i > 0; i--)
    body = [{ node: "for-each", icon: `f${i}`, endIcon: `e${i}`, text: `Repeat for thing ${i}`, endText: "", body }];
  const values: Json[] = [];
  const answer = ({ kind, payload }: Request): Json => {
    values.push(payload["values"]!);
    return kind === "judge" ? ["one"] : "done";
  };
  walkAll(programOf(treeWith(body)), {}, answer);
  expect(values).toHaveLength(301);
  expect(Object.keys(values[1]!)).toEqual(["Repeat for thing 1"]);
  expect(Object.keys(values[300]!).toSorted()).toEqual(
    Array.from({ length: 32 }, (_, i) => `Repeat for thing ${300 - i}`).toSorted(),
  );
});

describe("the cost of a replay is linear in the journal and the steps", () => {
  const many = program(`BEGIN "many"
  FOR EACH x IN xs
    IF x > 0
      note ← read-context(x)
      IF note is empty
        → NEXT
    sum ← read-context(note)
  END FOR
END`);
  const input = (n: number): { xs: number[] } => ({ xs: Array.from({ length: n }, (_, i) => i + 1) });
  const journalOf = (what: Program, n: number) =>
    walkAll(what, input(n), ({ payload }): Json => payload["name"]!).journal;

  test("a journal of 200 entries is replayed in a few milliseconds, one of 20,000 in linear time", () => {
    const [short, long] = [journalOf(many, 100), journalOf(many, 10_000)];
    expect({ short: short.length, long: long.length }).toEqual({ short: 200, long: 20_000 });
    const small = cost(() => expect(replay(many, input(100), short).end).toEqual({ kind: "done" }));
    const large = cost(() => expect(replay(many, input(10_000), long).end).toEqual({ kind: "done" }));
    const told = walkProgram(many, input(10_000), PLAIN, said).answers;
    const other = cost(() => expect(retrace(many, input(10_000), told, PLAIN).answers).toHaveLength(20_000));
    process.stdout.write(
      `replay: 200 entries ${small.toFixed(1)} ms, 20,000 ${large.toFixed(0)} ms; counterfactual ${other.toFixed(0)} ms\n`,
    );
    expect(small).toBeLessThan(300);
    expect(large / Math.max(small, 4)).toBeLessThan(400);
  });
});

describe("bad input", () => {
  const say = programOf(treeWith([step("1", "read-notes(x)")]));

  test.each<[string, Json]>([
    ["half of a surrogate pair", "\ud800"],
    ["a value that is too deep", JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as Json],
    ["a value that is too large", Array.from({ length: 1_100_000 }, () => 0)],
  ])("%s in the input ends the walk as failed", (_, x) => {
    expect(replay(say, { x }, []).end).toMatchObject({ kind: "failed", problem: { code: "input" } });
  });

  test("such a value in an answer ends the walk as failed", () => {
    const [request] = replay(say, { x: 1 }, []).requests;
    const deep = JSON.parse(`${"[".repeat(5000)}${"]".repeat(5000)}`) as Json;
    expect(replay(say, { x: 1 }, [answerTo(request!, deep)]).end).toMatchObject({
      problem: { code: "wrong-answer", position: 0 },
    });
  });

  test("members of the JavaScript prototype have no meaning", () => {
    const odd = programOf(treeWith([step("1", "f(__proto__: x, constructor: x.constructor, y: x.__proto__)")]));
    const [request] = replay(odd, JSON.parse('{"x":{"a":1},"__proto__":5}') as { x: Json }, []).requests;
    expect(Object.entries(request!.payload)).toEqual([
      ["__proto__", { a: 1 }],
      ["constructor", null],
      ["y", null],
    ]);
  });

  test("an expression that grows without bound is stopped", () => {
    const body: Block = [step("1", "x ← [x, x]")];
    const growing = programOf(treeWith([{ node: "loop", icon: "2", body }]));
    expect(replay(growing, { x: 1 }, []).end).toMatchObject({ problem: { code: "too-large", icon: "1" } });
  });
});
