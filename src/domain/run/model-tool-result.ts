import type { Json } from "../../base/canonical.ts";
import type { Text } from "../../base/text.ts";

/** The result of a tool call as the model receives it. */
export type ModelToolResult =
  | { readonly value: Json }
  | { readonly error: { readonly code: string; readonly message: string } };

/** `CODE: what happened` with the hint; no internals. */
export function toolFailureText({ code, text, hint }: { code: string; text: Text; hint?: Text | undefined }): string {
  const words = `${code}: ${text.en}${hint ? `. ${hint.en}` : ""}`;
  return words.slice(0, MAX_FAILURE_CHARACTERS).toWellFormed();
}

const MAX_FAILURE_CHARACTERS = 4000;

/** Parses the text of `failureWords`. */
export function parseToolFailure(words: string): ModelToolResult {
  const found = /^([A-Z][A-Z_]{2,40}):\s*([\s\S]*)$/.exec(words.trim());
  const error = found ? { code: found[1]!, message: found[2]! } : { code: "INTERNAL_ERROR", message: words.trim() };
  return { error };
}

/** Some runtimes return refused arguments as if they were the tool's result. */
export function modelToolResult(value: Json): ModelToolResult {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return { value };
  const { error, message, validationErrors } = value as { readonly [key: string]: Json | undefined };
  const refused = error === true && typeof message === "string" && validationErrors !== undefined;
  return refused ? { error: { code: "VALIDATION_FAILED", message } } : { value };
}
