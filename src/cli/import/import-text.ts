import { joined, type Language, type Text } from "../../base/text.ts";
import type { Fate, ImportEntry } from "../../domain/import/import-report.ts";
import type { ImportReport } from "../../garden/agents/import/plan-import.ts";
import { alignColumns, inBothLanguages, oneLine } from "../text-layout.ts";

/** The reports for people: `full` with every key by line, else one paragraph for each file. */
export function importText(
  reports: readonly ImportReport[],
  created: readonly string[] | undefined,
  full: boolean,
): Text {
  const parts = reports.map((report) => reportText(report, full));
  return joined([...parts, totalText(reports, created)], full ? "\n\n" : "\n");
}

function reportText(report: ImportReport, full: boolean): Text {
  return inBothLanguages((language) => {
    const { counts } = report;
    const head = `${oneLine(report.file)}: ${outcomes[report.outcome](report)[language]}`;
    const tally = (["mapped", "kept", "lost", "refused"] as const)
      .filter((fate) => counts[fate] > 0)
      .map((fate) => `${fateWords[fate][language]} ${counts[fate]}`)
      .join(", ");
    const entries = full ? report.entries : report.entries.filter(({ fate }) => fate === "refused");
    return [
      `${head}${tally === "" ? "" : ` (${tally})`}`,
      ...entryLines(entries, report.file, language),
      ...(full ? grantLines(report, language) : []),
      ...report.missing.map((text) => `  ! ${text[language]}`),
      ...(full && report.icons > 0 ? [`  ${DRAWN(report.icons)[language]}`] : []),
    ].join("\n");
  });
}

const entryLines = (entries: readonly ImportEntry[], main: string, language: Language): string[] =>
  alignColumns(
    entries.map(({ file, line, key, fate, why, to }) => [
      `  ${file === main ? "" : `${oneLine(file)}:`}${line}`,
      fateWords[fate][language],
      oneLine(key).slice(0, 60),
      `${oneLine(why[language])}${to === undefined ? "" : ` → ${to}`}`,
    ]),
  );

function grantLines({ grants }: ImportReport, language: Language): string[] {
  if (grants.length === 0) return [];
  return [
    `  ${SHRINK[language]}`,
    ...alignColumns(
      grants.map(({ what, before, after }) => [
        `    ${oneLine(what[language])}`,
        `${oneLine(before[language])} → ${oneLine(after[language])}`,
      ]),
    ),
  ];
}

function totalText(reports: readonly ImportReport[], created: readonly string[] | undefined): Text {
  const count = (outcome: ImportReport["outcome"]): number => reports.filter((one) => one.outcome === outcome).length;
  const [agents, clashes, components, refused] = [count("agent"), count("clash"), count("component"), count("refused")];
  return {
    en: `${created === undefined ? `Nothing was created. Draft agents possible: ${agents}` : `Draft agents created: ${created.length}`}; names in use: ${clashes}, included parts: ${components}, refused: ${refused}.`,
    uk: `${created === undefined ? `Нічого не створено. Можливих агентів-чернеток: ${agents}` : `Створено агентів-чернеток: ${created.length}`}; зайнятих назв: ${clashes}, приєднуваних частин: ${components}, відмов: ${refused}.`,
  };
}

const fateWords: Readonly<Record<Fate, Text>> = {
  mapped: { en: "mapped", uk: "відтворено" },
  kept: { en: "kept as text", uk: "збережено як текст" },
  lost: { en: "lost", uk: "втрачено" },
  refused: { en: "refused", uk: "відмовлено" },
};

const outcomes: Readonly<Record<ImportReport["outcome"], (report: ImportReport) => Text>> = {
  agent: ({ slug }) => ({ en: `agent ${slug}, a draft`, uk: `агент ${slug}, чернетка` }),
  clash: ({ slug, free_slug }) => ({
    en: `the name ${slug} is in use; ${free_slug} is free (--as ${free_slug}, or --rename)`,
    uk: `назву ${slug} зайнято; вільна ${free_slug} (--as ${free_slug} або --rename)`,
  }),
  component: () => ({ en: "a part that others include", uk: "частина, яку приєднують інші" }),
  refused: () => ({ en: "refused", uk: "відмовлено" }),
};

const SHRINK: Text = { en: "Permissions, before → after:", uk: "Дозволи, до → після:" };
const DRAWN = (icons: number): Text => ({
  en: `First diagram from the numbered steps: ${icons} icons, a draft to check`,
  uk: `Перша діаграма з пронумерованих кроків: ікон ${icons}, чернетка на перевірку`,
});
