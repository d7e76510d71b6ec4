import { describe, expect, test } from "vitest";
import modelRegistry from "../../data/model-registry.json" with { type: "json" };
import { checkModel, type ModelCheck } from "./model-registry.ts";

const endpoints = { local: { url: "http://127.0.0.1:11434/v1", key_env: "MODEL_KEY" } };
const summaryOf = (check: ModelCheck): string =>
  check.kind === "unknown"
    ? `unknown, ${check.suggestion ?? "–"}`
    : `${check.kind} ${check.provider} ${check.model} ${check.keyEnv.join()}`.trimEnd();

describe("R-2 model ids, offline", () => {
  test.each([
    ["claude-sonnet-4-5-20250929", "known anthropic claude-sonnet-4-5-20250929 ANTHROPIC_API_KEY"],
    ["anthropic/claude-sonnet-4-5", "known anthropic claude-sonnet-4-5 ANTHROPIC_API_KEY"],
    ["openrouter/anthropic/claude-sonnet-4.5", "known openrouter anthropic/claude-sonnet-4.5 OPENROUTER_API_KEY"],
    ["claude-next", "unlisted anthropic claude-next ANTHROPIC_API_KEY"],
    ["gpt-nope", "unlisted openai gpt-nope OPENAI_API_KEY"],
    ["anthropic/claude-nope", "unlisted anthropic claude-nope ANTHROPIC_API_KEY"],
    ["bloom/follower", "known bloom follower"],
    ["offline/script", "known offline script"],
    ["local/qwen3:8b", "known local qwen3:8b MODEL_KEY"],
    ["antropic/claude-sonnet-4-5", "unknown, anthropic/claude-sonnet-4-5"],
    ["lokal/qwen3:8b", "unknown, local/qwen3:8b"],
    ["bloom/folower", "unknown, bloom/follower"],
    ["blom/follower", "unknown, bloom/follower"],
    ["follower", "unknown, bloom/follower"],
    ["local", "unknown, –"],
    ["qwen", "unknown, –"],
    ["/x", "unknown, –"],
    ["anthropic/", "unknown, –"],
    ["__proto__/x", "unknown, –"],
    ["constructor", "unknown, –"],
  ])("%s: %s", (id, expected) => expect(summaryOf(checkModel(id, endpoints))).toBe(expected));

  test("the garden's endpoint overrides a listed provider of the same name", () => {
    expect(checkModel("openai/mine", { openai: { url: "http://x.example/v1" } })).toMatchObject({
      kind: "known",
      keyEnv: [],
    });
  });

  test("the bundled list is complete, small and well formed", () => {
    const providers = Object.entries(modelRegistry.providers);
    expect(providers.length).toBeGreaterThan(200);
    expect(providers.flatMap(([, { models }]) => models).length).toBeGreaterThan(7000);
    expect(JSON.stringify(modelRegistry).length).toBeLessThan(400_000);
    const malformed = providers.filter(
      ([name, { keyEnv, models }]) =>
        !/^[a-z0-9.-]+$/.test(name) ||
        keyEnv.some((variable) => !/^[A-Z0-9_]+$/.test(variable)) ||
        models.length === 0 ||
        models.some((model) => !/^\S+$/.test(model)),
    );
    expect(malformed).toEqual([]);
  });
});
