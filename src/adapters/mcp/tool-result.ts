import type { Json } from "../../base/canonical.ts";
import { toolFailed } from "./failures.ts";

/** The part of a tool's result that we read. */
interface CallResult {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
}

const MAX_TEXT = 100_000;

/** The result for the model: structured content as it is, anything else as text; an image is named, not sent. Throws if the tool failed. */
export function mcpResult(tool: string, { isError, structuredContent, content }: CallResult): Json {
  const text = Array.isArray(content) ? content.map(textOf).join("\n") : "";
  if (isError === true) throw toolFailed(tool, text);
  if (structuredContent !== undefined && JSON.stringify(structuredContent).length <= MAX_TEXT)
    return structuredContent as Json;
  return { text: bounded(text || JSON.stringify(structuredContent ?? "")) };
}

function textOf(part: unknown): string {
  if (typeof part !== "object" || part === null) return "";
  const { type, text, mimeType, uri } = part as Record<string, unknown>;
  if (typeof text === "string") return text;
  return `[${[type, mimeType, uri].filter((one) => typeof one === "string").join(" ")}]`;
}

const bounded = (text: string): string =>
  text.length <= MAX_TEXT
    ? text.toWellFormed()
    : `${text.slice(0, MAX_TEXT).toWellFormed()}\n[… ${MAX_TEXT} / ${text.length}]`;
