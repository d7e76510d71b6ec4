import { relative } from "node:path";
import { isFailure } from "../../base/failure.ts";
import type { Language, Text } from "../../base/text.ts";
import { commandLineOwner } from "../../domain/identity.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { explain } from "../../garden/insight/why/explain.ts";
import { keepWords } from "../../garden/insight/why/kept-words.ts";
import { proposeApproved } from "../../garden/insight/why/propose-approved.ts";
import { tellStory } from "../../garden/insight/why/story.ts";
import { storyPage } from "../../garden/insight/why/story-page.ts";
import type { WhyLink, WhyReport } from "../../garden/insight/why/why-report.ts";
import type { Command, CommandContext, CommandReport } from "../command.ts";
import { writeFile } from "../diagram/diagram-files.ts";
import { usageError } from "../failures.ts";
import { example, flag, option, textOption } from "../options.ts";
import { printable } from "../printable.ts";
import { reportPending } from "../proposals/approve-own-change.ts";
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
    "propose-approved": flag(
      "where the commit holds other words than were approved, propose the approved ones",
      "якщо коміт має інші слова, ніж схвалено, запропонувати схвалені",
    ),
    keep: option(
      "REASON",
      "keep a commit that does not match its proposal; the reason is recorded and ends the warning",
      "лишити коміт, що не збігається зі своєю пропозицією; причину буде записано, попередження зникне",
    ),
  },
  examples: [
    example("bloom why notes/roses.md:3", "the origin of line 3", "звідки взявся рядок 3"),
    example(
      "bloom why notes/roses.md:3 --html why.html",
      "its story as one file to share",
      "його історія одним файлом",
    ),
    example(
      "bloom why notes/roses.md:3 --keep 'corrected on purpose'",
      "end the warning about words that nobody approved",
      "прибрати попередження про слова, яких ніхто не схвалював",
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
      const reason = textOption(context, "keep");
      if (reason !== undefined) return keepCommit(garden, await brokenIn(context, garden), reason);
      if (context.options["propose-approved"] === true) return proposeWords(context, garden);
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
    exit: story.links.every(({ mark }) => mark === "verified" || mark === "kept") ? 0 : 1,
  };
}

async function proposeWords(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const commit = await brokenIn(context, garden);
  return reportPending(context, garden, await proposeApproved(garden, { commit, by: commandLineOwner }));
}

async function keepCommit(garden: Garden, commit: string, reason: string): Promise<CommandReport> {
  const kept = await keepWords(garden, { commit, by: commandLineOwner, reason });
  const short = commit.slice(0, 10);
  return {
    text: {
      en: `Kept ${short}: ${printable(kept.reason)}`,
      uk: `Лишено ${short}: ${printable(kept.reason)}`,
    },
    json: { kept },
  };
}

/** The commit of a story that does not match its proposal, or that the owner keeps already. */
async function brokenIn(context: CommandContext, garden: Garden): Promise<string> {
  const story = await explainArgument(context, tellStory, garden);
  const link = story?.links.find(({ kind, mark }) => kind === "commit" && (mark === "mismatch" || mark === "kept"));
  if (link?.target === undefined) throw nothingBroken(context.words[0]!);
  return link.target.id;
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

const nothingBroken = (asked: string): Error =>
  usageError(
    {
      en: `the commit of ${asked} matches its proposal, or names none`,
      uk: `коміт ${asked} збігається зі своєю пропозицією або не називає жодної`,
    },
    { en: `See: bloom why ${asked}`, uk: `Див.: bloom why ${asked}` },
  );
