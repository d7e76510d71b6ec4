import { relative } from "node:path";
import { isFailure } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { explain } from "../../garden/insight/why/explain.ts";
import { tellStory } from "../../garden/insight/why/story.ts";
import { storyPage } from "../../garden/insight/why/story-page.ts";
import type { WhyLink, WhyReport } from "../../garden/insight/why/why-report.ts";
import type { Command, CommandContext, CommandReport } from "../command.ts";
import { writeFile } from "../diagram/diagram-files.ts";
import { usageError } from "../failures.ts";
import { example, option, textOption } from "../options.ts";
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
  options: {
    html: option(
      "FILE",
      "write the story as one HTML file without scripts",
      "записати історію одним файлом HTML без скриптів",
    ),
  },
  examples: [
    example("bloom why notes/roses.md:3", "the origin of line 3", "звідки взявся рядок 3"),
    example(
      "bloom why notes/roses.md:3 --html why.html",
      "its story as one file to share",
      "його історія одним файлом",
    ),
    example("bloom why main", "the last commit", "останній коміт"),
    example(
      "bloom why prop_2026-02-14_080000_abc123",
      "exit code 1 if a link is missing or invalid",
      "код завершення 1, якщо ланки бракує або вона хибна",
    ),
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const file = textOption(context, "html");
      if (file !== undefined) return writeStory(context, garden, file);
      const report = await explainArgument(context, explain, garden);
      return { text: whyText(report), json: report, asked: true, exit: report.missing.length === 0 ? 0 : 1 };
    }),
};

/** Writes the story of the argument into a file. Exit code 1 if a link is missing or invalid. */
async function writeStory(context: CommandContext, garden: Garden, file: string): Promise<CommandReport> {
  const story = await explainArgument(context, tellStory, garden);
  if (!story) throw noStory(context.words[0]!);
  const html = storyPage(story, context.language, garden.config.schedule.timezone);
  await writeFile(context, file, html);
  const [links, bytes] = [story.links.length, Buffer.byteLength(html)];
  return {
    text: {
      en: `Wrote ${file}: ${links} links, ${Math.ceil(bytes / 1000)} KB. It opens without a network and has no script.`,
      uk: `Записано ${file}: ланок ${links}, ${Math.ceil(bytes / 1000)} КБ. Відкривається без мережі, скриптів не має.`,
    },
    json: { file, bytes, story },
    exit: story.links.every(({ mark }) => mark === "verified") ? 0 : 1,
  };
}

/** Explains the argument as written; if not found, as a path relative to the working directory. */
async function explainArgument<T>(
  context: CommandContext,
  ask: (garden: Garden, asked: string) => Promise<T>,
  garden: Garden,
): Promise<T> {
  const asked = context.words[0]!;
  try {
    return await ask(garden, asked);
  } catch (error) {
    const here = relative(garden.dir, context.path(asked));
    if (!isFailure(error, "NOT_FOUND") || here === asked || here.startsWith("..")) throw error;
    return ask(garden, here);
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

const noStory = (asked: string): Error =>
  usageError(
    { en: `there is no story of ${asked}`, uk: `історії ${asked} немає` },
    {
      en: "Ask about a line (notes/a.md:3), a path, a commit or a proposal.",
      uk: "Запитуйте про рядок (notes/a.md:3), шлях, коміт або пропозицію.",
    },
  );
