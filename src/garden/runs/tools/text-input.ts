import { z } from "zod";
import type { Citation } from "../../../domain/proposal/operation.ts";

/** Text in a tool's input: a text, an answer of the reader with its references, or a record with a `text`. */
const reference = z.looseObject({ source_title: z.string(), cited_text: z.string() });
export const referencesInput = z.array(reference, "references").max(200, "references");

export const textInput = z.union(
  [
    z.string(),
    z.looseObject({ answer: z.string(), references: referencesInput.optional() }),
    z.looseObject({ text: z.string() }),
  ],
  "content",
);
export type TextInput = z.output<typeof textInput>;

export function textOfInput(value: TextInput): string {
  if (typeof value === "string") return value;
  return "answer" in value && typeof value.answer === "string" ? value.answer : String(value["text"]);
}

export const referencesIn = (value: TextInput | undefined): z.output<typeof referencesInput> => {
  const found =
    typeof value === "object" && "references" in value ? referencesInput.safeParse(value.references).data : undefined;
  return found ?? [];
};

const MAX_SOURCE = 200;

/** References as citations of a proposal (P-5), without duplicates. */
export function citationsOf(found: z.output<typeof referencesInput>): Citation[] {
  const cited = new Map<string, Citation>();
  for (const { source_title, cited_text } of found) {
    const source = source_title
      .replaceAll(/[\u0000-\u001f\u007f]+/g, " ")
      .trim()
      .slice(0, MAX_SOURCE)
      .toWellFormed();
    if (source !== "")
      cited.set(`${source}\n${cited_text}`, { source, quote: cited_text.replaceAll("\0", "").toWellFormed() });
  }
  return [...cited.values()];
}

/** Tags as a list, or as text: one per line or separated by commas, with bullets, hashes and numbers. */
export const tagsInput = z.union([z.array(z.string()).max(100), textInput], "tags-wanted");

const MAX_TAG = 60;
const MAX_TAG_WORDS = 3;
const MOST_TAGS = 20;

export function tagsOfInput(value: z.output<typeof tagsInput>): string[] {
  if (Array.isArray(value))
    return [...new Set(value.map((tag) => tag.normalize("NFC").trim().replace(/^#+/, "")).filter(Boolean))];
  const lines = textOfInput(value)
    .normalize("NFC")
    .replaceAll(/\[\d+(?:[-–,\s]+\d+)*\]/g, "")
    .split("\n")
    .map((line) => line.split(/[,;]/).map(plainTag).filter(Boolean));
  // A line with a long piece is a sentence: its short pieces are no tags.
  const tags = lines.filter((line) => line.every(isShort)).flat();
  return [...new Set(tags.map((tag) => tag.replaceAll(/\s+/g, "-")))].slice(0, MOST_TAGS);
}

/** Without bullets, numbers, marks and quotation marks. */
const plainTag = (piece: string): string =>
  piece
    .replace(/^\s*(?:[-*+•]|\d{1,2}[.)])\s+/, "")
    .replaceAll(/[*`"«»“”„#[\]{}]/g, "")
    .replace(/[.:!?…]+\s*$/, "")
    .trim()
    .toLowerCase();

const isShort = (tag: string): boolean => tag.length <= MAX_TAG && tag.split(/\s+/).length <= MAX_TAG_WORDS;
