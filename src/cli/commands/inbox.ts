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
import { type Command, type Context, type Report, textOption } from "../command.ts";
import { wrongUse } from "../parse.ts";
import { printable } from "../printable.ts";
import { monthAsked, numberOption } from "../proposals/propose-verbs.ts";
import { rows } from "../rows.ts";
import { withGarden } from "../with-garden.ts";

export const inbox: Command = {
  name: "inbox",
  summary: { en: "what came in, and how it was answered", uk: "що надійшло і чим на це відповіли" },
  usage: "[list|show|stats] [ID]",
  words: [0, 2],
  options: {
    in: {
      type: "string",
      value: inboxFolders.join("|"),
      about: { en: "list: from where (rejected)", uk: "list: звідки (rejected)" },
    },
    month: { type: "string", value: "YYYY-MM", about: { en: "of this month", uk: "за цей місяць" } },
    limit: { type: "string", value: "N", about: { en: "list: at most so many (50)", uk: "list: не більше (50)" } },
    after: { type: "string", value: "NEXT", about: { en: "list: go on after this", uk: "list: далі після цього" } },
  },
  examples: [
    {
      line: "bloom inbox",
      does: { en: "what was refused this month, and why", uk: "що відхилено цього місяця і чому" },
    },
    { line: "bloom inbox list --in processed", does: { en: "what became proposals", uk: "що стало пропозиціями" } },
    { line: "bloom inbox show ID", does: { en: "one entry, whole", uk: "один запис, цілком" } },
    { line: "bloom inbox stats", does: { en: "how much came, from whom", uk: "скільки надійшло і від кого" } },
  ],
  run: (context) =>
    withGarden(context, async (garden) => {
      const [word = "list", id] = context.words;
      if (word === "list" && id === undefined) return list(context, garden);
      if (word === "stats" && id === undefined) return stats(context, garden);
      if (word === "show" && id !== undefined) return show(garden, id);
      if (word === "show") {
        throw wrongUse(
          { en: "inbox show: which entry?", uk: "inbox show: який запис?" },
          { en: "Usage: bloom inbox show ID", uk: "Використання: bloom inbox show ID" },
        );
      }
      throw wrongUse(
        {
          en: `inbox: not understood: ${context.words.join(" ")}`,
          uk: `inbox: незрозуміло: ${context.words.join(" ")}`,
        },
        { en: "Usage: bloom inbox list, show ID or stats", uk: "Використання: bloom inbox list, show ID або stats" },
      );
    }),
};

async function list(context: Context, garden: Garden): Promise<Report> {
  const [folder, month] = [folderAsked(context), monthAsked(context)];
  const page = await inboxEntries(garden, {
    folder,
    month,
    after: textOption(context, "after"),
    limit: numberOption(context, "limit"),
  });
  const write = (language: "uk" | "en"): string => page.entries.map((card) => cardText(card, language)).join("\n");
  const text = page.entries.length === 0 ? nothingIn(folder, month) : { uk: write("uk"), en: write("en") };
  return { text, json: page, asked: true };
}

function cardText({ id, source, action, target, proposal_id, rejection }: EntryCard, language: "uk" | "en"): string {
  const answer = rejection ? `${rejection.code}: ${rejection.text[language]}` : (proposal_id ?? "");
  return `${id}  ${oneLine(source.identity)}  ${action} ${oneLine(target)}\n    ${oneLine(answer)}`;
}

async function show(garden: Garden, id: string): Promise<Report> {
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

async function stats(context: Context, garden: Garden): Promise<Report> {
  const counted = await inboxStats(garden, monthAsked(context));
  const { month, pending, processed, rejected, by_source } = counted;
  const text = rows([
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

function folderAsked(context: Context): InboxFolder {
  const asked = textOption(context, "in") ?? "rejected";
  const folder = inboxFolders.find((each) => each === asked);
  if (folder) return folder;
  throw wrongUse(
    { en: `the inbox has no ${asked}`, uk: `у вхідних немає ${asked}` },
    { en: `One of: ${inboxFolders.join(", ")}.`, uk: `Одне з: ${inboxFolders.join(", ")}.` },
  );
}

const oneLine = (text: string): string => printable(text).replaceAll(/\s+/g, " ");

/** An empty answer says what was looked for, and where the rest is. */
function nothingIn(folder: InboxFolder, month: string | undefined): Text {
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
  pending: { en: "Nothing is on its way", uk: "Немає нічого на розгляді" },
  processed: { en: "Nothing became a proposal", uk: "Жодне звернення не стало пропозицією" },
  rejected: { en: "Nothing was refused", uk: "Нічого не відхилено" },
};

const WAITING: Text = {
  en: "What waits for your decision: `bloom proposals`.",
  uk: "Що чекає на ваше рішення: `bloom proposals`.",
};
const ACCEPTED: Text = {
  en: "What became proposals: `bloom inbox list --in processed`.",
  uk: "Що стало пропозиціями: `bloom inbox list --in processed`.",
};
const OTHERS: Readonly<Record<InboxFolder, Text>> = {
  pending: joined([ACCEPTED, WAITING], "\n"),
  processed: WAITING,
  rejected: joined([ACCEPTED, WAITING], "\n"),
};
