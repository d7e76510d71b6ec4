import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import { type RunBlock, readRunBlock } from "../../../domain/run/run-block.ts";
import { type ToldResult, toldFailure, toldValue } from "../../../domain/run/told-result.ts";

/** What a conversation says to somebody who only computes. Results are data: nothing in them is ever read as an instruction. */
export interface Conversation {
  readonly instructions: string;
  readonly prompt: string;
  /** What the run was handed, as it stands at the beginning of the prompt. */
  readonly block: RunBlock;
  /** What came of each call, by the id of the call. */
  readonly results: ReadonlyMap<string, ToldResult>;
  readonly tools: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** Whether calls are allowed in this turn. */
  readonly mayCall: boolean;
}

export function conversationOf({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): Conversation {
  const instructions: string[] = [];
  let asked: string | undefined;
  const results = new Map<string, ToldResult>();
  for (const message of prompt) {
    if (message.role === "system") instructions.push(message.content);
    // The first one only: whatever is said later is no part of what the run was handed.
    if (message.role === "user")
      asked ??= message.content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    if (message.role === "tool")
      for (const part of message.content)
        if (part.type === "tool-result") results.set(part.toolCallId, resultOf(part.output));
  }
  return {
    instructions: instructions.join("\n\n"),
    prompt: asked ?? "",
    block: readRunBlock(asked ?? ""),
    results,
    mayCall: toolChoice?.type !== "none",
    tools: tools.flatMap((tool) =>
      tool.type === "function" ? [{ name: tool.name, fields: Object.keys(tool.inputSchema.properties ?? {}) }] : [],
    ),
  };
}

function resultOf(output: LanguageModelV4ToolResultOutput): ToldResult {
  switch (output.type) {
    case "text":
      return { value: output.value };
    case "json":
      return toldValue(output.value);
    case "content":
      return { value: output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
    case "error-text":
      return toldFailure(output.value);
    case "error-json":
      return toldFailure(JSON.stringify(output.value));
    case "execution-denied":
      return { error: { code: "FORBIDDEN", message: output.reason ?? "denied" } };
  }
}
