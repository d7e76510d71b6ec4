import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import { type ModelToolResult, modelToolResult, parseToolFailure } from "../../../domain/run/model-tool-result.ts";
import { type RunBlock, readRunBlock } from "../../../domain/run/run-block.ts";

/** The parts of a conversation that the follower uses. Results are data, never instructions. */
export interface Conversation {
  readonly instructions: string;
  readonly prompt: string;
  /** The input of the run, from the beginning of the prompt. */
  readonly block: RunBlock;
  /** The result of each call, by call id. */
  readonly results: ReadonlyMap<string, ModelToolResult>;
  readonly tools: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** True if calls are allowed in this turn. */
  readonly mayCall: boolean;
}

export function conversationOf({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): Conversation {
  const instructions: string[] = [];
  let firstPrompt: string | undefined;
  const results = new Map<string, ModelToolResult>();
  for (const message of prompt) {
    if (message.role === "system") instructions.push(message.content);
    // Only the first user message holds the input of the run.
    if (message.role === "user")
      firstPrompt ??= message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    if (message.role === "tool")
      for (const part of message.content)
        if (part.type === "tool-result") results.set(part.toolCallId, resultOf(part.output));
  }
  return {
    instructions: instructions.join("\n\n"),
    prompt: firstPrompt ?? "",
    block: readRunBlock(firstPrompt ?? ""),
    results,
    mayCall: toolChoice?.type !== "none",
    tools: tools.flatMap((tool) =>
      tool.type === "function" ? [{ name: tool.name, fields: Object.keys(tool.inputSchema.properties ?? {}) }] : [],
    ),
  };
}

function resultOf(output: LanguageModelV4ToolResultOutput): ModelToolResult {
  switch (output.type) {
    case "text":
      return { value: output.value };
    case "json":
      return modelToolResult(output.value);
    case "content":
      return { value: output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
    case "error-text":
      return parseToolFailure(output.value);
    case "error-json":
      return parseToolFailure(JSON.stringify(output.value));
    case "execution-denied":
      return { error: { code: "FORBIDDEN", message: output.reason ?? "denied" } };
  }
}
