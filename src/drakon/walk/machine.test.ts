import { describe, expect, test } from "vitest";
import type { Json } from "../../base/canonical.ts";
import { structure } from "../structure/structure.ts";
import { jsonDiagram } from "../testing/json-diagram.ts";
import { type Program } from "./frame.ts";
import type { WalkInput } from "./machine.ts";
import { answerTo, type JournalEntry, type Request } from "./request.ts";
import { answered, program, programOf } from "./testing/procedures.ts";
import { replay, walkAll } from "./testing/replay.ts";

const greet = program(`ПОЧАТОК "Вітання"
  ПАРАМЕТРИ хто
  слова ← notebooklm-query("Привітай", хто)
  ЯКЩО Чи достатньо тепло?
    create-proposal(тип: "propose-note", зміст: слова)
  ІНАКШЕ
    Переписати слова тепліше
КІНЕЦЬ
`);

describe("a walk is a pure function of program, input and journal", () => {
  test("a walk waits at the first effect, and its request is plain data", () => {
    const { requests, end } = replay(greet, { хто: "Ада" }, []);
    expect(end).toBeUndefined();
    expect(requests).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{40}$/),
        sem: expect.stringMatching(/^[0-9a-f]{40}$/),
        kind: "tool",
        name: "notebooklm-query",
        payload: { question: "Привітай", source: "Ада" },
        diagram: "Вітання",
        proc: "",
        icon: "line 3",
        visit: 0,
        statement: 0,
      },
    ]);
    expect(JSON.parse(JSON.stringify(requests))).toEqual(requests);
  });

  test("answers advance a walk over computed, judged and natural-language icons, which get the values they mention", () => {
    const journal = answered(greet, { хто: "Ада" }, ["Вітаю", false]);
    const { requests, trace } = replay(greet, { хто: "Ада" }, journal);
    expect(requests).toMatchObject([
      { kind: "llm", name: "do", payload: { text: "Переписати слова тепліше", values: { слова: "Вітаю" } } },
    ]);
    expect(trace.map(({ icon, answer }) => (answer === undefined ? icon : `${icon} ${answer}`))).toEqual([
      "line 1",
      "line 3",
      "line 4 false",
      "line 7",
    ]);
    const end = replay(greet, { хто: "Ада" }, answered(greet, { хто: "Ада" }, ["Вітаю", false, "ok"]));
    expect(end).toMatchObject({ requests: [], end: { kind: "done" } });
  });

  test("a hundred replays give one answer", () => {
    const journal = answered(greet, { хто: "Ада" }, ["Вітаю"]);
    const once = replay(greet, { хто: "Ада" }, journal);
    for (let i = 0; i < 100; i++) expect(replay(greet, { хто: "Ада" }, journal)).toEqual(once);
  });

  test("the line of the pseudocode comes from the caller", () => {
    const lineOf = (_: string, icon: string): number => Number(icon.replace("line ", ""));
    expect(replay(greet, { хто: "Ада" }, [], { lineOf }).requests[0]!.line).toBe(3);
  });

  test("renamed icons and another name of the diagram do not change the ids of requests", () => {
    const named = (name: string, ids: readonly string[]): Program => {
      const [a, b, c] = ids as [string, string, string];
      const items = {
        [a]: { type: "branch", branchId: 0, one: b },
        [b]: { type: "action", content: "x ← read-notes()", one: c },
        [c]: { type: "end" },
      };
      return programOf(structure(jsonDiagram({ name, items })).tree!);
    };
    const [one] = replay(named("A", ["1", "2", "3"]), {}, []).requests;
    const [other] = replay(named("B", ["x", "y", "z"]), {}, []).requests;
    expect(other!.id).toBe(one!.id);
  });

  test("a missing parameter ends the walk as failed, and so does a missing main diagram", () => {
    expect(replay(greet, {}, []).end).toMatchObject({ kind: "failed", problem: { code: "missing-input" } });
    expect(replay({ ...greet, main: "Інше" }, {}, []).end).toMatchObject({ problem: { code: "missing-diagram" } });
  });

  test("a problem names the diagram, the icon and the offset in its text, in both languages", () => {
    const broken = program('BEGIN "x"\n  a ← 5\n  b ← a / 0\nEND');
    expect(replay(broken, {}, []).end).toEqual({
      kind: "failed",
      problem: {
        code: "division-by-zero",
        at: 6,
        message: { en: "division by zero", uk: "ділення на нуль" },
        diagram: "x",
        proc: "",
        icon: "line 3",
      },
    });
  });
});

describe("a journal entry that does not fit is reported with its position", () => {
  const journal = answered(greet, { хто: "Ада" }, ["Вітаю", true, { proposal: "prop_1" }]);
  const problemOf = (what: Program, input: WalkInput, entries: readonly JournalEntry[]): unknown => {
    const { end } = replay(what, input, entries);
    return end?.kind === "failed" ? [end.problem.code, end.problem.position] : end?.kind;
  };

  test.each<[string, Program, WalkInput, readonly JournalEntry[], unknown]>([
    ["the right one", greet, { хто: "Ада" }, journal, "done"],
    [
      "a tampered id",
      greet,
      { хто: "Ада" },
      journal.with(1, { ...journal[1]!, id: "0".repeat(40) }),
      ["non-determinism", 1],
    ],
    [
      "a tampered kind",
      greet,
      { хто: "Ада" },
      journal.with(1, { ...journal[1]!, kind: "llm" }),
      ["non-determinism", 1],
    ],
    ["another input", greet, { хто: "Бах" }, journal, ["non-determinism", 0]],
    ["surplus entries", greet, { хто: "Ада" }, [...journal, journal[0]!], ["surplus", 3]],
    [
      "a wrong kind of answer",
      greet,
      { хто: "Ада" },
      journal.with(1, { ...journal[1]!, value: "yes" }),
      ["wrong-answer", 1],
    ],
    ["an entry twice", greet, { хто: "Ада" }, journal.with(1, journal[0]!), ["non-determinism", 1]],
    ["entries in another order", greet, { хто: "Ада" }, journal.toReversed(), ["non-determinism", 0]],
  ])("%s", (_, what, input, entries, told) => {
    expect(problemOf(what, input, entries)).toEqual(told);
  });

  test("the journal of another program fails at the first request that differs", () => {
    const other = program(`ПОЧАТОК "Вітання"
  ПАРАМЕТРИ хто
  слова ← notebooklm-query("Привітай", хто)
  ЯКЩО Чи досить тепло?
    create-proposal(тип: "propose-note", зміст: слова)
КІНЕЦЬ
`);
    expect(problemOf(other, { хто: "Ада" }, journal)).toEqual(["non-determinism", 1]);
  });
});

describe("loops", () => {
  const over = (head: string, body = "write-memory(x: x)"): Program =>
    program(`BEGIN "loops"\n  FOR EACH ${head}\n    ${body}\nEND`);
  const asked = (what: Program, input: WalkInput, answer: (request: Request) => Json = () => null): unknown[] => {
    const seen: unknown[] = [];
    walkAll(what, input, (request) => {
      seen.push(request.payload["x"] ?? request.payload["text"]);
      return answer(request);
    });
    return seen;
  };

  test.each<[string, WalkInput, unknown[]]>([
    ["x IN xs", { xs: [1, 2] }, [1, 2]],
    ["x IN map", { map: { a: 1, b: 2 } }, [1, 2]],
    ["x, v IN map", { map: { a: 1, b: 2 } }, ["a", "b"]],
    ["x, v IN xs", { xs: ["p", "q"] }, [0, 1]],
    ["x IN nothing_here", { nothing_here: null }, []],
  ])("FOR EACH %s", (head, input, seen) => {
    expect(asked(over(head), input)).toEqual(seen);
  });

  test("a loop counts in the manner of C", () => {
    const count = program('BEGIN "c"\n  FOR x = 0; x < 3; x++\n    write-memory(x: x)\nEND');
    expect(asked(count, {})).toEqual([0, 1, 2]);
  });

  test("a loop iterates over a copy: changing the list in the body has no effect", () => {
    const what = over("x IN xs", "xs ← [x, x, x]; write-memory(x: x)");
    expect(asked(what, { xs: [1, 2] })).toEqual([1, 2]);
  });

  test("a loop in natural language asks for a list, and texts inside get the current item", () => {
    const what = over("кожен з нових листів", "Прочитати");
    const { requests } = replay(what, {}, []);
    expect(requests[0]).toMatchObject({ kind: "judge", name: "items" });
    const journal = [answerTo(requests[0]!, ["a", "b"])];
    const [first] = replay(what, {}, journal).requests;
    expect(first!.payload["text"]).toBe("Прочитати");
    expect(Object.values(first!.payload["values"] as object)).toContain("a");
    expect(replay(what, {}, [answerTo(requests[0]!, "many")]).end).toMatchObject({ problem: { code: "wrong-answer" } });
  });

  test("the request of each round has its own id and the same `sem`", () => {
    const what = over("x IN [1, 2]", "read-notes()");
    const { journal } = walkAll(what, {}, () => null);
    expect(new Set(journal.map(({ id }) => id)).size).toBe(2);
    expect(new Set(journal.map(({ sem }) => sem)).size).toBe(1);
  });

  test("an endless loop is stopped by the step limit", () => {
    const endless = program('BEGIN "x"\n  REPEAT\n    n ← 1\nEND');
    expect(replay(endless, {}, [], { maxSteps: 1000 }).end).toMatchObject({ problem: { code: "step-limit" } });
    expect(replay(endless, {}, []).end).toMatchObject({ problem: { code: "step-limit" } });
  });
});
