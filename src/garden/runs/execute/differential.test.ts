import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../base/canonical.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import { generated, inputOf } from "../../../drakon/walk/testing/generated.ts";
import { type CarriedOut, carryOut, endOf, type ToolShed, toolShed } from "./testing/workbench.ts";

/** Answers derived from a seed and the call, with every type of value that expressions distinguish. */
function world(seed: number): ToolShed {
  const answer =
    (name: string) =>
    (input: Record<string, Json>): Json => {
      const draw = createHash("sha1")
        .update(JSON.stringify([seed, name, input]))
        .digest()
        .readUInt16BE(0);
      return [draw, `word ${draw}`, ["x", draw], draw % 2 === 0, { text: "x", tags: [`${draw}`] }, ""][draw % 6]!;
    };
  const names = ["read-notes", "read-context", "write-memory", "read-memory"];
  return toolShed(Object.fromEntries(names.map((name) => [name, answer(name)])));
}

const SUB = `BEGIN "Sub"
  PARAMETERS: value
  IF value = 2
    result ← read-context(value)
  ELSE
    result ← [value]
END
`;

/** In half of the procedures natural language is replaced with expressions, so that they run further. */
const formal: readonly (readonly [string | RegExp, string])[] = [
  ["Think about a", "read-notes(a)"],
  [/think about ([abc]) some more/g, "read-context($1)"],
  ["Is it so?", "n % 2 = 0"],
  ["What is it?", "n % 3"],
  ["list_of_things", "[1, 2]"],
  ["LOOP: Repeat some times", "FOR EACH x IN [1, 2]"],
  ["ці речі", "[1, 2]"],
  ["unknown_name", "n"],
  ["Elsewhere", "Sub(2)"],
  ["n = late", "n = 7"],
];

/** Timers and questions come last in `flow` and are not waited for in `prompt`: they are not compared. */
const timeless: readonly (readonly [RegExp, string])[] = [
  [/^( *)(?:PAUSE|TIMER|INPUT|RECEIVE) .*$/gm, "$1n ← n + 1"],
  [/ \[DURATION: [^\]]*\]/g, ""],
];

const LIMITS = { max_steps: 30, budget: { calls: 120 } };

describe("R-1a the follower with a procedure, and the interpreter icon by icon,", () => {
  test("make the same calls with the same inputs, and end the same", async () => {
    const ends = new Map<string, number>();
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.integer({ min: 3, max: 30 }), fc.boolean(), async (seed, size, computed) => {
        const { tree } = generated(seed, size);
        if (!tree) return;
        const { text } = renderPseudocode(tree, { language: "en" });
        const told = [...timeless, ...(computed ? formal : [])];
        const main = told.reduce((words, [from, to]) => words.replaceAll(from, to), text);
        const wanted = { body: `Prose.\n\n${main}\n\n${SUB}`, input: inputOf(tree), contract: LIMITS };
        const prompt = await carryOut({ ...wanted, execution: "prompt", shed: world(seed) });
        const flow = await carryOut({ ...wanted, execution: "flow", shed: world(seed) });
        const end = compare(prompt, flow);
        ends.set(end, (ends.get(end) ?? 0) + 1);
        calls += flow.log.length;
        expect(prompt.executed.conformance?.misfit).toBeUndefined();
      }),
      // A question that contains a call, joined with another question in one line.
      { numRuns: 80, examples: [[1722567612, 28, true]] },
    );
    process.stdout.write(`${calls} calls; ${[...ends].map(([end, count]) => `${end}: ${count}`).join(", ")}\n`);
    expect(calls).toBeGreaterThan(50);
    expect(ends.get("done") ?? 0).toBeGreaterThan(5);
  });
});

function compare(prompt: CarriedOut, flow: CarriedOut): string {
  const [a, b] = [endOf(prompt), endOf(flow)];
  const length = Math.min(prompt.log.length, flow.log.length);
  expect(prompt.log.slice(0, length)).toEqual(flow.log.slice(0, length));
  if (/^stopped (?:turns|budget)/.test(a) || b.startsWith("stopped budget")) return "long";
  // Calls of parallel processes are made in one turn: a call that ends the run cannot stop the others.
  if (/^FAILED: /m.test(a)) {
    expect(b).toContain(/^FAILED: (.*)$/m.exec(a)![1]!);
    return "failed";
  }
  expect(a.replace(/\d+ calls/, "calls")).toBe(b.replace(/\d+ calls/, "calls"));
  if (/^BLOCKED/m.test(a)) return "blocked";
  expect(prompt.log).toEqual(flow.log);
  return "done";
}
