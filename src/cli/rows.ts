import type { Text } from "../base/text.ts";

/** `label  value` lines, values in one column, in both languages. */
export function rows(lines: readonly (readonly [label: Text, value: Text | string])[]): Text {
  const write = (language: "uk" | "en"): string => {
    const width = Math.max(...lines.map(([label]) => label[language].length));
    return lines
      .map(
        ([label, value]) => `${label[language].padEnd(width)}  ${typeof value === "string" ? value : value[language]}`,
      )
      .join("\n");
  };
  return { uk: write("uk"), en: write("en") };
}

/** 2026-02-14 08:00 UTC */
export const when = (at: number): string => `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
