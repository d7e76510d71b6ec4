import { afterEach, describe, expect, test, vi } from "vitest";
import { memoryJournal } from "../../../adapters/runtime/testing/memory-journal.ts";
import type { Script } from "../../../adapters/runtime/testing/scripted-model.ts";
import type { Json } from "../../../base/canonical.ts";
import { Failure } from "../../../base/failure.ts";
import { WalkMachine } from "../../../drakon/walk/machine.ts";
import type { ToolCallScope } from "../../../ports/runtime.ts";
import { movableWorld } from "../../core/flow/testing/flow-deps.ts";
import { structuredTreeJson } from "./testing/drawn.ts";
import { carryOut, endOf, toolShed } from "./testing/workbench.ts";

const flow = { execution: "flow" } as const;
const en = (...lines: string[]): string => `Be brief.\n\nBEGIN "Try"\n  ${lines.join("\n  ")}\nEND\n`;

/** A model that answers the last message. */
const answering =
  (answers: Readonly<Record<string, string>>) =>
  ({ prompt }: { prompt: readonly { content: unknown }[] }) => {
    const asked = JSON.stringify(prompt.slice(1));
    const found = Object.entries(answers).find(([words]) => asked.includes(words));
    return { text: found?.[1] ?? "BLOCKED: nobody told me" };
  };

describe("R-1a in flow, only natural language is put to the model", () => {
  const body = en(
    'note ← read-context("a")',
    "other ← read-memory()",
    "gist ← sum up the note in three words",
    "IF Is the gist cheerful?",
    "  SELECT What colour is gist?",
    "    CASE red",
    "      create-proposal(content: gist)",
    "    CASE blue",
    "      create-proposal(content: missing_name)",
    "FOR EACH thing IN the things in gist",
    "  write-memory(thing)",
  );
  const script = answering({
    "sum up the note": "sun and sea",
    cheerful: "yes",
    "What colour": "blue",
    missing_name: '{"a": 1}',
    "the things in gist": '["sun", "sea"]',
  });
  const shed = () => toolShed({ "read-context": () => "A long note.", "read-memory": () => ({ secret: "unseen" }) });

  test("each natural-language icon is put to the model once, with the form of its answer", async () => {
    const done = await carryOut({ body, script, shed: shed(), ...flow });
    expect(endOf(done)).toBe('Done: "Try", 5 calls.');
    expect(done.log).toEqual([
      'read-context {"name":"a"}',
      "read-memory {}",
      'create-proposal {"content":{"a":1}}',
      'write-memory {"text":"sun"}',
      'write-memory {"text":"sea"}',
    ]);
    expect(done.executed.turns).toBe(5);
    expect(done.executed.tokens).toEqual({ input: 50, output: 25 });
  });

  test("an icon is put to the model with the values that it names, nothing else, and no tools", async () => {
    const { seen } = await carryOut({ body, script, shed: shed(), ...flow });
    const told = seen.map(({ prompt }) => JSON.stringify(prompt));
    expect(told[0]).toContain("A long note.");
    expect(told.filter((words) => words.includes("unseen"))).toEqual([]);
    expect(told.slice(1).filter((words) => words.includes("A long note."))).toEqual([]);
    expect(seen.flatMap(({ tools = [] }) => tools)).toEqual([]);
    expect(told.every((words) => words.includes("Be brief.") && !words.includes("BEGIN"))).toBe(true);
  });

  test.each<[string, object, RegExp]>([
    [
      "max_steps counts icons put to the model",
      { max_steps: 2 },
      /^stopped turns: FORBIDDEN the model would have to answer more than 2 icons/,
    ],
    ["a budget of calls counts tools and model alike", { budget: { calls: 3 } }, /^stopped budget: .*3 calls/],
    ["a budget of tokens is for all icons together", { budget: { tokens: 20 } }, /^stopped budget/],
  ])("%s", async (_, contract, words) => {
    expect(endOf(await carryOut({ body, script, shed: shed(), contract, ...flow }))).toMatch(words);
  });

  test.each<[string, Record<string, string>, RegExp]>([
    ["that says it is blocked", { "sum up": "BLOCKED: the note is empty" }, /BLOCKED: line 4 .*: the note is empty/],
    ["that does not answer in the form", { "sum up": "x", cheerful: "maybe" }, /^stopped no-answer/],
    [
      "that says it is blocked where a form is required",
      { "sum up": "x", cheerful: "ЗАБЛОКОВАНО: не знаю" },
      /BLOCKED: line 5 .*: не знаю/,
    ],
  ])("a model %s ends the run", async (_, answers, words) => {
    expect(endOf(await carryOut({ body, script: answering(answers), shed: shed(), ...flow }))).toMatch(words);
  });
});

describe("R-5 in flow the journal has the icon of every call", () => {
  const procedure = en('a ← read-context("x")', "create-proposal(content: a)");

  test("calls are recorded by line if the procedure is only in the contract", async () => {
    const { places } = await carryOut({ body: procedure, ...flow });
    expect(places).toEqual([
      { icon: "line 2", line: 2 },
      { icon: "line 3", line: 3 },
    ]);
  });

  test("calls are recorded by the icons of a diagram with the same meaning, also inside an insertion", async () => {
    const main = structuredTreeJson("Main", ["n ← Second part(1)", "create-proposal(content: n)"], { insertion: [0] });
    const second = structuredTreeJson("Second part", ["result ← read-context(x)"], { params: "x" });
    const { places, log } = await carryOut({
      body: main.pseudocode,
      diagrams: [
        { file: "main-flow.drakon.json", text: main.json },
        { file: "Second part.drakon.json", text: second.json },
      ],
      ...flow,
    });
    expect(log[0]).toBe('read-context {"name":1}');
    expect(places).toEqual([
      { diagram: "Second part.drakon.json", icon: "2", line: expect.any(Number) },
      { diagram: "main-flow.drakon.json", icon: "3", line: expect.any(Number) },
    ]);
  });

  test("D-6a a body that differs from the diagram is executed as it is", async () => {
    const main = structuredTreeJson("Main", ["read-notes()"]);
    const { log } = await carryOut({
      body: procedure,
      diagrams: [{ file: "main-flow.drakon.json", text: main.json }],
      ...flow,
    });
    expect(log[0]).toBe('read-context {"name":"x"}');
  });
});

describe("R-1a in flow, requests of parallel processes are answered in parallel", () => {
  const three = en(
    "PARALLEL",
    "  PROCESS 1",
    '    a ← read-context("a")',
    "    x ← sum up a in a word",
    "  PROCESS 2",
    '    b ← read-context("b")',
    "    y ← sum up b in a word",
    "  PROCESS 3",
    '    c ← read-context("c")',
    "    z ← sum up c in a word",
    "create-proposal(content: [x, y, z])",
  );

  /** No call is answered before all three have begun: sequential calls would never end. */
  function meetings(of: number) {
    let [now, most] = [0, 0];
    let met = Promise.withResolvers<void>();
    return {
      most: () => most,
      meet: async (): Promise<void> => {
        most = Math.max(most, ++now);
        if (now === of) met.resolve();
        await met.promise;
        if (--now === 0) met = Promise.withResolvers();
      },
    };
  }

  /** Tools that answer in this order, after all were called. */
  function meetingShed(order: readonly string[]) {
    const { meet, most } = meetings(3);
    const shed = toolShed();
    const tools = shed.tools.map((tool) =>
      tool.name === "read-context"
        ? {
            ...tool,
            async call(input: Json, call: ToolCallScope) {
              await meet();
              for (let turns = order.indexOf((input as { name: string }).name); turns > 0; turns--)
                await new Promise(setImmediate);
              return tool.call(input, call);
            },
          }
        : tool,
    );
    return { shed: { ...shed, tools }, most };
  }

  test.each([[["a", "b", "c"]], [["c", "b", "a"]], [["b", "c", "a"]]])(
    "of tools and of models, and the journal does not depend on their speed: %s",
    async (order) => {
      const { shed, most } = meetingShed(order);
      const models = meetings(3);
      const script = async ({ prompt }: { prompt: readonly unknown[] }) => {
        await models.meet();
        const named = /sum up (.) in/.exec(JSON.stringify(prompt))![1]!;
        return { text: `word ${named}` };
      };
      const journal = memoryJournal();
      const done = await carryOut({ body: three, shed, script, journal, ...flow });
      expect(endOf(done)).toBe('Done: "Try", 4 calls.');
      expect({ tools: most(), models: models.most() }).toEqual({ tools: 3, models: 3 });
      const end = 'create-proposal {"content":["word a","word b","word c"]}';
      expect(done.log.at(-1)).toBe(end);
      const asked = journal.records.map(
        ({ name, input }) => `${name} ${/sum up ./.exec(JSON.stringify(input))?.[0] ?? JSON.stringify(input)}`,
      );
      expect(asked).toEqual([
        ...["a", "b", "c"].map((name) => `read-context {"name":"${name}"}`),
        ...["a", "b", "c"].map((name) => `model sum up ${name}`),
        end,
      ]);
      // On resume all calls are recorded, and requested in the same order.
      const dumb = (): never => expect.unreachable();
      const again = memoryJournal({ records: journal.records });
      expect(endOf(await carryOut({ body: three, script: dumb, journal: again, ...flow }))).toBe(endOf(done));
      expect(again.live).toEqual([]);
    },
  );

  test("a reply in the wrong form is requested again after the other branches are answered, one branch at a time", async () => {
    const body = en(
      "PARALLEL",
      "  PROCESS 1",
      "    IF Is the first one red?",
      "      x ← 1",
      "  PROCESS 2",
      "    IF Is the second one red?",
      "      y ← 1",
      'write-memory("done")',
    );
    const script: Script = ({ prompt }, turn) => ({
      text: turn === 0 ? `hm ${JSON.stringify(prompt).length}` : "yes",
    });
    const journal = memoryJournal();
    const done = await carryOut({ body, script, journal, ...flow });
    expect(endOf(done)).toBe('Done: "Try", 1 calls.');
    const asked = journal.records.map(({ input }) => /first|second/.exec(JSON.stringify(input))?.[0] ?? "again");
    expect(asked).toEqual(["first", "second", "again", "again", "again"]);
    const again = memoryJournal({ records: journal.records });
    expect(endOf(await carryOut({ body, script, journal: again, ...flow }))).toBe(endOf(done));
    expect(again.live).toEqual([]);
  });

  test("a failing branch does not keep the other branches from being recorded", async () => {
    const body = en(
      "PARALLEL",
      "  PROCESS 1",
      '    read-context("a")',
      "  PROCESS 2",
      '    read-notes("b")',
      "create-proposal(content: 1)",
    );
    const fails = (): never => {
      throw new Failure("NOT_FOUND", { en: "no such note", uk: "немає такої нотатки" });
    };
    const journal = memoryJournal();
    const done = await carryOut({ body, shed: toolShed({ "read-context": fails }), journal, ...flow });
    expect(endOf(done)).toMatch(/NOT_FOUND line 4 .*: no such note/);
    expect(journal.records.map(({ name }) => name)).toEqual(["read-context", "read-notes"]);
  });
});

describe("O-6 in flow, people and timers are waited for last, and hold nothing", () => {
  const both = en(
    "PARALLEL",
    "  PROCESS 1",
    '    answer ← ask-human("Which?", form: "choice", options: ["a", "b"])',
    "    write-memory(answer.choice)",
    "  PROCESS 2",
    '    read-context("x")',
    '    read-context("y")',
    "create-proposal(content: answer.choice)",
  );
  const held = (): never => {
    throw new Failure("INVALID_TRANSITION", {
      en: "waits",
      uk: "чекає",
      details: { held: "req_1" },
    });
  };

  test("a run is held when no other branch can continue, and continues with the answer", async () => {
    const first = await carryOut({ body: both, shed: toolShed({ "ask-human": held }), ...flow });
    expect(endOf(first)).toContain("stopped held");
    expect(first.log.map((line) => line.split(" ")[0])).toEqual(["read-context", "read-context", "ask-human"]);
    const journal = memoryJournal({ records: first.journal.records });
    const shed = toolShed({ "ask-human": () => ({ choice: "b" }) });
    const second = await carryOut({ body: both, shed, journal, ...flow });
    expect(second.log).toEqual([
      'ask-human {"question":"Which?","form":"choice","options":["a","b"]}',
      'write-memory {"text":"b"}',
      'create-proposal {"content":"b"}',
    ]);
  });

  test("an answer of the wrong form ends the run with what was expected", async () => {
    const shed = toolShed({ "ask-human": () => ({ choice: "c" }) });
    expect(endOf(await carryOut({ body: both, shed, ...flow }))).toMatch(/line 4 .*one of the options/);
  });

  test("a pause ends at the time that was recorded when it began", async () => {
    const world = movableWorld();
    const body = en("a ← now()", "PAUSE 20 min", "create-proposal(content: a)");
    const first = await carryOut({ body, world, ...flow });
    expect(endOf(first)).toBe(`later ${world.now() + 20 * 60_000}`);
    const began = world.now();
    world.move(19 * 60_000);
    const again = () => carryOut({ body, world, journal: memoryJournal({ records: first.journal.records }), ...flow });
    expect(endOf(await again())).toBe(`later ${began + 20 * 60_000}`);
    world.move(60_000);
    expect((await again()).log).toEqual([`create-proposal {"content":${began}}`]);
  });

  test("no call begins after an abort", async () => {
    const stop = new AbortController();
    const shed = toolShed({
      "read-context": () => {
        stop.abort(new Failure("INVALID_TRANSITION", { en: "cancelled", uk: "скасовано" }));
        return 1;
      },
    });
    const done = await carryOut({ body: both, shed, signal: stop.signal, ...flow });
    expect(endOf(done)).toBe("stopped aborted: INVALID_TRANSITION cancelled");
    expect(done.log).toHaveLength(1);
  });
});

describe("R-1a a procedure that cannot be executed ends with the reason", () => {
  test.each<[string, string, RegExp]>([
    ["no procedure", "Be kind.", /the contract has none/],
    ["a procedure that does not parse", en("→ BREAK"), /line \d+/],
    ["a problem of an expression", en("a ← 1 / 0"), /line 2 "a ← 1 \/ 0"/],
    ["a loop without end", en("REPEAT", "  a ← 1"), /steps were taken/],
    ["a pause that is no duration", en("PAUSE for a while"), /is not a duration/],
  ])("%s", async (_, body, words) => {
    const done = await carryOut({ body, ...flow });
    expect(endOf(done)).toMatch(words);
    expect(done.executed).toMatchObject({ kind: "stopped", why: "procedure", failure: { code: "VALIDATION_FAILED" } });
  });
});

describe("R-1a growth", () => {
  afterEach(() => void vi.restoreAllMocks());

  test("a run of 1,000 icons answers each icon once: no step walks the diagram again", async () => {
    const counted = async (icons: number): Promise<number[]> => {
      const answers = vi.spyOn(WalkMachine.prototype, "answer").mockClear();
      const steps = Array.from({ length: icons }, (_, n) => `a ← read-context(${n})`);
      const { log, journal } = await carryOut({ body: en(...steps, "create-proposal(content: a)"), ...flow });
      return [log.length, journal.records.length, answers.mock.calls.length];
    };
    expect([await counted(10), await counted(1000)]).toEqual([
      [11, 11, 11],
      [1001, 1001, 1001],
    ]);
  });
});
