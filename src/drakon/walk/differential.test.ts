import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../base/canonical.ts";
import { type Diagram, diagramFromJson, readDiagram } from "../diagram.ts";
import { parametersOf } from "../expression/parameters.ts";
import { structure } from "../structure.ts";
import { structuredItems } from "../testing/arbitrary-diagram.ts";
import { type GraphRequest, graphWalk } from "../testing/graph-walk.ts";
import type { Tree } from "../tree.ts";
import { replay, walkAll } from "./replay.ts";
import { type Ask, answerFault } from "./request.ts";
import { dressed } from "./testing/dressed-items.ts";

/** Answers that follow from a seed, what is asked and where, so that both walks are told the same. */
const oracle =
  (seed: number) =>
  (request: Omit<GraphRequest, "id">): Json => {
    const { diagram, icon, visit, statement, kind, name, payload } = request;
    const mark = JSON.stringify([seed, diagram, icon, visit, statement, kind, name, payload]);
    const draw = createHash("sha1").update(mark).digest().readUInt16BE(0);
    return answerOf(request, draw);
  };

function answerOf({ kind, name, payload }: Ask, draw: number): Json {
  const list = Array.from({ length: draw % 3 }, (_, index) => `item ${draw}.${index}`);
  if (kind === "judge" && name === "question") return draw % 2 === 0;
  if (kind === "judge" && name === "items") return list;
  if (kind === "judge") {
    const options = payload["options"] as readonly string[];
    const count = options.length + (payload["otherwise"] === true ? 1 : 0);
    return options[draw % count] ?? null;
  }
  if (kind === "human") return { text: `text ${draw}` };
  if (kind === "sleep" || kind === "notify") return null;
  if (kind === "spawn") return { agent: `agent-${draw}` };
  if (kind === "propose") return { proposal: `prop ${draw}` };
  if (kind === "now") return draw;
  return [draw, `word ${draw}`, list, draw % 2 === 0, { text: "x", tags: list }][draw % 5]!;
}

const sub: Diagram = diagramFromJson({
  name: "Sub",
  params: "value",
  items: {
    1: { type: "branch", branchId: 0, one: "2" },
    2: { type: "question", content: "Is value good?", flag1: 1, one: "3", two: "4" },
    3: { type: "action", content: "result ← read-context(value)", one: "5" },
    4: { type: "action", content: "result ← [value]", one: "5" },
    5: { type: "end" },
  },
}).diagram;
const subTree = structure(sub).tree!;

const shared = { a: 1, b: "two", c: [3], n: 0, xs: ["p", "q"] };

/** Whatever a drawing calls its parameters, they have values. */
const inputOf = ({ params }: Tree): { [name: string]: Json } => ({
  ...Object.fromEntries(parametersOf(params).map((name, index) => [name, index])),
  ...shared,
});

function compare(diagram: Diagram, tree: Tree, seed: number): { steps: number; end: string } {
  const input = inputOf(tree);
  const graph = graphWalk(
    new Map([
      ["Main", diagram],
      ["Sub", sub],
    ]),
    "Main",
    input,
    oracle(seed),
    300,
  );
  const program = {
    trees: new Map([
      ["Main", tree],
      ["Sub", subTree],
    ]),
    main: "Main",
  };
  const walked = walkAll(program, input, oracle(seed), { maxSteps: 1200 });
  const lines = walked.trace.map(
    (entry) => `${entry.diagram} ${entry.icon} ${entry.visit}${entry.answer === undefined ? "" : ` ${entry.answer}`}`,
  );
  const length = Math.min(graph.trace.length, lines.length) - 20;
  const { end } = walked;
  if (graph.end === "failed long") {
    // Both would go on: whatever one had open when it was cut off has no answer yet.
    expect(lines.slice(0, length).join("\n")).toBe(graph.trace.slice(0, length).join("\n"));
    return { steps: length, end: "long" };
  }
  expect(lines.join("\n")).toBe(graph.trace.join("\n"));
  const told =
    end?.kind === "failed"
      ? `failed ${end.problem.code}`
      : end?.kind === "returned"
        ? `returned ${JSON.stringify(end.value)}`
        : end?.kind;
  expect(told).toBe(graph.end);
  return { steps: lines.length, end: told?.split(" ").slice(0, 2).join(" ") ?? "open" };
}

describe("walking the graph and walking the tree leave the same trace, with values computed", () => {
  test("on generated diagrams, with shared variables, calls, loops and parallel processes", () => {
    let [walks, steps] = [0, 0];
    const ends = new Map<string, number>();
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 3, max: 60 }), fc.boolean(), (seed, size, silhouette) => {
        let state = seed | 0;
        const chance = (): number => {
          state = (Math.imul(state, 1664525) + 1013904223) | 0;
          return (state >>> 8) / 2 ** 24;
        };
        const items = dressed(structuredItems(chance, { size, silhouette }), chance);
        const { diagram } = diagramFromJson({ name: "Main", items });
        const { tree } = structure(diagram);
        if (!tree) return;
        for (const answers of [1, 2, 3]) {
          const done = compare(diagram, tree, answers);
          walks++;
          steps += done.steps;
          ends.set(done.end, (ends.get(done.end) ?? 0) + 1);
        }
      }),
      { numRuns: 1200 },
    );
    const shown = [...ends].toSorted((a, b) => b[1] - a[1]).map(([end, count]) => `${end}: ${count}`);
    process.stdout.write(`${walks} walks, ${steps} icons passed; ${shown.join(", ")}\n`);
    expect(walks).toBeGreaterThan(2000);
    expect(ends.get("done") ?? 0).toBeGreaterThan(100);
  });

  test("a step marked as final inside a process ends that process, and the others go on", () => {
    const items = {
      1: { type: "branch", branchId: 0, one: "2" },
      2: { type: "parbegin", one: "4", two: "3" },
      3: { type: "parbegin", one: "5" },
      4: { type: "action", content: "a ← read-notes()", one: "6", final: true },
      5: { type: "action", content: "b ← read-notes()", one: "6" },
      6: { type: "parend", one: "7" },
      7: { type: "action", content: "after()", one: "8" },
      8: { type: "end" },
    };
    const { diagram } = diagramFromJson({ name: "Main", items });
    const { tree, findings } = structure(diagram);
    expect(findings).toEqual([]);
    expect(compare(diagram, tree!, 1)).toEqual({ steps: 7, end: "done" });
  });
});

const folder = join(import.meta.dirname, "../../../test/drakon");
const files = ["examples", "counterexamples"].flatMap((part) =>
  readdirSync(join(folder, part)).map((name) => join(folder, part, name)),
);

test("walking the graph and walking the tree leave the same trace on diagrams that people drew", () => {
  let drawings = 0;
  for (const file of files) {
    const { diagram } = readDiagram(readFileSync(file, "utf8"));
    const { tree } = structure(diagram);
    if (!tree) continue;
    drawings++;
    for (let seed = 0; seed < 20; seed++) compare(diagram, tree, seed);
  }
  expect(drawings).toBeGreaterThan(40);
});

test("every answer that the oracle gives fits, and every prefix of a journal asks the same", () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 3, max: 40 }), (seed, size) => {
      let state = seed | 0;
      const chance = (): number => {
        state = (Math.imul(state, 1664525) + 1013904223) | 0;
        return (state >>> 8) / 2 ** 24;
      };
      const items = dressed(structuredItems(chance, { size }), chance);
      const { tree } = structure(diagramFromJson({ name: "Main", items }).diagram);
      if (!tree) return;
      const input = inputOf(tree);
      const program = {
        trees: new Map([
          ["Main", tree],
          ["Sub", subTree],
        ]),
        main: "Main",
      };
      const asked: string[] = [];
      const walked = walkAll(
        program,
        input,
        (request) => {
          const answer = oracle(seed)(request);
          expect(answerFault(request, answer)).toBeUndefined();
          asked.push(request.id);
          return answer;
        },
        { maxSteps: 500 },
      );
      const whole = replay(program, input, walked.journal, { maxSteps: 500 });
      expect(whole).toEqual({ requests: walked.requests, trace: walked.trace, end: walked.end });
      for (const length of [0, 1, 2, Math.floor(walked.journal.length / 2)]) {
        if (length >= walked.journal.length) continue;
        const part = replay(program, input, walked.journal.slice(0, length), { maxSteps: 500 });
        expect(part.requests[0]?.id).toBe(asked[length]);
        expect(replay(program, input, walked.journal.slice(0, length), { maxSteps: 500 })).toEqual(part);
      }
    }),
    { numRuns: 300 },
  );
});
