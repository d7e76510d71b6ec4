import { describe, expect, test } from "vitest";
import { checkModel, type ModelCheck } from "./model-registry.ts";
import { modelRegistryText } from "./model-registry-data.ts";

const endpoints = { local: { url: "http://127.0.0.1:11434/v1", key_env: "MODEL_KEY" } };
const told = (check: ModelCheck): string =>
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
  ])("%s: %s", (id, expected) => expect(told(checkModel(id, endpoints))).toBe(expected));

  test("the garden's endpoint comes before what is listed under its name", () => {
    expect(checkModel("openai/mine", { openai: { url: "http://x.example/v1" } })).toMatchObject({
      kind: "known",
      keyEnv: [],
    });
  });

  test("the bundled list is whole and small", () => {
    const lines = modelRegistryText.trimEnd().split("\n");
    const models = lines.reduce((sum, line) => sum + line.split(" ").length - 2, 0);
    expect([lines.length > 200, models > 7000, modelRegistryText.length < 400_000]).toEqual([true, true, true]);
    expect(lines.filter((line) => !/^[a-z0-9.-]+ (?:-|[A-Z0-9_,]+)(?: \S+)+$/.test(line))).toEqual([]);
  });
});
