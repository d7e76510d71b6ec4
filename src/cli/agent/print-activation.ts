import type { Text } from "../../base/text.ts";
import type { ActivationReport } from "../../garden/agents/lifecycle/activation.ts";
import type { GateCheck } from "../../garden/records/agents/gate-check.ts";
import { printable } from "../printable.ts";
import { inBothLanguages } from "../text-layout.ts";

const marks: Readonly<Record<GateCheck["result"], string>> = { pass: "✓", warning: "!", fail: "✗", skipped: "–" };

/** The activation checks, one row each, with the details of failed ones below. */
export function activationText({ checks, ready, slug }: ActivationReport): Text {
  return inBothLanguages((language) => {
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
  });
}
