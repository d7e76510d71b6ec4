import type { Json } from "../../base/canonical.ts";

/** Maximum length of an input in a list. */
const MAX_LINE = 160;

/**
 * The input of a run as one line for lists: its texts and numbers, without their names. Of an event only its subject: its name and the
 * ids in its payload say nothing to a person. Undefined if there is none.
 */
export function inputLine(input: Json | undefined): string | undefined {
  const parts = leaves(subjectOfEvent(input) ?? input ?? null).map((each) => each.replaceAll(/\s+/g, " ").trim());
  const line = parts.filter((part) => part !== "").join(" · ");
  if (line === "") return undefined;
  return line.length > MAX_LINE ? `${line.slice(0, MAX_LINE - 1)}…` : line;
}

function subjectOfEvent(input: Json | undefined): string | undefined {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return undefined;
  const { event, subject } = input as { readonly [name: string]: Json };
  return typeof event === "string" && typeof subject === "string" && subject !== "" ? subject : undefined;
}

/** Only the first levels: a deep value says nothing in a line. */
function leaves(value: Json, depth = 0): string[] {
  if (value === null || depth > 2) return [];
  if (typeof value === "string") return [value];
  if (typeof value !== "object") return [String(value)];
  const parts: readonly Json[] = Array.isArray(value) ? value : Object.values(value);
  return parts.slice(0, 8).flatMap((part) => leaves(part, depth + 1));
}
