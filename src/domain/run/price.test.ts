import { expect, test } from "vitest";
import { costOf } from "./price.ts";

const prices = {
  currency: "EUR",
  models: { "anthropic/claude-sonnet-4-5": { input: 3, output: 15 }, local: { input: 0, output: 0 } },
};

test.each<[string, { input: number; output: number }, unknown]>([
  ["anthropic/claude-sonnet-4-5", { input: 1_000_000, output: 1_000_000 }, { amount: 18, currency: "EUR" }],
  ["anthropic/claude-sonnet-4-5", { input: 1234, output: 100 }, { amount: 0.005202, currency: "EUR" }],
  ["anthropic/claude-sonnet-4-5", { input: 0, output: 0 }, { amount: 0, currency: "EUR" }],
  ["local", { input: 5000, output: 5000 }, { amount: 0, currency: "EUR" }],
  ["openai/gpt-5", { input: 1, output: 1 }, undefined],
  ["constructor", { input: 1, output: 1 }, undefined],
])("U-1 %s with %o costs what the owner's prices say", (model_used, tokens_used, cost) => {
  expect(costOf(prices, { model_used, tokens_used })).toEqual(cost);
});
