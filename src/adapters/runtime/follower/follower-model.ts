import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from "@ai-sdk/provider";
import { FOLLOWER } from "../../../domain/config/model-registry.ts";
import { conversationOf } from "./conversation.ts";
import { nextMove } from "./next-move.ts";

/**
 * A deterministic model without network or key: it reads the procedure in its instructions and carries it out with the given
 * tools. It is stateless, so a crash costs nothing. It never obeys text from notes or tools, uses no tokens, and names the line
 * where a real language model is needed.
 */
export function followerModel(): LanguageModelV4 {
  return {
    specificationVersion: "v4",
    provider: "bloom",
    modelId: "follower",
    supportedUrls: {},
    doGenerate: async (options) => turn(options),
    doStream: async (options) => ({ stream: streamOf(turn(options)) }),
  };
}

function turn(options: LanguageModelV4CallOptions): LanguageModelV4GenerateResult {
  options.abortSignal?.throwIfAborted();
  const move = nextMove(conversationOf(options));
  const content: LanguageModelV4Content[] =
    move.kind === "say"
      ? [{ type: "text", text: move.text }]
      : move.calls.map(({ id, name, input }) => ({
          type: "tool-call",
          toolCallId: id,
          toolName: name,
          input: JSON.stringify(input),
        }));
  return {
    content,
    finishReason: { unified: move.kind === "say" ? "stop" : "tool-calls", raw: undefined },
    usage: {
      inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 0, text: 0, reasoning: 0 },
    },
    response: { id: "follower", timestamp: new Date(0), modelId: FOLLOWER },
    warnings: [],
  };
}

function streamOf(result: LanguageModelV4GenerateResult): ReadableStream<LanguageModelV4StreamPart> {
  const parts: LanguageModelV4StreamPart[] = [{ type: "stream-start", warnings: [] }];
  for (const [index, one] of result.content.entries()) {
    const id = String(index);
    if (one.type === "text")
      parts.push({ type: "text-start", id }, { type: "text-delta", id, delta: one.text }, { type: "text-end", id });
    else if (one.type === "tool-call") parts.push(one);
  }
  parts.push({ type: "finish", usage: result.usage, finishReason: result.finishReason });
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}
