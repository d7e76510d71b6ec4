import { describe, expect, it } from "vitest";
import { Failure } from "../../base/failure.ts";
import type { AnswerForm, Briefing } from "../../ports/runtime.ts";
import { end, type MakeRuntime, play, testTools } from "./conformance-setup.ts";
import { memoryJournal } from "./testing/memory-journal.ts";
import type { ScriptedTurn } from "./testing/scripted-model.ts";

const loops: readonly ScriptedTurn[] = [{ calls: [{ tool: "look" }] }];
const threeAtOnce: readonly ScriptedTurn[] = [{ calls: [{ tool: "look" }, { tool: "look" }, { tool: "look" }] }];

/** Limits and errors: every act ends, with a reason. */
export function limitsConformance(make: MakeRuntime): void {
  describe("limits", () => {
    it.each<[string, Partial<Briefing>, readonly ScriptedTurn[], string, number, number]>([
      ["one turn is taken", { maxTurns: 1 }, loops, "stopped turns FORBIDDEN", 1, 1],
      ["seven turns are taken", { maxTurns: 7 }, loops, "stopped turns FORBIDDEN", 7, 7],
      ["a last turn answers", { maxTurns: 2 }, [...loops, { text: "ok" }], 'answered "ok"', 2, 1],
      ["no call is made", { budget: { calls: 0 } }, loops, "stopped budget FORBIDDEN", 0, 0],
      ["one call is made, to the model", { budget: { calls: 1 } }, loops, "stopped budget FORBIDDEN", 1, 0],
      ["five calls are made", { budget: { calls: 5 } }, loops, "stopped budget FORBIDDEN", 3, 2],
      [
        "three calls of four in one turn are made",
        { budget: { calls: 3 } },
        threeAtOnce,
        "stopped budget FORBIDDEN",
        1,
        2,
      ],
      ["all needed calls are made", { budget: { calls: 3 } }, [...loops, { text: "ok" }], 'answered "ok"', 2, 1],
    ])("R-5a: %s, and no more", async (_, changes, script, expected, turns, calls) => {
      const { acted, model, did } = await play(make, { briefing: changes, script });
      expect({
        end: end(acted),
        turns: acted.turns,
        modelCalls: model.seen.length,
        toolCalls: acted.toolCalls,
        did: did.length,
      }).toEqual({ end: expected, turns, modelCalls: turns, toolCalls: calls, did: calls });
    });

    it("R-5a: a token budget bounds the size of an answer, and no turn begins that exceeds it", async () => {
      const script = [{ calls: [{ tool: "look" }], tokens: { input: 400, output: 100 } }];
      const { acted, model } = await play(make, { briefing: { budget: { tokens: 1200 }, maxTurns: 20 }, script });
      const bounds = model.seen.map(({ maxOutputTokens }) => maxOutputTokens ?? Number.NaN);
      expect({
        end: end(acted),
        turns: acted.turns,
        boundsAreWithinBudget: bounds.every((bound) => bound > 0 && bound < 1200),
        boundsShrink: bounds[1]! < bounds[0]!,
      }).toEqual({ end: "stopped budget FORBIDDEN", turns: 2, boundsAreWithinBudget: true, boundsShrink: true });
    });

    it("R-5a: tokens are estimated for a model that does not report its usage", async () => {
      const script = [{ calls: [{ tool: "look" }], tokens: {} }];
      const { acted } = await play(make, { briefing: { budget: { tokens: 3000 }, maxTurns: 20 }, script });
      expect({
        end: end(acted),
        countsInput: acted.tokens.input > 100,
        countsOutput: acted.tokens.output > 10,
      }).toEqual({ end: "stopped budget FORBIDDEN", countsInput: true, countsOutput: true });
    });

    it.each<[string, ScriptedTurn, Partial<Briefing>, string]>([
      ["answers nothing", {}, {}, "stopped no-answer VALIDATION_FAILED"],
      ["answers blanks", { text: " \n " }, {}, "stopped no-answer VALIDATION_FAILED"],
      ["answers 10 MB", { text: "ж".repeat(5 * 1024 * 1024) }, {}, "stopped model VALIDATION_FAILED"],
      ["is cut short", { text: "half a sen", finish: "length" }, {}, "stopped model VALIDATION_FAILED"],
      [
        "is cut short by the budget",
        { text: "half", finish: "length" },
        { budget: { tokens: 900 } },
        "stopped budget FORBIDDEN",
      ],
      ["was filtered", { text: "", finish: "content-filter" }, {}, "stopped model VALIDATION_FAILED"],
      ["is unavailable", { throws: httpError(503, true) }, {}, "stopped model UPSTREAM_UNAVAILABLE"],
      ["is rate limited", { throws: httpError(429, true) }, {}, "stopped model RATE_LIMITED"],
      ["rejects the key", { throws: httpError(401, false) }, {}, "stopped model AUTH_REQUIRED"],
      ["does not exist", { throws: httpError(404, false) }, {}, "stopped model NOT_FOUND"],
      ["rejects the request", { throws: httpError(400, false) }, {}, "stopped model VALIDATION_FAILED"],
      ["cannot be reached", { throws: new TypeError("fetch failed") }, {}, "stopped model UPSTREAM_UNAVAILABLE"],
      ["breaks", { throws: new RangeError("oops") }, {}, "stopped model INTERNAL_ERROR"],
      ["throws a value that is not an error", { throws: "a word" }, {}, "stopped model INTERNAL_ERROR"],
      ["may not be reached", { throws: wrapped(forbidden) }, {}, "stopped model FORBIDDEN"],
    ])("R-5a: a model that %s ends the act with its reason, after one call", async (_, turn, changes, expected) => {
      const { acted, model } = await play(make, { briefing: changes, script: [turn] });
      expect({ end: end(acted), modelCalls: model.seen.length }).toEqual({ end: expected, modelCalls: 1 });
    });

    it("R-2: a model that cannot be created fails the call", async () => {
      const models = () => {
        throw new Failure("AUTH_REQUIRED", { en: "no key", uk: "немає ключа" });
      };
      const { acted } = await play(() => make({ models }), { script: [] });
      expect(end(acted)).toBe("stopped model AUTH_REQUIRED");
    });

    it("O-3: a tool that hangs is abandoned at its time limit, and its signal is aborted", async () => {
      let heard: unknown;
      const hangs = (_: unknown, { signal }: { signal: AbortSignal }) =>
        new Promise<never>(() => signal.addEventListener("abort", () => (heard = signal.reason)));
      const { acted } = await play(make, {
        tools: testTools({ hangs }),
        script: [{ calls: [{ tool: "hangs" }] }, { text: "ok" }],
      });
      expect({ end: end(acted), reason: (heard as Failure).code }).toEqual({
        end: 'answered "ok"',
        reason: "AGENT_TIMEOUT",
      });
    });

    it("O-3: a model that hangs is abandoned at the journal's time limit", async () => {
      const journal = memoryJournal({ limitMs: 30 });
      const { acted } = await play(make, { journal, script: [{ hangs: true }] });
      expect(end(acted)).toBe("stopped model AGENT_TIMEOUT");
    });
  });

  describe("an abort", () => {
    const reason = new Failure("AGENT_TIMEOUT", { en: "600 s are over", uk: "600 с минули" });

    it("O-3: before the act begins: no call is made", async () => {
      const { acted, model, journal } = await play(make, {
        script: [{ text: "ok" }],
        signal: AbortSignal.abort(reason),
      });
      expect({ end: end(acted), modelCalls: model.seen.length, live: journal.live }).toEqual({
        end: "stopped aborted AGENT_TIMEOUT",
        modelCalls: 0,
        live: [],
      });
    });

    it("O-3: during a model call: the call ends, and is not recorded", async () => {
      const stop = new AbortController();
      setTimeout(() => stop.abort(reason), 30);
      const { acted, model, journal } = await play(make, { script: [{ hangs: true }], signal: stop.signal });
      expect({ end: end(acted), modelCalls: model.seen.length, records: journal.records }).toEqual({
        end: "stopped aborted AGENT_TIMEOUT",
        modelCalls: 1,
        records: [],
      });
    });

    it("O-3: during a tool call that ignores the signal: the act ends, and no later call begins", async () => {
      const stop = new AbortController();
      const deaf = () => {
        setTimeout(() => stop.abort(reason), 5);
        return new Promise<never>(() => undefined);
      };
      const { acted, model, did } = await play(make, {
        tools: testTools({ deaf }),
        script: [{ calls: [{ tool: "deaf" }, { tool: "look" }] }, { text: "never" }],
        signal: stop.signal,
      });
      expect({ end: end(acted), modelCalls: model.seen.length, did }).toEqual({
        end: "stopped aborted AGENT_TIMEOUT",
        modelCalls: 1,
        did: ["deaf {}"],
      });
    });

    it("O-3: during a tool call that finishes: no later call begins", async () => {
      const stop = new AbortController();
      const pulls = async () => {
        stop.abort();
        return "done";
      };
      const { acted, model, did } = await play(make, {
        tools: testTools({ pulls }),
        script: [{ calls: [{ tool: "pulls" }, { tool: "look" }] }, { text: "never" }],
        signal: stop.signal,
      });
      expect({ end: end(acted), modelCalls: model.seen.length, did }).toEqual({
        end: "stopped aborted INVALID_TRANSITION",
        modelCalls: 1,
        did: ["pulls {}"],
      });
    });
  });

  describe("the form of an answer", () => {
    const choice: AnswerForm = { kind: "choice", options: ["Водень", "Кисень"], otherwise: true };
    it.each<[string, AnswerForm, string[], string, number]>([
      ["yes", { kind: "yes-no" }, ["Yes."], 'answered "Yes." = true', 1],
      ["так", { kind: "yes-no" }, ["**Так**"], 'answered "**Так**" = true', 1],
      ["no", { kind: "yes-no" }, ["no"], 'answered "no" = false', 1],
      ["a speech, then a word", { kind: "yes-no" }, ["Well, yes and no.", "ні"], 'answered "ні" = false', 2],
      ["two speeches", { kind: "yes-no" }, ["Well.", "Hm."], "stopped no-answer VALIDATION_FAILED", 2],
      ["nothing, then a word", { kind: "yes-no" }, ["", "yes"], 'answered "yes" = true', 2],
      ["an option", choice, ["Кисень"], 'answered "Кисень" = "Кисень"', 1],
      ["an option in other letters", choice, ["«водень»."], 'answered "«водень»." = "Водень"', 1],
      ["none of the options", choice, ["none"], 'answered "none" = null', 1],
      ["none without `otherwise`", { ...choice, otherwise: false }, ["none"], "stopped no-answer VALIDATION_FAILED", 2],
      ["a text that is not an option", choice, ["Азот"], "stopped no-answer VALIDATION_FAILED", 2],
      ["a list", { kind: "list" }, ['["a", 1]'], 'answered "[\\"a\\", 1]" = ["a",1]', 1],
      ["a list in a fence", { kind: "list" }, ["```json\n[]\n```"], 'answered "```json\\n[]\\n```" = []', 1],
      ["an object instead of a list", { kind: "list" }, ["{}", "[1]"], 'answered "[1]" = [1]', 2],
      ["a number", { kind: "value" }, [" 7 "], 'answered " 7 " = 7', 1],
      ["a text without quotes", { kind: "value" }, ["seven", '"seven"'], 'answered "\\"seven\\"" = "seven"', 2],
      ["a text", { kind: "text" }, ["seven"], 'answered "seven" = "seven"', 1],
    ])("R-1a: the runtime checks the form of an answer: %s", async (_, answer, texts, expected, turns) => {
      let said = 0;
      const { acted, model } = await play(make, {
        briefing: { answer },
        script: () => ({ text: texts[Math.min(said++, texts.length - 1)]! }),
      });
      expect({ end: end(acted), turns: acted.turns, modelCalls: model.seen.length }).toEqual({
        end: expected,
        turns,
        modelCalls: turns,
      });
    });

    it("R-1a: the model gets the form, and the mistake in its answer", async () => {
      const { model } = await play(make, {
        briefing: { answer: choice },
        script: (_, turn) => ({ text: ["?", "Водень"][turn]! }),
      });
      const asked = model.seen[1]!.prompt.flatMap((message) =>
        message.role === "user" ? [JSON.stringify(message.content)] : [],
      );
      expect({
        questions: asked.length,
        namesOption: asked[0]!.includes("- Кисень"),
        namesMistake: asked[1]!.includes("did not have the form"),
      }).toEqual({ questions: 2, namesOption: true, namesMistake: true });
    });

    it("R-1a: a limit of one turn leaves no second try", async () => {
      const { acted } = await play(make, {
        briefing: { answer: { kind: "yes-no" }, maxTurns: 1 },
        script: [{ text: "?" }],
      });
      expect({ end: end(acted), turns: acted.turns }).toEqual({ end: "stopped no-answer VALIDATION_FAILED", turns: 1 });
    });
  });
}

function httpError(statusCode: number, isRetryable: boolean): Error {
  return Object.assign(new Error("the server said no"), { statusCode, isRetryable });
}

const forbidden = new Failure("FORBIDDEN", { en: "not on the list", uk: "не в переліку" });
function wrapped(cause: Failure): Error {
  return new Error("Cannot connect to API", { cause });
}
