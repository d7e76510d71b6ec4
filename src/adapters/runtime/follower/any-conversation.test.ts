import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import fc from "fast-check";
import { expect, test } from "vitest";
import { tries } from "../../../base/testing/tries.ts";
import { writeRunBlock } from "../../../domain/run/run-block.ts";
import { renderPseudocode } from "../../../drakon/text/render.ts";
import { generated, inputOf } from "../../../drakon/walk/testing/generated.ts";
import { followerModel } from "./follower-model.ts";

const names = ["read-notes", "read-context", "write-memory", "create-proposal", "ask-human"];
const tools = names.map((name) => ({
  type: "function" as const,
  name,
  inputSchema: { type: "object" as const, properties: { name: {}, passed_lines: {} } },
}));

const outputs = fc.oneof(
  fc.jsonValue().map((value) => ({ type: "json" as const, value: value as never })),
  fc.string({ unit: "binary" }).map((value) => ({ type: "text" as const, value })),
  fc.string().map((value) => ({ type: "error-text" as const, value })),
  fc.constant({ type: "execution-denied" as const }),
);

test("R-2 for any results of tools, the follower continues or says why not, and repeats the same answer", async () => {
  let turns = 0;
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(outputs, { minLength: 1, maxLength: 12 }), async (seed, given) => {
      const { tree } = generated(seed, 20);
      if (!tree) return;
      const { text } = renderPseudocode(tree, { language: "uk" });
      const prompt: LanguageModelV4Prompt = [
        { role: "system", content: text },
        { role: "user", content: [{ type: "text", text: writeRunBlock({ input: inputOf(tree) }) }] },
      ];
      for (const output of given) {
        const { content } = await followerModel().doGenerate({ prompt, tools });
        expect((await followerModel().doGenerate({ prompt, tools })).content).toEqual(content);
        turns++;
        expect(content.length).toBeGreaterThan(0);
        const calls = content.flatMap((part) => (part.type === "tool-call" ? [part] : []));
        if (calls.length === 0) return;
        prompt.push(
          { role: "assistant", content: calls.map((call) => ({ ...call, input: JSON.parse(call.input) as unknown })) },
          {
            role: "tool",
            content: calls.map(({ toolCallId, toolName }) => ({ type: "tool-result", toolCallId, toolName, output })),
          },
        );
      }
    }),
    { numRuns: tries(300) },
  );
  expect(turns).toBeGreaterThan(tries(240));
});

test("R-2 for any instructions, the follower answers", async () => {
  const words = fc.constantFrom(
    "ПОЧАТОК",
    "BEGIN",
    "КІНЕЦЬ",
    "END",
    "  ",
    "\n",
    "ЯКЩО a",
    "12|",
    "→",
    '"x"',
    "read-notes(",
    "а ← 1",
  );
  const text = fc.array(fc.oneof(words, fc.string({ unit: "binary" })), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(text, fc.string(), async (parts, asked) => {
      const prompt: LanguageModelV4Prompt = [
        { role: "system", content: parts.join(" ") },
        { role: "user", content: [{ type: "text", text: asked }] },
      ];
      const { content } = await followerModel().doGenerate({ prompt, tools });
      expect(content).toHaveLength(1);
    }),
    { numRuns: tries(600) },
  );
});
