import type { Json } from "../../base/canonical.ts";
import { Failure } from "../../base/failure.ts";

/** What a server's tool gave, as far as we know its shape. */
interface Given {
  readonly isError?: boolean | undefined;
  readonly structuredContent?: unknown;
  readonly content?: unknown;
}

const MAX_TEXT = 100_000;

/** Data for the model: what has a structure as it is, all else as text; a picture is named, not sent. */
export function resultOf(tool: string, { isError, structuredContent, content }: Given): Json {
  const text = Array.isArray(content) ? content.map(textOf).join("\n") : "";
  if (isError === true) throw saidNo(tool, text);
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

const MAX_SAID = 2000;

const saidNo = (tool: string, text: string): Failure => {
  const said = text.slice(0, MAX_SAID).toWellFormed();
  return new Failure(
    "VALIDATION_FAILED",
    { en: `${tool} failed: ${said}`, uk: `${tool}: помилка: ${said}` },
    { details: { tool } },
  );
};
