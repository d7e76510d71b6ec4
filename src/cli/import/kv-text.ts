import { joined, type Text } from "../../base/text.ts";
import type { KvImport, KvReportRow } from "../../garden/life/legacy/import-kv.ts";
import { alignColumns, formatTime, inBothLanguages, oneLine } from "../text-layout.ts";

/** The report of an import of key-value records: every record, then the sums. */
export function kvText(report: KvImport, isPlan: boolean): Text {
  const rows = inBothLanguages((language) =>
    alignColumns(
      report.records.map(({ key, at, outcome, why, note, proposal }) => [
        String(at),
        oneLine(key).slice(0, 60),
        outcomeWords[outcome][language],
        [oneLine(why[language]), note && oneLine(note), proposal].filter((part) => part !== undefined).join(" · "),
      ]),
    ).join("\n"),
  );
  const { counts, backup, until } = report;
  const sums: Text = {
    en: `${isPlan ? "Nothing was changed. " : ""}Imported: ${counts.imported}, kept: ${counts.kept}, left out: ${counts.left}, imported earlier: ${counts.earlier}, refused: ${counts.refused}.`,
    uk: `${isPlan ? "Нічого не змінено. " : ""}Імпортовано: ${counts.imported}, збережено: ${counts.kept}, пропущено: ${counts.left}, імпортовано раніше: ${counts.earlier}, відмов: ${counts.refused}.`,
  };
  const parts = [rows, sums].filter(({ en }) => en !== "");
  if (backup !== undefined && until !== undefined)
    parts.push({
      en: `Backup before the import: ${backup}. Old texts can be read until ${formatTime(until)}: \`bloom legacy list\`.`,
      uk: `Копія перед імпортом: ${backup}. Старі тексти можна читати до ${formatTime(until)}: \`bloom legacy list\`.`,
    });
  return joined(parts, "\n");
}

const outcomeWords: Readonly<Record<KvReportRow["outcome"], Text>> = {
  imported: { en: "imported", uk: "імпортовано" },
  kept: { en: "kept", uk: "збережено" },
  left: { en: "left out", uk: "пропущено" },
  earlier: { en: "earlier", uk: "раніше" },
  refused: { en: "refused", uk: "відмовлено" },
};
