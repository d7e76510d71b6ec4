import { describe, expect, test } from "vitest";
import { counterfactual } from "./replay.ts";
import { answered, program } from "./testing/procedures.ts";

describe("a counterfactual", () => {
  const old = program('BEGIN "p"\n  a ← read-notes("x")\n  b ← read-context("y")\n  Say hello\nEND');
  const journal = answered(old, {}, [1, 2, 3]);

  test("takes answers from the old journal wherever the same is asked, and names the first new request", () => {
    const renamed = program(
      'BEGIN "p"\n  c ← read-context("y")\n  a ← read-notes("x")\n  Say goodbye\n  Say hello\nEND',
    );
    const told = counterfactual(renamed, {}, journal);
    expect(told.reused).toEqual([journal[1], journal[0]]);
    expect(told.unused).toEqual([journal[2]]);
    expect(told.firstNew).toMatchObject({ kind: "llm", payload: { text: "Say goodbye" } });
    expect(told.end).toBeUndefined();
  });

  test("of the same procedure uses everything and ends alike", () => {
    expect(counterfactual(old, {}, journal)).toMatchObject({ reused: journal, unused: [], end: { kind: "done" } });
  });

  test("uses equal answers in the order in which they were given", () => {
    const twice = program('BEGIN "p"\n  a ← f()\n  b ← f()\n  result ← [a, b]\nEND');
    expect(counterfactual(twice, {}, answered(twice, {}, [1, 2])).end).toEqual({ kind: "returned", value: [1, 2] });
  });
});
