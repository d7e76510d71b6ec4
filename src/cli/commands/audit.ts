import { joined, type Text, verbatim } from "../../base/text.ts";
import { auditKinds } from "../../domain/audit-record.ts";
import { type AuditLogEntry, findAudit } from "../../garden/insight/audit-log.ts";
import type { Command } from "../command.ts";
import { usageError } from "../failures.ts";
import { choiceOption, example, numberOption, option, textOption } from "../options.ts";
import { alignColumns, formatTime, oneLine } from "../text-layout.ts";
import { withGarden } from "../with-garden.ts";

const DEFAULT_SHOWN = 50;
const MAX_SHOWN = 1000;

export const auditCommand: Command = {
  name: "audit",
  summary: { en: "what happened, by whom and why", uk: "що сталося, хто це зробив і чому" },
  usage: "",
  words: [0, 0],
  options: {
    kind: option(
      "KIND",
      "only this kind: decided, applied, agent-status …",
      "лише цього виду: decided, applied, agent-status …",
    ),
    by: option("WHO", "only by this identity: owner, an agent", "лише від цієї особи: owner, агент"),
    subject: option("ID", "only about this id, or ids that begin so", "лише про цей id або id з таким початком"),
    since: option("DAY", "not older than this day, such as 2026-02-14", "не давніше за день, наприклад 2026-02-14"),
    limit: option(
      "N",
      `at most so many, the newest (default ${DEFAULT_SHOWN})`,
      `не більше, найновіші (${DEFAULT_SHOWN})`,
    ),
  },
  examples: [
    example("bloom audit --kind decided --since 2026-02-14", "decisions since that day", "рішення від того дня"),
    example("bloom audit --subject archivist --json", "for a program", "для програми"),
  ],
  run: (context) =>
    withGarden(context, async ({ store }) => {
      const found = await findAudit(store, {
        kind: choiceOption(context, "kind", auditKinds),
        by: textOption(context, "by"),
        subject: textOption(context, "subject"),
        after: dayOption(textOption(context, "since")),
        limit: Math.min(numberOption(context, "limit") ?? DEFAULT_SHOWN, MAX_SHOWN),
      });
      const lines = alignColumns(found.records.map(cellsOf)).map(verbatim);
      const more = found.left_out ? [OLDER] : [];
      const text = lines.length === 0 ? NOTHING : joined([...more, ...lines], "\n");
      return { text, json: found, asked: true };
    }),
};

const cellsOf = ({ record: { at, kind, by, subject, why = "" } }: AuditLogEntry): string[] => [
  formatTime(at),
  kind,
  oneLine(by),
  oneLine(subject),
  oneLine(why).slice(0, 100),
];

function dayOption(day: string | undefined): string | undefined {
  if (day === undefined || (/^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)))) return day;
  throw usageError(
    { en: `--since: not a day: ${day}`, uk: `--since: це не день: ${day}` },
    { en: "Write it as 2026-02-14.", uk: "Запишіть його так: 2026-02-14." },
  );
}

const OLDER: Text = { en: "… older ones: --limit, --since", uk: "… давніші: --limit, --since" };
const NOTHING: Text = { en: "Nothing found.", uk: "Нічого не знайдено." };
