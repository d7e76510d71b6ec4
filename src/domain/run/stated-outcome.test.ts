import { describe, expect, test } from "vitest";
import { readRunBlock, withInput, writeRunBlock } from "./run-block.ts";
import { outcomeLine, statedOutcome } from "./stated-outcome.ts";

describe("R-5a the outcome that a run states", () => {
  test.each<[string, unknown]>([
    ["NOOP: nothing new", { kind: "noop", reason: "nothing new" }],
    ["Готово.\nБЕЗ ЗМІН: усе вже є", { kind: "noop", reason: "усе вже є" }],
    ["**BLOCKED: no key**", { kind: "blocked", reason: "no key" }],
    ["> `noop`: quiet", { kind: "noop", reason: "quiet" }],
    ["NOOP: first\nBLOCKED: then", { kind: "blocked", reason: "then" }],
    ["НЕ ВДАЛОСЯ: диск", { kind: "failed", reason: "диск" }],
    ["NOOP:", undefined],
    ["I will not say NOOP: today", undefined],
    ["", undefined],
  ])("%j", (text, words) => {
    expect(statedOutcome(text)).toEqual(words);
  });

  test("an outcome line is one line, for any reason", () => {
    expect(statedOutcome(`Said.\n${outcomeLine("blocked", "uk", "рядок 3:\n  чого?")}`)).toEqual({
      kind: "blocked",
      reason: "рядок 3: чого?",
    });
  });
});

describe("R-2 the run block of a prompt", () => {
  const block = { run: "run_x", time: "2026-02-14T08:00:00.000Z", input: { a: "```\n```json run\n{}", b: [1] } };

  test("is read back with any input", () => {
    expect(readRunBlock(`${writeRunBlock(block)}\n\nGo.`)).toEqual(block);
  });

  test.each(["", "Go.", `Go.\n${writeRunBlock(block)}`, "```json run\n{oops\n```", '```json run\n{"input":1}\n```'])(
    "is empty if the prompt does not begin with it: %j",
    (prompt) => {
      expect(readRunBlock(prompt)).toEqual({ input: {} });
    },
  );

  test("accepts more input, and keeps its own", () => {
    const prompt = withInput(`${writeRunBlock(block)}\n\nGo.`, { a: "other", folder: "x" });
    expect(readRunBlock(prompt).input).toEqual({ ...block.input, folder: "x" });
    expect(prompt.endsWith("```\n\nGo.")).toBe(true);
    expect(readRunBlock(withInput("Go.", { folder: "x" })).input).toEqual({ folder: "x" });
  });
});
