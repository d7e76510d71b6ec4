import { describe, expect, test } from "vitest";
import { PASSED, readPassed } from "../../../domain/run/passed-lines.ts";
import { carryOut, toolShed } from "./testing/workbench.ts";

const body = `BEGIN "Tidy"
  notes ← read-notes()
  FOR EACH note IN notes
    IF note.has_tag("done")
      → NEXT
    text ← read-context(note.slug)
    IF text is empty OR length(text) < 200 words
      create-proposal(type: "propose-tag", note: note.slug, tags: ["short"])
    ELSE
      create-proposal(type: "propose-summary", note: note.slug, content: text)
  write-memory("seen")
END
`;

/** A model that makes these calls with their claims, and then says that it is done. */
const calling = (calls: readonly (readonly [tool: string, claim: unknown])[]) => (_: unknown, turn: number) =>
  calls[turn]
    ? {
        calls: [{ tool: calls[turn][0], input: { ...(calls[turn][1] !== undefined && { [PASSED]: calls[turn][1] }) } }],
      }
    : { text: "Done." };

describe("R-1a a model with the whole procedure claims its lines", () => {
  test("lines are numbered in its instructions, and every tool has the argument", async () => {
    const { seen } = await carryOut({ body: `Role.\n\n${body}\nLimits.`, script: calling([]) });
    const [{ prompt, tools }] = seen as [(typeof seen)[0]];
    const system = prompt[0]!.content as string;
    expect(system).toContain(' 1| BEGIN "Tidy"\n 2|   notes ← read-notes()\n 3|   FOR EACH note IN notes');
    expect(system).toContain("12| END\n\nLimits.");
    const schemas = tools!.map((tool) => (tool.type === "function" ? tool.inputSchema : {}));
    expect(schemas.every(({ properties }) => Object.hasOwn(properties ?? {}, PASSED))).toBe(true);
    expect(schemas.every(({ required = [] }) => !required.includes(PASSED))).toBe(true);
  });

  test.each<[string, [string, unknown][], object]>([
    [
      "a path of the diagram fits",
      [
        ["read-notes", ["1", 2]],
        ["read-context", ["3 yes", "4 no", "6"]],
        ["create-proposal", ["7 yes", "8"]],
        ["read-context", ["3 так", "4 ні", "6"]],
        ["create-proposal", ["7 no", "10"]],
        ["write-memory", ["3 no", "11"]],
      ],
      { calls: 6, claimed: 6 },
    ],
    [
      "loops and answers that are not claimed fit too",
      [
        ["read-notes", [2]],
        ["read-context", [3, 4, 4, 6]],
        ["create-proposal", [7, 10]],
        ["write-memory", [11]],
      ],
      { calls: 4, claimed: 4 },
    ],
    [
      "a skipped line is reported with the call",
      [
        ["read-notes", [2]],
        ["create-proposal", ["3 yes", "4 no", "7 yes", "8"]],
        ["write-memory", [11]],
      ],
      { calls: 3, claimed: 3, misfit: { call: 2, line: 7, answer: "yes" } },
    ],
    [
      "an answer that leads elsewhere does not fit",
      [
        ["read-notes", [2]],
        ["read-context", ["3", "4 yes", "6"]],
      ],
      { calls: 2, claimed: 2, misfit: { call: 2, line: 6 } },
    ],
    [
      "a call without a claim stays unknown",
      [
        ["read-notes", undefined],
        ["read-notes", "nonsense"],
        ["read-notes", [{ line: 3 }, "two"]],
      ],
      { calls: 3, claimed: 0 },
    ],
    ["lines without an icon are ignored", [["read-notes", [1, 9, 99, 2]]], { calls: 1, claimed: 1 }],
  ])("%s", async (_, calls, conformance) => {
    const { executed } = await carryOut({ body, script: calling(calls) });
    expect(executed.conformance).toEqual(conformance);
  });

  test("a claim is recorded, with its icon while it fits a path, and hidden from the tool", async () => {
    const { places, log, journal } = await carryOut({
      body,
      script: calling([
        ["read-notes", [2]],
        ["write-memory", [11]],
        ["read-context", [3]],
      ]),
    });
    expect(log).toEqual(["read-notes {}", "write-memory {}", "read-context {}"]);
    expect(journal.records.filter(({ name }) => name !== "model").map(({ input }) => input)).toEqual([{}, {}, {}]);
    expect(places).toEqual([{ claimed: [2], icon: "line 2" }, { claimed: [11] }, { claimed: [3] }]);
  });

  test("arguments are still checked by the tool's own schema", async () => {
    const { executed, log } = await carryOut({
      body,
      script: (_, turn) =>
        turn === 0 ? { calls: [{ tool: "read-notes", input: { fodler: "x", [PASSED]: [2] } }] } : { text: "Done." },
    });
    expect({ denied: executed.denied, log }).toEqual({
      denied: [{ tool: "read-notes", why: "bad-arguments" }],
      log: [],
    });
  });

  test("lines of parallel processes may be claimed in any order", async () => {
    const parallel = `BEGIN "Both"
  PARALLEL
    PROCESS 1
      a ← read-notes()
      b ← read-context(a)
    PROCESS 2
      c ← read-memory()
  write-memory(c)
END
`;
    const ways = [
      [4, 5, 7, 8],
      [7, 4, 5, 8],
      [4, 7, 5, 8],
    ];
    const told = (way: readonly number[]) => carryOut({ body: parallel, script: calling([["write-memory", way]]) });
    for (const way of ways) expect((await told(way)).executed.conformance).toEqual({ calls: 1, claimed: 1 });
    const { executed } = await told([4, 7, 8]);
    expect(executed.conformance).toMatchObject({ misfit: { line: 8 } });
  });

  test("the follower's own claims always fit", async () => {
    const shed = toolShed({
      "read-notes": () => [
        { slug: "a", tags: ["done"] },
        { slug: "b", tags: [] },
        { slug: "c", tags: [] },
      ],
      "read-context": ({ name }) => (name === "b" ? "" : "word ".repeat(300)),
    });
    const { executed, places } = await carryOut({ body, shed });
    expect(executed.conformance).toEqual({ calls: 6, claimed: 6 });
    expect(places.map(({ claimed }) => claimed)).toEqual([
      [1, 2],
      [3, 4, 3, 4, 6],
      [7, 8],
      [3, 4, 6],
      [7, 10],
      [3, 11],
    ]);
  });

  test("prose without a procedure has no numbered lines", async () => {
    const { executed, seen } = await carryOut({ body: "Be kind.", script: calling([]) });
    expect(executed.conformance).toBeUndefined();
    expect(JSON.stringify(seen[0]!.tools)).not.toContain(PASSED);
  });
});

test.each<[unknown, object[]]>([
  [
    [1, "2", " 3 "],
    [{ line: 1 }, { line: 2 }, { line: 3 }],
  ],
  [
    ["4 так", "5: no", "6 = yes", "line 7 – ні"],
    [
      { line: 4, answer: "так" },
      { line: 5, answer: "no" },
      { line: 6, answer: "yes" },
      { line: 7, answer: "ні" },
    ],
  ],
  [["x", null, {}, [], ""], []],
  ["1, 2", []],
  [undefined, []],
])("R-1a a claim %j is parsed", (claim, lines) => {
  expect(readPassed(claim)).toEqual(lines);
});
