import fc from "fast-check";
import { expect, test } from "vitest";
import { Failure } from "../../base/failure.ts";
import { aiSdkRuntime } from "./ai-sdk/ai-sdk-runtime.ts";
import { type MakeRuntime, type Played, play, testTools } from "./conformance-setup.ts";
import { mastraRuntime } from "./mastra/mastra-runtime.ts";
import { memoryJournal } from "./testing/memory-journal.ts";
import type { ScriptedTurn } from "./testing/scripted-model.ts";

/** A call with a known or unknown tool, valid or invalid arguments and an id that may repeat. */
const call = fc.record({
  tool: fc.constantFrom("look", "note", "fails", "stops", "fly", "constructor", "__proto__", ""),
  input: fc.oneof(
    fc.constantFrom("", "{}", "{", "null", '{"text":"x"}', '{"text":"x","times":2}', '{"where":1}', '{"__proto__":1}'),
    fc.json({ maxDepth: 2 }),
  ),
  id: fc.constantFrom("a", "b", "", "а", "call_1_0"),
});
const turn: fc.Arbitrary<ScriptedTurn> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ calls: fc.array(call, { minLength: 1, maxLength: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      text: fc.string({ unit: "binary" }),
      calls: fc.array(call, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<ScriptedTurn>(
      { text: "yes" },
      { text: "" },
      { throws: new Error("x") },
      { text: "[1]", finish: "length" },
    ),
  },
);
const scene = fc.record({
  script: fc.array(turn, { minLength: 1, maxLength: 6 }).map((turns) => [...turns, { text: "yes" }]),
  briefing: fc.record({
    maxTurns: fc.integer({ min: 1, max: 8 }),
    budget: fc.record({ calls: fc.integer({ min: 0, max: 12 }) }, { requiredKeys: [] }),
    answer: fc.constantFrom({ kind: "yes-no" as const }, { kind: "list" as const }, { kind: "text" as const }),
  }),
});

const tools = () => {
  const failing = (details: Record<string, string>) => async () => {
    throw new Failure("NOT_FOUND", {
      en: "not there",
      uk: "немає",
      details,
    });
  };
  return testTools({ fails: failing({}), stops: failing({ held: "req_1" }) });
};

test("O-3: for any behaviour of a model, both members act alike, and a replay of any prefix finishes the act", async () => {
  const told = ({ acted, journal, did }: Played) =>
    JSON.stringify([
      acted.kind === "stopped" ? [acted.why, acted.failure.code] : acted,
      acted.turns,
      acted.denied,
      journal.records,
      did,
    ]);
  await fc.assert(
    fc.asyncProperty(scene, fc.nat(), async (chosen, place) => {
      const acting = (make: MakeRuntime, journal = memoryJournal()) =>
        play(make, { ...chosen, tools: tools(), journal });
      const [light, heavy] = [await acting(aiSdkRuntime), await acting(mastraRuntime)];
      expect(told(heavy)).toBe(told(light));
      const { records } = light.journal;
      const kept = place % (records.length + 1);
      const again = await acting(
        place % 2 === 0 ? aiSdkRuntime : mastraRuntime,
        memoryJournal({ records: records.slice(0, kept) }),
      );
      expect({ records: again.journal.records, kind: again.acted.kind, turns: again.acted.turns }).toEqual({
        records,
        kind: light.acted.kind,
        turns: light.acted.turns,
      });
    }),
    { numRuns: 60 },
  );
});
