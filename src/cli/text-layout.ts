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

/** `2026-02-14 10:00 +02:00`: a time in the zone of the machine (`TZ`), `UTC` where that has no offset. JSON output keeps ISO times in UTC. */
export function formatTime(at: number | string): string {
  const date = new Date(at);
  const ahead = -date.getTimezoneOffset();
  const local = new Date(date.getTime() + ahead * 60_000).toISOString().slice(0, 16).replace("T", " ");
  return `${local} ${ahead === 0 ? "UTC" : offsetText(ahead)}`;
}

function offsetText(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
