import type { JsonValue } from "../api/endpoints.gen.ts";

type InputKind = "text" | "number" | "yes-no" | "list";

/** The type that a declaration names, in either language: `limit: number`. Everything else is text. */
export function inputKind(remark = ""): InputKind {
  const word = remark.trim().toLocaleLowerCase();
  if (/^(?:number|integer|число)(?![\p{L}])/u.test(word)) return "number";
  if (/^(?:yes\/no|boolean|bool|так\/ні)(?![\p{L}])/u.test(word)) return "yes-no";
  return /^(?:list|array|список)(?![\p{L}])/u.test(word) ? "list" : "text";
}

export function typed(text: string, kind: InputKind): JsonValue {
  const number = Number(text.replace(",", "."));
  if (kind === "number") return Number.isFinite(number) ? number : text;
  if (kind === "yes-no") return text === "true";
  return kind === "list" ? text.split("\n").filter((line) => line.trim() !== "") : text;
}

/** Parses JSON; any other text is returned as it is. */
export function jsonOrText(value: string): JsonValue {
  try {
    return JSON.parse(value) as JsonValue;
  } catch {
    return value;
  }
}
