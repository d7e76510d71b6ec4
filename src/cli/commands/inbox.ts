import { joined, type Text, verbatim } from "../../base/text.ts";
import {
  type EntryCard,
  type InboxFolder,
  inboxEntries,
  inboxFolders,
  inboxStats,
  readEntry,
} from "../../garden/changes/inbox/read-inbox.ts";
import type { Garden } from "../../garden/core/garden.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { choiceOption, example, monthOption, numberOption, option, textOption } from "../options.ts";
import { printable } from "../printable.ts";
import { gardenCommand } from "../subcommands.ts";
import { inBothLanguages, labelledRows, oneLine } from "../text-layout.ts";

export const inboxCommand = gardenCommand({
  name: "inbox",
  summary: { en: "inspect incoming requests and how they were answered", uk: "що надійшло і чим на це відповіли" },
  usual: "list",
  subcommands: {
    list: {
      usage: "[--in FOLDER] [--month YYYY-MM]",
      words: [0, 0],
      does: { en: "list requests; by default those refused this month", uk: "що відхилено цього місяця і чому" },
      run: list,
    },
    show: {
      usage: "ID",
      words: [1, 1],
      does: { en: "show one entry in full", uk: "один запис, цілком" },
      run: (_, garden, [id]) => show(garden, id!),
    },
    stats: {
      usage: "[--month YYYY-MM]",
      words: [0, 0],
      does: { en: "count requests by source", uk: "скільки надійшло і від кого" },
      run: stats,
    },
  },
  options: {
    in: option(inboxFolders.join("|"), "list: folder (default: rejected)", "list: звідки (rejected)"),
    month: option("YYYY-MM", "list, stats: of this month", "за цей місяць"),
    limit: option("N", "list: maximum number (default: 50)", "list: не більше (50)"),
    after: option("NEXT", "list: continue after this entry", "list: далі після цього"),
  },
  examples: [example("bloom inbox list --in processed", "requests that became proposals", "що стало пропозиціями")],
});

async function list(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const [folder, month] = [choiceOption(context, "in", inboxFolders) ?? "rejected", monthOption(context)];
  const page = await inboxEntries(garden, {
    folder,
    month,
    after: textOption(context, "after"),
    limit: numberOption(context, "limit"),
  });
  const text =
    page.entries.length === 0
      ? emptyText(folder, month)
      : inBothLanguages((language) => page.entries.map((card) => cardText(card, language)).join("\n"));
  return { text, json: page, asked: true };
}

function cardText({ id, source, action, target, proposal_id, rejection }: EntryCard, language: "uk" | "en"): string {
  const answer = rejection ? `${rejection.code}: ${rejection.text[language]}` : (proposal_id ?? "");
  return `${id}  ${oneLine(source.identity)}  ${action} ${oneLine(target)}\n    ${oneLine(answer)}`;
}

async function show(garden: Garden, id: string): Promise<CommandReport> {
  const { folder, entry } = await readEntry(garden, id);
  const { rejection } = entry;
  const head = rejection
    ? { en: `${folder}: ${rejection.text.en}`, uk: `${folder}: ${rejection.text.uk}` }
    : verbatim(`${folder}${entry.proposal_id === undefined ? "" : `: ${entry.proposal_id}`}`);
  const body = printable(JSON.stringify(entry, null, 2));
  return {
    text: { en: `${printable(head.en)}\n${body}`, uk: `${printable(head.uk)}\n${body}` },
    json: { folder, entry },
    asked: true,
  };
}

async function stats(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const counted = await inboxStats(garden, monthOption(context));
  const { month, pending, processed, rejected, by_source } = counted;
  const text = labelledRows([
    [{ en: "month", uk: "місяць" }, month],
    [{ en: "pending", uk: "чекають" }, String(pending)],
    [{ en: "processed", uk: "прийнято" }, String(processed)],
    [{ en: "rejected", uk: "відхилено" }, String(rejected)],
    ...Object.entries(by_source)
      .filter(([, count]) => count.processed + count.rejected > 0)
      .map(([type, count]): [Text, Text] => [
        verbatim(`  ${type}`),
        {
          en: `${count.processed} processed, ${count.rejected} rejected`,
          uk: `прийнято ${count.processed}, відхилено ${count.rejected}`,
        },
      ]),
  ]);
  return { text, json: counted, asked: true };
}

/** An empty list names what was searched, and where the other entries are. */
function emptyText(folder: InboxFolder, month: string | undefined): Text {
  const { en, uk } = NOTHING[folder];
  const time =
    folder === "pending"
      ? { en: "", uk: "" }
      : month === undefined
        ? { en: " this month", uk: " цього місяця" }
        : { en: ` in ${month}`, uk: ` за ${month}` };
  return { en: `${en}${time.en}.\n${OTHERS[folder].en}`, uk: `${uk}${time.uk}.\n${OTHERS[folder].uk}` };
}

const NOTHING: Readonly<Record<InboxFolder, Text>> = {
  pending: { en: "No requests in progress", uk: "Немає нічого на розгляді" },
  processed: { en: "No request became a proposal", uk: "Жодне звернення не стало пропозицією" },
  rejected: { en: "No refused requests", uk: "Нічого не відхилено" },
};

const WAITING: Text = {
  en: "Proposals that wait for your decision: `bloom proposals`.",
  uk: "Що чекає на ваше рішення: `bloom proposals`.",
};
const ACCEPTED: Text = {
  en: "Requests that became proposals: `bloom inbox list --in processed`.",
  uk: "Що стало пропозиціями: `bloom inbox list --in processed`.",
};
const OTHERS: Readonly<Record<InboxFolder, Text>> = {
  pending: joined([ACCEPTED, WAITING], "\n"),
  processed: WAITING,
  rejected: joined([ACCEPTED, WAITING], "\n"),
};
