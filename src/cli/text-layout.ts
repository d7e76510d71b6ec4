import type { Language, Text } from "../base/text.ts";
import { printable } from "./printable.ts";

export const inBothLanguages = (write: (language: Language) => string): Text => ({ uk: write("uk"), en: write("en") });

/** Untrusted text on one line, safe for a terminal. */
export const oneLine = (text: string): string => printable(text.replaceAll(/\s+/g, " ").trim());

/** Untrusted text as a quotation, line by line. */
export const quotedLines = (text: string): string[] =>
  printable(text)
    .split("\n")
    .map((line) => `  | ${line}`);

/** `label  value` lines with the values in one column. */
export const labelledRows = (lines: readonly (readonly [label: Text, value: Text | string])[]): Text =>
  inBothLanguages((language) =>
    alignColumns(
      lines.map(([label, value]) => [label[language], typeof value === "string" ? value : value[language]]),
    ).join("\n"),
  );

/** Pads all columns but the last to the width of their widest cell. */
export function alignColumns(lines: readonly (readonly string[])[]): string[] {
  const widths = lines.reduce<number[]>(
    (widest, line) => line.map((cell, column) => Math.max(widest[column] ?? 0, [...cell].length)),
    [],
  );
  return lines.map((line) =>
    line
      .map((cell, column) =>
        column === line.length - 1 ? cell : cell + " ".repeat(widths[column]! - [...cell].length),
      )
      .join("  ")
      .trimEnd(),
  );
}

/** `2026-02-14 08:00 UTC` */
export const formatTime = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
