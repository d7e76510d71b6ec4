import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { AuthorFace } from "../../components/author-face.tsx";
import { Button, TextField } from "../../components/form.tsx";
import { Failed, Loading } from "../../components/query-result.tsx";
import { clock, dayHeading } from "../../i18n/day.ts";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { noteName } from "../proposals/title.ts";
import { auditWords } from "./audit-words.ts";

type AuditRecord = AnswerOf<"GET /audit">["records"][number]["record"];
type AuditKind = AuditRecord["kind"];

/** Records of the audit log, with filters by kind, by whom, subject and day. Without a day the newest records come first. */
export function AuditLog() {
  const t = useT();
  const [kind, setKind] = useState<AuditKind | "">("");
  const [by, setBy] = useState("");
  const [subject, setSubject] = useState("");
  const [day, setDay] = useState("");
  const isFiltered = kind !== "" || by.trim() !== "" || subject.trim() !== "";
  const log = useInfiniteQuery({
    queryKey: ["GET /audit", kind, by.trim(), subject.trim(), day],
    initialPageParam: day,
    queryFn: ({ pageParam, signal }) =>
      call("GET /audit", {
        query: {
          limit: "100",
          ...(pageParam !== "" ? { after: pageParam } : isFiltered ? {} : { last: "true" }),
          ...(kind !== "" && { kind }),
          ...(by.trim() !== "" && { by: by.trim() }),
          ...(subject.trim() !== "" && { subject: subject.trim() }),
        },
        signal,
      }),
    getNextPageParam: ({ next }) => next,
  });
  const listed = log.data?.pages.flatMap((page) => page.records) ?? [];
  const records = day === "" ? listed.toReversed() : listed;
  const isLeftOut = log.data?.pages.at(-1)?.left_out === true;
  return (
    <>
      <p className="audit-about">
        {t(words.about)}{" "}
        <a href={`/audit/bundle`} download="audit.bundle" title={t(words.bundleAbout)}>
          {t(words.bundle)}
        </a>
      </p>
      <div className="audit-filters">
        <label className="labelled">
          <span>{t(words.kind)}</span>
          <select className="field" value={kind} onChange={({ target }) => setKind(target.value as AuditKind | "")}>
            <option value="">{t(words.all)}</option>
            {(Object.keys(auditWords) as AuditKind[]).map((each) => (
              <option key={each} value={each}>
                {t(auditWords[each])}
              </option>
            ))}
          </select>
        </label>
        <TextField label={t(words.by)} value={by} onText={setBy} placeholder="gardener" />
        <TextField label={t(words.subject)} value={subject} onText={setSubject} placeholder="prop_…" />
        <TextField label={t(words.from)} type="date" value={day} onText={setDay} />
      </div>
      {log.error && <Failed error={log.error} again={() => void log.refetch()} />}
      {log.isPending && <Loading />}
      {log.data && records.length === 0 && <p className="quiet">{t(words.none)}</p>}
      <AuditDays records={records} />
      {isLeftOut && <p className="meta">{t(words.older)}</p>}
      {log.hasNextPage && day !== "" && (
        <p>
          <Button disabled={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {t(words.more)}
          </Button>
        </p>
      )}
    </>
  );
}

/** Records of one day under its heading, each with the time of day, who did it, and what it was about. */
function AuditDays({
  records,
}: {
  readonly records: readonly { readonly key: string; readonly record: AuditRecord }[];
}) {
  const { language } = usePreferences();
  const agents = new Set(useQuery(query("GET /agents", {})).data?.agents.map(({ slug }) => slug));
  const days = Map.groupBy(records, ({ record }) => dayHeading(record.at, language));
  return [...days].map(([day, list]) => (
    <section key={day} className="audit-day">
      <h2 className="label">{day}</h2>
      {list.map(({ key, record }) => (
        <AuditRow key={key} record={record} isAgent={agents.has(record.by)} />
      ))}
    </section>
  ));
}

function AuditRow({ record, isAgent }: { readonly record: AuditRecord; readonly isAgent: boolean }) {
  const t = useT();
  const { language } = usePreferences();
  const { at, kind, by, why } = record;
  return (
    <div className="audit-row">
      <time className="meta" dateTime={at} title={dateTime(at, language)}>
        {clock(at, language)}
      </time>
      <span className="audit-who">
        <AuthorFace name={by} isAgent={isAgent} size={18} />
        <span className="cut said">{by}</span>
      </span>
      <span className={isBad.test(kind) ? "state bad" : ""}>{t(auditWords[kind])}</span>
      <span className="break said">
        <Subject record={record} />
        {why !== undefined && kind !== "proposed" && <span className="quiet"> {why}</span>}
      </span>
    </div>
  );
}

/** The subject of the record by its name: a proposal by its summary or its note, a run, an agent. The id is the tooltip. */
function Subject({ record: { subject, why, kind, details } }: { readonly record: AuditRecord }) {
  const target = typeof details["target"] === "string" ? details["target"] : undefined;
  const short = subject.split("_").at(-1) ?? subject;
  const name = (kind === "proposed" ? why : undefined) ?? (target === undefined ? short : noteName(target));
  if (subject.startsWith("prop_"))
    return (
      <Link to="/proposals/$id" params={{ id: subject }} title={subject}>
        {name}
      </Link>
    );
  if (subject.startsWith("run_"))
    return (
      <Link to="/runs/$run" params={{ run: subject }} title={subject}>
        <code>{short}</code>
      </Link>
    );
  if (kind.startsWith("agent-") && kind !== "agent-deleted")
    return (
      <Link to="/agents/$slug" params={{ slug: subject }}>
        {subject}
      </Link>
    );
  return (
    <code className="faint" title={subject}>
      {short}
    </code>
  );
}

/** Records of what was refused or failed. */
const isBad = /refused|failed|dropped|skipped/;

const words = {
  bundle: { en: "Download an audit bundle", uk: "Завантажити пакунок для перевірки" },
  bundleAbout: {
    en: "All commits with the records behind them in one file that anybody can check offline. It holds whole notes and journals.",
    uk: "Усі коміти із записами, що за ними стоять, в одному файлі, який кожен перевірить без мережі. Тут цілі нотатки й журнали.",
  },
  about: {
    en: "Every request, decision, change and sign-in. Records are never changed.",
    uk: "Кожне подання, рішення, зміна і вхід. Записи ніколи не змінюються.",
  },
  kind: { en: "Kind", uk: "Вид" },
  all: { en: "all", uk: "усі" },
  by: { en: "By", uk: "Хто" },
  subject: { en: "About", uk: "Про що" },
  from: { en: "From day", uk: "Від дня" },
  none: { en: "No records match", uk: "Таких записів немає" },
  older: {
    en: "There are older records: choose a day to read them from.",
    uk: "Є й давніші записи: оберіть день, від якого читати.",
  },
  more: { en: "Show more", uk: "Показати ще" },
} as const satisfies Record<string, Text>;
