import { joined, type Text } from "../../base/text.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type LegacyCard, type LegacyView, listLegacy, showLegacy } from "../../garden/life/legacy/read-legacy.ts";
import type { CommandContext, CommandReport } from "../command.ts";
import { example, numberOption, option, textOption } from "../options.ts";
import { printable } from "../printable.ts";
import { gardenCommand } from "../subcommands.ts";
import { alignColumns, formatTime, inBothLanguages, labelledRows, oneLine, quotedLines } from "../text-layout.ts";

export const legacyCommand = gardenCommand({
  name: "legacy",
  summary: {
    en: "read imported records of the earlier system beside what they became",
    uk: "імпортовані записи попередньої системи поруч із тим, чим вони стали",
  },
  usual: "list",
  subcommands: {
    list: {
      usage: "[--limit N] [--after NEXT]",
      words: [0, 0],
      does: { en: "list the records", uk: "перелік записів" },
      run: list,
    },
    show: {
      usage: "ID",
      words: [1, 1],
      does: {
        en: "show one record in full, with its texts for a week",
        uk: "один запис цілком; тексти — протягом тижня",
      },
      run: (_, garden, [id]) => show(garden, id!),
    },
  },
  options: {
    limit: option("N", "list: maximum number (default: 100)", "list: не більше (100)"),
    after: option("NEXT", "list: continue after this record", "list: далі після цього"),
  },
  examples: [example("bloom legacy list", "what became of each record", "чим став кожен запис")],
});

async function list(context: CommandContext, garden: Garden): Promise<CommandReport> {
  const limit = Math.min(Math.max(numberOption(context, "limit") ?? 100, 1), 1000);
  const page = await listLegacy(garden, { limit, after: textOption(context, "after") });
  if (page.records.length === 0) return { text: NONE, json: page, asked: true };
  const text = inBothLanguages((language) =>
    alignColumns(
      page.records.map((card) => [
        card.id,
        oneLine(card.name).slice(0, 40),
        oneLine(card.guest ?? "").slice(0, 30),
        beforeWords[card.status ?? "zone"][language],
        `→ ${nowWords[card.now][language]}${card.proposal === undefined ? "" : ` ${card.proposal}`}`,
      ]),
    ).join("\n"),
  );
  return { text: page.next === undefined ? text : joined([text, moreText(page.next)], "\n"), json: page, asked: true };
}

async function show(garden: Garden, id: string): Promise<CommandReport> {
  const view = await showLegacy(garden, id);
  const { card, record, answer, text } = view;
  const rows: [Text, Text | string][] = [
    [{ en: "record", uk: "запис" }, card.id],
    [{ en: "name", uk: "назва" }, oneLine(card.name)],
    ...guestRows(card, view),
    [{ en: "before", uk: "було" }, beforeWords[card.status ?? "zone"]],
    [{ en: "created", uk: "створено" }, formatTime(card.created_at)],
    [{ en: "now", uk: "тепер" }, nowWords[card.now]],
  ];
  if (answer.kind === "refused") rows.push([{ en: "because", uk: "бо" }, answer.why]);
  if (card.proposal !== undefined) rows.push([{ en: "proposal", uk: "пропозиція" }, card.proposal]);
  if (text !== "none") rows.push([{ en: "text", uk: "текст" }, textWords[text]]);
  rows.push([{ en: "texts until", uk: "тексти до" }, formatTime(card.until)]);
  const proposed = record.kind === "proposal" ? record.old.proposedContent : undefined;
  const quoted =
    proposed === undefined ? [] : [{ uk: quotedLines(proposed).join("\n"), en: quotedLines(proposed).join("\n") }];
  return { text: joined([labelledRows(rows), ...quoted], "\n"), json: view, asked: true };
}

function guestRows({ guest }: LegacyCard, { record }: LegacyView): [Text, string][] {
  if (record.kind === "zone") return [];
  const { guestEmail: email, zoneName } = record.old;
  return [
    [{ en: "guest", uk: "гість" }, printable(`${oneLine(guest ?? "")}${email === null ? "" : ` <${oneLine(email)}>`}`)],
    [{ en: "zone", uk: "зона" }, oneLine(zoneName)],
  ];
}

const NONE: Text = {
  en: "No imported records. `bloom import kv DUMP.json` imports them.",
  uk: "Імпортованих записів немає. Їх імпортує `bloom import kv DUMP.json`.",
};

const moreText = (next: string): Text => ({ en: `More: --after ${next}`, uk: `Далі: --after ${next}` });

const beforeWords: Readonly<Record<"pending" | "accepted" | "rejected" | "zone", Text>> = {
  pending: { en: "pending", uk: "нерозглянута" },
  accepted: { en: "accepted", uk: "прийнята" },
  rejected: { en: "rejected", uk: "відхилена" },
  zone: { en: "zone", uk: "зона" },
};

const nowWords: Readonly<Record<LegacyCard["now"], Text>> = {
  kept: { en: "history", uk: "історія" },
  refused: { en: "refused", uk: "відмовлено" },
  open: { en: "interrupted: repeat the import", uk: "перервано: повторіть імпорт" },
  pending: { en: "waits for your decision", uk: "чекає на ваше рішення" },
  decided: { en: "decided", uk: "вирішено" },
};

const textWords: Readonly<Record<"same" | "merged", Text>> = {
  same: { en: "as the guest wrote it", uk: "як написав гість" },
  merged: { en: "merged with later changes of the note", uk: "злито з пізнішими змінами нотатки" },
};
