import { relative } from "node:path";
import { isFailure } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { explain } from "../../garden/insight/why/explain.ts";
import type { WhyLink, WhyReport } from "../../garden/insight/why/why-report.ts";
import type { Command, CommandContext } from "../command.ts";
import { example } from "../options.ts";
import { printable } from "../printable.ts";
import { formatTime, inBothLanguages } from "../text-layout.ts";
import { withGarden } from "../with-garden.ts";

export const whyCommand: Command = {
  name: "why",
  summary: {
    en: "explain a commit, a line, a proposal or a run, and verify every link of the chain",
    uk: "пояснити коміт, рядок, пропозицію чи запуск і перевірити кожну ланку",
  },
  usage: "COMMIT | PATH[:LINE] | PROPOSAL | RUN | SLUG#ICON",
  words: [1, 1],
  options: {},
  examples: [
    example("bloom why notes/roses.md:3", "the origin of line 3", "звідки взявся рядок 3"),
    example("bloom why main", "the last commit", "останній коміт"),
    example(
      "bloom why prop_2026-02-14_080000_abc123",
      "exit code 1 if a link is missing or invalid",
      "код завершення 1, якщо ланки бракує або вона хибна",
    ),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const report = await explainArgument(context, garden);
      return { text: whyText(report), json: report, asked: true, exit: report.missing.length === 0 ? 0 : 1 };
    }),
};

/** Explains the argument as written; if not found, as a path relative to the working directory. */
async function explainArgument(context: CommandContext, garden: Garden): Promise<WhyReport> {
  const asked = context.words[0]!;
  try {
    return await explain(garden, asked);
  } catch (error) {
    const here = relative(garden.dir, context.path(asked));
    if (!isFailure(error, "NOT_FOUND") || here === asked || here.startsWith("..")) throw error;
    return explain(garden, here);
  }
}

function whyText(report: WhyReport): Text {
  return inBothLanguages((language) => {
    const lines = report.links.flatMap((link) => linesOf(link, language));
    const { length } = report.missing;
    if (length > 0) lines.push(language === "en" ? `Missing or invalid: ${length}` : `Бракує або хибне: ${length}`);
    return printable(lines.join("\n"));
  });
}

const MARKS: Readonly<Record<WhyLink["direction"], string>> = { subject: "", because: "← ", "led-to": "→ " };

function linesOf(link: WhyLink, language: Language): string[] {
  const indent = "  ".repeat(link.depth);
  const at = link.at === undefined ? "" : ` (${formatTime(link.at)})`;
  // Untrusted text stays on one line.
  const what = link.what[language].replaceAll(/\s+/g, " ");
  return [
    `${indent}${MARKS[link.direction]}${what}${at}`,
    ...link.remarks.map((remark) => `${indent}  · ${remark[language]}`),
    ...link.problems.map((problem) => `${indent}  ! ${problem[language]}`),
  ];
}
