import fc from "fast-check";
import { expect, test } from "vitest";
import { seeded } from "../../base/testing/seeded.ts";
import { tries } from "../../base/testing/tries.ts";
import type { Diagram } from "../diagram/diagram.ts";
import { applyOperation } from "../edit/apply-operation.ts";
import type { EditOperation } from "../edit/operation.ts";
import { structure } from "../structure/structure.ts";
import { arbitraryEdit } from "../testing/arbitrary-edit.ts";
import { parsePseudocode } from "../text/parse.ts";
import type { Tree } from "../tree.ts";
import { type BaselineWalk, compareRun, comparisonOf, type RunComparison } from "./compare-runs.ts";
import { type Program } from "./frame.ts";
import type { WalkInput } from "./machine.ts";
import { type ReplayedWalk, walkProgram } from "./retrace.ts";
import { generated, inputOf, programWith } from "./testing/generated.ts";
import { programOf } from "./testing/procedures.ts";
import { carrying, smallWorld } from "./testing/small-world.ts";

type Chance = () => number;
const pick = <T>(chance: Chance, from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;

/** Texts that edits write into icons. Most of them compute, because a recording says nothing about other texts. */
const STEPS = ["n ← n + 1", "a ← b", "b ← read-notes(a)", "c ← read-context(b)", "write-memory(a)", "Think about a"];
const QUESTIONS = ["n < 9", "n % 2 = 1", "a is empty", "n > 100", "Is it so?", 'read-context(a) = "x"'];

function dressedEdit(diagram: Diagram, chance: Chance): EditOperation {
  const operation = arbitraryEdit(diagram, chance);
  if (!("text" in operation) || operation.op === "edit-header") return operation;
  const asks =
    operation.op === "insert-question" || operation.op === "insert-guard" || operation.op === "insert-select";
  const type = operation.op === "edit-text" ? diagram.icons.get(operation.icon)?.type : undefined;
  const text = pick(chance, asks || type === "question" ? QUESTIONS : STEPS);
  if (operation.op === "insert-for-each") return { ...operation, text: pick(chance, ["x; xs", "i = 0; i < 2; i++"]) };
  return { ...operation, text };
}

/** The diagram after one to three edits; undefined if all were refused. */
function edited(diagram: Diagram, chance: Chance): Tree | undefined {
  let [current, done] = [diagram, 0];
  const wanted = 1 + Math.floor(chance() * 3);
  for (let i = 0; i < 12 && done < wanted; i++) {
    const applied = applyOperation(current, dressedEdit(current, chance));
    if (applied.kind === "refused" || !structure(applied.diagram).tree) continue;
    current = applied.diagram;
    done++;
  }
  const { tree } = structure(current);
  return done === 0 || !tree ? undefined : { ...tree, name: "Main" };
}

const wayOf = ({ machine, asked }: ReplayedWalk) => ({ trace: machine.trace, asked: asked.map(({ sem }) => sem) });

interface Tried {
  readonly comparison: RunComparison;
  readonly requests: number;
}

/** A diagram, a change of it and a world. */
function tried(seed: number): Tried | undefined {
  const chance = seeded(seed);
  const { diagram, tree } = generated(seed, 6 + Math.floor(chance() * 20), chance() < 0.3);
  const changed = tree && edited(diagram, chance);
  if (!tree || !changed) return undefined;
  const input = { ...inputOf(tree), ...inputOf(changed) };
  return held(seed, [programWith(tree), programWith(changed)], input, pick(chance, [80, 80, 12]));
}

/** Compares the prediction about a change with the result in the same world. */
function held(
  seed: number,
  [program, proposed]: readonly [Program, Program],
  input: WalkInput,
  mostCalls: number,
): Tried {
  const how = carrying(mostCalls);
  const recorded = walkProgram(program, input, how, smallWorld(seed));
  const was: BaselineWalk = { program, input, answers: recorded.answers, walk: recorded };
  expect(compareRun(was, program, how).comparison).toEqual({ kind: "same", detours: [] });

  const { comparison, walk: carried } = compareRun(was, proposed, how);
  const real = walkProgram(proposed, input, how, smallWorld(seed));
  const [told, happened] = [wayOf(carried), wayOf(real)];
  if (carried.end.kind === "unknown") {
    // The path up to the uncertain point is known, and is a prefix of the real path.
    expect(happened.asked.slice(0, told.asked.length)).toEqual(told.asked);
    expect(iconsOf(happened).slice(0, told.trace.length)).toEqual(iconsOf(told));
  } else {
    expect(happened).toEqual(told);
    expect(real.end).toEqual(carried.end);
    expect(comparison).toEqual(comparisonOf(was, proposed, real));
  }
  if (comparison.kind === "same") expect(happened.asked).toEqual(wayOf(recorded).asked);
  if (comparison.kind === "avoids") {
    expect(happened.asked).not.toContain(recorded.end.kind === "failed" ? recorded.end.request.sem : "none");
    expect(problemIn(real) ?? "none").not.toEqual(problemIn(recorded));
  }
  return { comparison, requests: carried.asked.length };
}

const iconsOf = ({ trace }: ReturnType<typeof wayOf>): string[] => trace.map(({ icon }) => icon);
const problemIn = ({ end }: ReplayedWalk): string | undefined =>
  end.kind === "ended" && end.end.kind === "failed" ? `${end.end.problem.code} ${end.end.problem.icon}` : undefined;

/** Lines with tools that change what others read. Changes reorder, remove, double or insert them. */
const LINES = [
  'write-memory("one")',
  'write-memory("two")',
  'a ← read-context("p")',
  'b ← read-context("q")',
  'c ← read-notes("f")',
  'a ← look-around("x")',
  'create-proposal(type: "x", content: "1")',
  'create-proposal(type: "x", content: "2")',
  'create-proposal(type: "x", content: "3")',
  'create-proposal(type: "x", content: "4")',
  'spawn("one")',
  'a ← spawn("two")',
  "b ← now()",
  "Think about it",
  "c ← consider a",
  "n ← n + 1",
  "IF a = c\n    write-memory(b)\n  ELSE\n    c ← read-context(b)",
  'IF a.error\n    create-proposal(type: "x", content: "1")',
];

function reordered(seed: number): Tried {
  const chance = seeded(seed);
  const lines = Array.from({ length: 3 + Math.floor(chance() * 7) }, () => pick(chance, LINES));
  const changed = [...lines];
  for (let edits = 1 + Math.floor(chance() * 2); edits > 0; edits--) {
    const [at, other] = [Math.floor(chance() * changed.length), Math.floor(chance() * changed.length)];
    const roll = chance();
    if (roll < 0.4) changed.splice(other, 0, ...changed.splice(at, 1));
    else if (roll < 0.7) changed.splice(at, 1);
    else changed.splice(at, 0, roll < 0.85 ? (changed[other] ?? LINES[0]!) : pick(chance, LINES));
  }
  const written = (body: readonly string[]): Program =>
    programOf(parsePseudocode(`BEGIN "p"\n  ${[...body, "result ← [a, b, c]"].join("\n  ")}\nEND\n`).tree!);
  return held(seed, [written(lines), written(changed)], { a: 1, b: 2, c: 3, n: 0 }, pick(chance, [80, 80, 5]));
}

test.each<[string, (seed: number) => Tried | undefined, number]>([
  ["drawn and edited at random", tried, 1000],
  ["whose tools change what others read", reordered, 5000],
])("L-8 for diagrams %s, every certain counterfactual equals the result in the same world", (_, attempt, times) => {
  const counts: Record<RunComparison["kind"], number> = { same: 0, parts: 0, avoids: 0, "cannot-tell": 0 };
  let requests = 0;
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 30 }), (seed) => {
      const one = attempt(seed);
      if (!one) return;
      counts[one.comparison.kind]++;
      requests += one.requests;
    }),
    { numRuns: tries(times), endOnFailure: true },
  );
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const known = all - counts["cannot-tell"];
  const share = Math.round((100 * known) / all);
  console.log(`${all} changed diagrams, ${requests} requests; it claims to know ${known} (${share} %)`, counts);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(0);
});
