import { describe, expect, test } from "vitest";
import { carryOut, toolShed } from "./testing/workbench.ts";

const en = (...lines: string[]): string => `BEGIN "Try"\n  ${lines.join("\n  ")}\nEND\n`;
const SUB = 'BEGIN "Sub"\n  PARAMETERS: x\n  result ← read-context(x)\nEND\n';

describe("R-2 the follower groups independent calls into one turn", () => {
  test.each<[string, string, number, number]>([
    [
      "notes that are tagged one by one",
      en("notes ← read-notes()", "FOR EACH n IN notes", "  create-proposal(note: n.slug)"),
      4,
      3,
    ],
    [
      "results that are kept for later",
      en("a ← read-notes()", "b ← read-memory()", "c ← read-context(1)", "create-proposal(content: [a, b, c])"),
      4,
      3,
    ],
    [
      "a result that is the input of the next call",
      en("a ← read-context(1)", "b ← read-context(a)", "create-proposal(content: b)"),
      3,
      4,
    ],
    [
      "a result that a question uses",
      en("a ← read-context(1)", "IF a is empty", "  read-notes()", "create-proposal()"),
      2,
      3,
    ],
    ["a result inside a formula", en("a ← read-context(read-context(1))", "create-proposal(content: a)"), 3, 4],
    ["a result of another diagram", `${en("IF Sub(1) is empty", "  read-notes()", "create-proposal()")}\n${SUB}`, 2, 3],
    ["a person's answer", en('a ← ask-human("Why?")', "create-proposal()"), 2, 3],
    [
      "a name that only a loop goes over",
      en("a ← read-notes()", "FOR EACH x IN a", "  read-memory()", "create-proposal()"),
      5,
      3,
    ],
  ])("a turn ends only where a later call needs a result: %s", async (_, body, calls, turns) => {
    const shed = () => toolShed({ "ask-human": () => ({ text: "so" }) });
    const { executed, log } = await carryOut({ body, shed: shed() });
    expect({ calls: log.length, turns: executed.turns }).toEqual({ calls, turns });
    expect(executed.conformance).toEqual({ calls, claimed: calls });
    expect((await carryOut({ body, shed: shed(), execution: "flow" })).log).toEqual(log);
  });

  test("the follower makes at most fifty calls in one turn", async () => {
    const notes = Array.from({ length: 120 }, (_, n) => ({ slug: `n${n}` }));
    const body = en("notes ← read-notes()", "FOR EACH n IN notes", "  create-proposal(note: n.slug)");
    const { executed, log } = await carryOut({ body, shed: toolShed({ "read-notes": () => notes }) });
    expect({ calls: log.length, distinct: new Set(log).size, turns: executed.turns }).toEqual({
      calls: 121,
      distinct: 121,
      turns: 5,
    });
  });
});
