import { expect, test } from "vitest";
import { isThorough } from "../../base/testing/tries.ts";
import { canonicalForm } from "../canonical.ts";
import type { Block, Condition, Step, Tree } from "../tree.ts";
import { nestGuards } from "./guards.ts";
import { parsePseudocode } from "./parse.ts";
import { renderPseudocode } from "./render.ts";

const step = (text: string): Step => ({ node: "step", kind: "action", icon: text, text });
const ask = (text: string): Condition => ({ is: "question", icon: text, text });
const many = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const primitive = (body: Block): Tree => ({
  name: "x",
  params: "",
  description: "",
  branches: [{ icon: "0", name: "", body }],
  silhouette: false,
});

/** Wraps a block so many times; from the inside out. */
function wrapped(count: number, wrap: (inside: Block, index: number) => Block): Tree {
  let body: Block = [step("inside")];
  for (let index = count; index > 0; index--) body = wrap(body, index);
  return primitive(body);
}

function alternating(count: number): Tree {
  let condition = ask("innermost");
  for (let index = 0; index < count; index++)
    condition = { is: index % 2 === 0 ? "and" : "or", of: [ask(`q${index}`), condition] };
  return primitive([{ node: "if", condition, yes: [step("a")], no: [] }]);
}

const shapes: Readonly<Record<string, (count: number) => Tree>> = {
  chain: (count) => primitive(many(count, (index) => step(`step ${index}`))),
  "questions in a row": (count) =>
    primitive(many(count, (index) => ({ node: "if", condition: ask(`q${index}`), yes: [step("a")], no: [] }))),
  "nested questions": (count) =>
    wrapped(count, (inside, index) => [{ node: "if", condition: ask(`q${index}`), yes: inside, no: [] }]),
  "else-if chain": (count) =>
    wrapped(count, (inside, index) => [{ node: "if", condition: ask(`q${index}`), yes: [step("a")], no: inside }]),
  "and chain": (count) =>
    primitive([
      { node: "if", condition: { is: "and", of: many(count, (index) => ask(`q${index}`)) }, yes: [step("a")], no: [] },
    ]),
  "and in or in and": alternating,
  "nested loops": (count) => wrapped(count, (inside, index) => [{ node: "loop", icon: `l${index}`, body: inside }]),
  "nested blocks": (count) =>
    wrapped(count, (inside, label) => [
      {
        node: "block",
        label,
        body: [{ node: "if", condition: ask("q"), yes: [{ node: "leave", label }], no: [] }, ...inside],
      },
    ]),
  silhouette: (count) => ({
    ...primitive([]),
    branches: many(count, (index) => ({
      icon: `b${index}`,
      name: "same",
      body: [{ node: "go", branch: `b${count - 1 - index}` }],
    })),
    silhouette: true,
  }),
  "calls over several lines": (count) => primitive(many(count, () => step("call(\n  a: 1,\n  b: 2\n)"))),
};

const best = (work: () => void): number =>
  Math.min(
    ...many(3, () => {
      const before = performance.now();
      work();
      return performance.now() - before;
    }),
  );

test.each(Object.entries(shapes).filter((_, index) => isThorough || index % 3 === 0))(
  "P9 ten thousand icons, %s, are printed and parsed back in linear size and time",
  (name, shape) => {
    const [small, large] = [1_000, 10_000].map((count) => {
      const tree = nestGuards(shape(count));
      const { text } = renderPseudocode(tree, { language: "uk" });
      const rendering = best(() => renderPseudocode(tree, { language: "uk" }));
      const parsing = best(() => parsePseudocode(text));
      const parsed = parsePseudocode(text);
      expect(parsed.findings).toEqual([]);
      expect(canonicalForm(parsed.tree!).join("\n") === canonicalForm(tree).join("\n")).toBe(true);
      return { bytes: text.length, rendering, parsing };
    });
    expect(large!.bytes / small!.bytes).toBeLessThan(13);
    expect(large!.rendering).toBeLessThan(1000);
    expect(large!.parsing).toBeLessThan(2500);
    console.log(
      `${name}: written in ${large!.rendering.toFixed(1)} ms, read in ${large!.parsing.toFixed(1)} ms, ${large!.bytes} characters`,
    );
  },
);

const long = 100_000;
test.each([
  ["brackets", "(".repeat(long)],
  ["quotation marks", '"\\"'.repeat(long)],
  ["spaces", `a${" ".repeat(long)}b`],
  ["remarks", "[DURATION: ".repeat(long / 10)],
  ["negations", "НЕ ".repeat(long / 3)],
  ["connectives", "a І ".repeat(long / 4)],
  ["slashes", " / ".repeat(long / 3)],
  ["groups", "((a І b) І ".repeat(long / 10)],
  ["lines that open a bracket", "smile :(\n  ".repeat(long / 10)],
  ["continuations", "a\n  | b".repeat(long / 6)],
])("P9 an adversarial line is parsed quickly: %s", (_name, text) => {
  for (const head of ["", "ЯКЩО ", "ДЛЯ КОЖНОГО ", "ПОЛИЦЯ ", "ВИБІР ", "→ ГІЛКА ", "ІКОНА ", 'ПОЧАТОК "']) {
    const source = `ПОЧАТОК "x"\n  ${head}${text}\nКІНЕЦЬ\n`;
    expect(best(() => parsePseudocode(source))).toBeLessThan(2500);
  }
});
