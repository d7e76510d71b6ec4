import type { Text } from "../../base/text.ts";
import type { ActivationReport } from "../../garden/agents/lifecycle/activation.ts";
import type { GateCheck } from "../../garden/records/agents/gate-check.ts";
import { printable } from "../printable.ts";

const marks: Readonly<Record<GateCheck["result"], string>> = { pass: "✓", warning: "!", fail: "✗", skipped: "–" };

/** The table of the gate, a row per check; what was found stands under a check that did not pass. */
export function gateTable({ checks, ready, slug }: ActivationReport): Text {
  const write = (language: "uk" | "en"): string => {
    const width = Math.max(...checks.map(({ title }) => title[language].length));
    const lines = checks.map(({ title, result, words }) => {
      const [first = "", ...rest] = printable(words[language]).split("\n");
      return [
        `  ${marks[result]} ${title[language].padEnd(width)}  ${first}`.trimEnd(),
        ...rest.map((line) => `${" ".repeat(width + 6)}${line}`),
      ].join("\n");
    });
    const verdict = ready
      ? { en: `${slug} can be activated.`, uk: `${slug} можна активувати.` }
      : { en: `${slug} cannot be activated yet.`, uk: `${slug} ще не можна активувати.` };
    return [...lines, verdict[language]].join("\n");
  };
  return { uk: write("uk"), en: write("en") };
}

/** Columns of equal width; the first row is the head. */
export function table(head: readonly Text[], rows: readonly (readonly string[])[]): Text {
  const write = (language: "uk" | "en"): string => {
    const all = [head.map((text) => text[language]), ...rows.map((row) => row.map((cell) => printable(cell)))];
    const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
    return all
      .map((row) =>
        row
          .map((cell, column) => cell.padEnd(widths[column]!))
          .join("  ")
          .trimEnd(),
      )
      .join("\n");
  };
  return { uk: write("uk"), en: write("en") };
}
