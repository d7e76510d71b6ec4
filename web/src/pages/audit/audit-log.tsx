import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { type AnswerOf, call } from "../../api/client.ts";
import { Button, TextField } from "../../components/form.tsx";
import { Failed, Loading } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
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
      <p className="quiet">{t(words.about)}</p>
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
        <TextField label={t(words.by)} value={by} onText={setBy} placeholder="agent:gardener" />
        <TextField label={t(words.subject)} value={subject} onText={setSubject} placeholder="prop_…" />
        <TextField label={t(words.from)} type="date" value={day} onText={setDay} />
      </div>
      {log.error && <Failed error={log.error} again={() => void log.refetch()} />}
      {log.isPending && <Loading />}
      {log.data && records.length === 0 && <p className="quiet">{t(words.none)}</p>}
      {records.map(({ key, record }) => (
        <AuditRow key={key} record={record} />
      ))}
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

function AuditRow({ record: { at, kind, by, subject, why } }: { readonly record: AuditRecord }) {
  const t = useT();
  return (
    <div className="audit-row">
      <span className="meta">
        <When at={at} />
      </span>
      <span>{t(auditWords[kind])}</span>
      <span className="break">
        <Subject name={subject} /> <span className="meta">{t(words.who, by)}</span>
      </span>
      <span className="quiet break">{why}</span>
    </div>
  );
}

/** A proposal or a run is a link to its page. */
function Subject({ name }: { readonly name: string }) {
  if (name.startsWith("prop_"))
    return (
      <Link to="/proposals/$id" params={{ id: name }}>
        <code>{name}</code>
      </Link>
    );
  if (name.startsWith("run_"))
    return (
      <Link to="/runs/$run" params={{ run: name }}>
        <code>{name}</code>
      </Link>
    );
  return <code>{name}</code>;
}

const words = {
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
  who: { en: "by {}", uk: "— {}" },
} as const satisfies Record<string, Text>;
