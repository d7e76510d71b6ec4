import type { LanguageModelV4, LanguageModelV4GenerateResult } from "@ai-sdk/provider";

/** Asks for one look after the other, and answers in its last turn. Counted from the prompt, as a model without a memory must. */
export const lookingModel = (count: number): LanguageModelV4 => ({
  specificationVersion: "v4",
  provider: "offline",
  modelId: "scripted",
  supportedUrls: {},
  async doGenerate({ prompt }): Promise<LanguageModelV4GenerateResult> {
    const turn = prompt.filter(({ role }) => role === "assistant").length;
    const last = turn >= count - 1;
    return {
      content: last
        ? [{ type: "text", text: "Done." }]
        : [{ type: "tool-call", toolCallId: `call_${turn}`, toolName: "look", input: JSON.stringify({ at: turn }) }],
      finishReason: { unified: last ? "stop" : "tool-calls", raw: undefined },
      usage: {
        inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 5, text: 5, reasoning: 0 },
      },
      warnings: [],
    };
  },
  doStream: () => Promise.reject(new Error("nobody streams")),
});
