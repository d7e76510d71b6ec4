import { relative } from "node:path";
import { isFailure } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { WhyLink, WhyReport } from "../../garden/insight/why/why-report.ts";
import { explain } from "../../garden/insight/why/why.ts";
import type { Command, Context } from "../command.ts";
import { printable } from "../printable.ts";
import { when } from "../rows.ts";
import { withGarden } from "../with-garden.ts";

export const why: Command = {
  name: "why",
  summary: {
    en: "explain a commit, a line, a proposal or a run, and check every link",
    uk: "пояснити коміт, рядок, пропозицію чи запуск і перевірити кожну ланку",
  },
  usage: "COMMIT | PATH[:LINE] | PROPOSAL | RUN | SLUG#ICON",
  words: [1, 1],
  options: {},
  examples: [
    { line: "bloom why notes/roses.md:3", does: { en: "how line 3 got there", uk: "звідки взявся рядок 3" } },
    { line: "bloom why main", does: { en: "the last commit", uk: "останній коміт" } },
    {
      line: "bloom why prop_2026-02-14_080000_abc123",
      does: {
        en: "exit code 1 if a link is missing or false",
        uk: "код завершення 1, якщо ланки бракує або вона хибна",
      },
    },
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const report = await explained(context, garden);
      return { text: told(report), json: report, asked: true, exit: report.missing.length === 0 ? 0 : 1 };
    }),
};

/** As it was written; a path may also be meant from where the person stands. */
async function explained(context: Context, garden: Garden): Promise<WhyReport> {
  const asked = context.words[0]!;
  try {
    return await explain(garden, asked);
  } catch (error) {
    const here = relative(garden.dir, context.path(asked));
    if (!isFailure(error, "NOT_FOUND") || here === asked || here.startsWith("..")) throw error;
    return explain(garden, here);
  }
}

function told(report: WhyReport): Text {
  const write = (language: Language): string => {
    const lines = report.links.flatMap((link) => linesOf(link, language));
    const { length } = report.missing;
    if (length > 0) lines.push(language === "en" ? `Missing or false: ${length}` : `Бракує або хибне: ${length}`);
    return printable(lines.join("\n"));
  };
  return { uk: write("uk"), en: write("en") };
}

const MARKS: Readonly<Record<WhyLink["direction"], string>> = { subject: "", because: "← ", "led-to": "→ " };

function linesOf(link: WhyLink, language: Language): string[] {
  const indent = "  ".repeat(link.depth);
  const at = link.at === undefined ? "" : ` (${when(Date.parse(link.at))})`;
  // Words of others stand on one line, whatever they hold.
  const what = link.what[language].replaceAll(/\s+/g, " ");
  return [
    `${indent}${MARKS[link.direction]}${what}${at}`,
    ...link.remarks.map((remark) => `${indent}  · ${remark[language]}`),
    ...link.problems.map((problem) => `${indent}  ! ${problem[language]}`),
  ];
}
