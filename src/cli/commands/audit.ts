import { joined, type Text, verbatim } from "../../base/text.ts";
import { auditKinds } from "../../domain/audit-record.ts";
import { isFingerprint } from "../../domain/federation/ssh-key.ts";
import type { Garden } from "../../garden/core/garden.ts";
import { type AuditBundle, writeAuditBundle } from "../../garden/federation/audit/audit-bundle.ts";
import type { AuditReport } from "../../garden/federation/audit/audit-report.ts";
import { checkAuditBundle } from "../../garden/federation/audit/check-bundle.ts";
import { malformedPeer } from "../../garden/federation/failures.ts";
import { type AuditLogEntry, findAudit } from "../../garden/insight/audit-log.ts";
import type { Command, CommandContext } from "../command.ts";
import { usageError } from "../failures.ts";
import { choiceOption, example, numberOption, option, textOption } from "../options.ts";
import { plainCommand, type Subcommand } from "../subcommands.ts";
import { alignColumns, formatTime, oneLine } from "../text-layout.ts";
import { withGarden } from "../with-garden.ts";

const DEFAULT_SHOWN = 50;
const MAX_SHOWN = 1000;

const list: Subcommand<undefined> = {
  usage: "",
  words: [0, 0],
  does: { en: "list what happened, newest last", uk: "перелічити, що сталося, найновіше — в кінці" },
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

const bundle: Subcommand<undefined> = {
  usage: "FILE",
  words: [1, 1],
  does: {
    en: "write commits with the records behind them into one file that anybody can check offline",
    uk: "записати коміти із записами, що за ними стоять, в один файл, який кожен перевірить без мережі",
  },
  run: (context, _, [file]) =>
    withGarden(context, async (garden) => {
      const range = {
        from: await commitOption(garden, context, "from"),
        to: await commitOption(garden, context, "to"),
      };
      const made = await writeAuditBundle(garden, context.path(file!), range, (records) =>
        context.progress.at({ en: `records: ${records}`, uk: `записів: ${records}` }),
      );
      return { text: bundleText(made), json: made };
    }),
};

const check: Subcommand<undefined> = {
  usage: "FILE",
  words: [1, 1],
  does: { en: "check such a file; needs no garden", uk: "перевірити такий файл; сад не потрібен" },
  async run(context, _, [file]) {
    const key = textOption(context, "key");
    if (key !== undefined && !isFingerprint(key)) throw malformedPeer("key");
    const report = await checkAuditBundle(context.ground.repos, context.path(file!), { key });
    return { text: reportText(report), json: report, asked: true, exit: report.findings.length === 0 ? 0 : 1 };
  },
};

export const auditCommand: Command = plainCommand({
  name: "audit",
  summary: { en: "what happened, by whom and why", uk: "що сталося, хто це зробив і чому" },
  usual: "list",
  subcommands: { list, bundle, check },
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
    from: option("COMMIT", "bundle: only the commits after this one", "bundle: лише коміти після цього"),
    key: option(
      "SHA256:…",
      "check: the bundle must be signed by the garden with this key",
      "check: пакунок має підписати сад із цим ключем",
    ),
    to: option("COMMIT", "bundle: up to this commit (default: main)", "bundle: до цього коміту (типово main)"),
  },
  examples: [
    example("bloom audit --kind decided --since 2026-02-14", "decisions since that day", "рішення від того дня"),
    example("bloom audit --subject archivist --json", "for a program", "для програми"),
    example("bloom audit bundle audit.bundle", "everything up to now, in one file", "усе дотепер, в одному файлі"),
    example(
      "bloom audit check audit.bundle",
      "exit code 1 if something is wrong",
      "код завершення 1, якщо щось не так",
    ),
  ],
});

/** The commit whose id begins so. */
async function commitOption(garden: Garden, context: CommandContext, name: string): Promise<string | undefined> {
  const text = textOption(context, name);
  if (text === undefined) return undefined;
  const like = /^[0-9a-f]{4,40}$/.test(text) ? await garden.repo.commitsLike(text) : [];
  if (like.length === 1) return like[0]!;
  throw usageError(
    { en: `--${name}: no commit, or several: ${text}`, uk: `--${name}: немає такого коміту, або їх кілька: ${text}` },
    { en: "Give the first digits of its id.", uk: "Вкажіть перші цифри його id." },
  );
}

const bundleText = ({ file, commits, proposals, runs, records, signed_by }: AuditBundle): Text => ({
  en: `Wrote ${file}\nCommits: ${commits}, proposals: ${proposals}, runs: ${runs}, records: ${records}. ${signed_by === null ? "Not signed: this garden has no key here (`bloom peer identity --make`)." : `Signed by ${signed_by}.`} It holds whole notes and journals: give it only to those who may read them.\nCheck it with \`bloom audit check ${file}\`, or without this program: \`node audit-check.js ${file}\`.`,
  uk: `Записано ${file}\nКомітів: ${commits}, пропозицій: ${proposals}, запусків: ${runs}, записів: ${records}. ${signed_by === null ? "Без підпису: сад не має тут ключа (`bloom peer identity --make`)." : `Підписано ключем ${signed_by}.`} Тут цілі нотатки й журнали: давайте файл лише тим, хто може їх читати.\nПеревірити: \`bloom audit check ${file}\`, або без цієї програми: \`node audit-check.js ${file}\`.`,
});

function reportText(report: AuditReport): Text {
  const { garden, from, to, commits, counts, findings, signed_by, announcements, peers, grants } = report;
  const lines: Text[] = [
    {
      en: `${garden}: ${commits} commits from ${from?.slice(0, 10) ?? "the first"} to ${to.slice(0, 10)}`,
      uk: `${garden}: комітів ${commits}, від ${from?.slice(0, 10) ?? "першого"} до ${to.slice(0, 10)}`,
    },
    {
      en: `${counts.decided} decided, ${counts.session} of sessions, ${counts.bookkeeping} bookkeeping, ${counts.by_hand} by hand`,
      uk: `за рішенням ${counts.decided}, сесій ${counts.session}, облікових ${counts.bookkeeping}, від руки ${counts.by_hand}`,
    },
    {
      en: `${announcements} announcements, ${peers} gardens followed, ${grants} changes of grants`,
      uk: `оголошень ${announcements}, садів, за якими стежать, ${peers}, змін дозволів ${grants}`,
    },
    signed_by === null
      ? { en: "Nobody signed it.", uk: "Ніхто його не підписав." }
      : { en: `Signed by ${signed_by}`, uk: `Підписано ключем ${signed_by}` },
    ...findings.map(({ where, commit, proposal, problem }) =>
      verbatim([where, commit?.slice(0, 10), proposal, problem].filter(Boolean).join(" ")),
    ),
    findings.length === 0
      ? { en: "Everything is vouched for.", uk: "За все є кому поручитися." }
      : { en: `Problems: ${findings.length}`, uk: `Негараздів: ${findings.length}` },
  ];
  return joined(lines, "\n");
}

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
