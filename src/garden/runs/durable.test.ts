import { describe, expect, test } from "vitest";
import { definitionChecks, forkChecks, resumeChecks } from "./testing/durable-checks.ts";
import { effectChecks } from "./testing/effect-checks.ts";
import { answerChecks, decisionChecks } from "./testing/human-checks.ts";
import { counterfactualChecks, replayChecks } from "./testing/replay-checks.ts";
import { historyChecks, traceOfRunChecks } from "./testing/run-history-checks.ts";

/** The checks of durable sessions, D1 to D43. */
const durable = [
  ...definitionChecks,
  ...resumeChecks,
  ...forkChecks,
  ...traceOfRunChecks,
  ...replayChecks,
  ...counterfactualChecks,
  ...historyChecks,
].map(([name, holds], index) => ({ name: `D${index + 1}. ${name}`, holds }));

/** The checks of decisions by people, H1 to H23. */
const human = [...decisionChecks, ...answerChecks].map(([name, holds], index) => ({
  name: `H${index + 1}. ${name}`,
  holds,
}));

/** The checks of effects, E1 to E8. */
const effects = effectChecks.map(([name, holds], index) => ({ name: `E${index + 1}. ${name}`, holds }));

test("S-7 S-8 the lists have 43, 23 and 8 checks", () => {
  expect([durable.length, human.length, effects.length]).toEqual([43, 23, 8]);
});

describe("S-7 durable sessions", () => {
  test.each(durable)("$name", async ({ holds }) => {
    await holds();
  });
});

describe("S-8 S-8a decisions by people", () => {
  test.each(human)("$name", async ({ holds }) => {
    await holds();
  });
});

describe("S-7 S-11 effects of runs", () => {
  test.each(effects)("$name", async ({ holds }) => {
    await holds();
  });
});
