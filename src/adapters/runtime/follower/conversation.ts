import type { LanguageModelV4CallOptions, LanguageModelV4ToolResultOutput } from "@ai-sdk/provider";
import type { Json } from "../../../base/canonical.ts";
import { type RunBlock, readRunBlock } from "../../../domain/run-block.ts";

/** What a conversation says to somebody who only computes. Results are data: nothing in them is ever read as an instruction. */
export interface Conversation {
  readonly instructions: string;
  readonly prompt: string;
  /** What the run was handed, as it stands at the beginning of the prompt. */
  readonly block: RunBlock;
  /** What came of each call, by the id of the call. */
  readonly results: ReadonlyMap<string, Result>;
  readonly tools: readonly { readonly name: string; readonly fields: readonly string[] }[];
  /** Whether calls are allowed in this turn. */
  readonly mayCall: boolean;
}

export type Result = { readonly value: Json } | { readonly error: { readonly code: string; readonly message: string } };

export function conversationOf({ prompt, tools = [], toolChoice }: LanguageModelV4CallOptions): Conversation {
  const instructions: string[] = [];
  let asked: string | undefined;
  const results = new Map<string, Result>();
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

function resultOf(output: LanguageModelV4ToolResultOutput): Result {
  switch (output.type) {
    case "text":
      return { value: output.value };
    case "json":
      return invalidInput(output.value) ?? { value: output.value };
    case "content":
      return { value: output.value.map((part) => (part.type === "text" ? part.text : "")).join("\n") };
    case "error-text":
      return { error: errorIn(output.value) };
    case "error-json":
      return { error: errorIn(JSON.stringify(output.value)) };
    case "execution-denied":
      return { error: { code: "FORBIDDEN", message: output.reason ?? "denied" } };
  }
}

/** Some loops say that the arguments were refused as if that were what the tool gave. */
function invalidInput(value: Json): Result | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const { error, message, validationErrors } = value as { readonly [key: string]: Json | undefined };
  const refused = error === true && typeof message === "string" && validationErrors !== undefined;
  return refused ? { error: { code: "VALIDATION_FAILED", message } } : undefined;
}

/** A failure is told as `CODE: what happened`. */
function errorIn(text: string): { readonly code: string; readonly message: string } {
  const found = /^([A-Z][A-Z_]{2,40}):\s*([\s\S]*)$/.exec(text.trim());
  return found ? { code: found[1]!, message: found[2]! } : { code: "INTERNAL_ERROR", message: text.trim() };
}
