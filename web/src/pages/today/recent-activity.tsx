import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { AgentLink, ProposalLink, RunLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { dayAndTime, shortTime } from "../../i18n/day.ts";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { activityLines } from "./activity.ts";
import type { ActivityLine, ActivityTarget, AuditEntry } from "./activity-line.ts";
import { useLastVisit } from "./last-visit.ts";

/** Events since the last visit, in sentences; at first only the newest. */
export function RecentActivity() {
  const t = useT();
  const { language } = usePreferences();
  const { from, markShown, markSeen } = useLastVisit();
  const read = useQuery(query("GET /audit", { query: { after: from, last: "true", limit: String(MOST) } }));
  const newest = read.data?.records.at(-1)?.key;
  useEffect(() => {
    if (newest !== undefined) markShown(newest);
  }, [newest, markShown]);
  const since = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z?/.exec(from)?.[0];
  return (
    <section aria-labelledby="happened">
      <div className="section-head">
        <h2 id="happened">{t(words.title)}</h2>
        {since !== undefined && <span className="meta">{dayAndTime(since, language)}</span>}
        {markSeen && (
          <Button tone="ghost small" onClick={markSeen}>
            {t(words.seen)}
          </Button>
        )}
      </div>
      <QueryResult of={read}>
        {({ records, left_out }) => (
          <>
            <Lines records={records} />
            {left_out && <p className="meta">{t(words.leftOut, MOST)}</p>}
          </>
        )}
      </QueryResult>
    </section>
  );
}

/** Maximum number of audit records. Older ones are in the audit log. */
const MOST = 500;
const FIRST = 8;

function Lines({ records }: { readonly records: readonly AuditEntry[] }) {
  const t = useT();
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => activityLines(records), [records]);
  if (lines.length === 0) return <p className="faint small">{t(words.nothing)}</p>;
  const first = isWhole ? lines : lines.slice(0, FIRST);
  return (
    <>
      <ul className="news">
        {first.map((line) => (
          <NewsRow key={line.id} line={line} />
        ))}
      </ul>
      {lines.length > first.length && (
        <Button tone="ghost small" onClick={() => setIsWhole(true)}>
          {t(words.more, lines.length - first.length)}
        </Button>
      )}
    </>
  );
}

function NewsRow({ line: { text, values, tone, about, place, at } }: { readonly line: ActivityLine }) {
  const t = useT();
  const { language } = usePreferences();
  return (
    <li className={tone}>
      <time className="meta" dateTime={at} title={dateTime(at, language)}>
        {shortTime(at, language)}
      </time>
      <i aria-hidden="true" />
      <div>
        <TargetLink place={place}>{t(text, ...values)}</TargetLink>
        {about !== undefined && about !== "" && <p className="small faint break">{about}</p>}
      </div>
    </li>
  );
}

function TargetLink({ place, children }: { readonly place: ActivityTarget | undefined; readonly children: ReactNode }) {
  const className = "plain-link";
  if (place?.to === "proposal")
    return (
      <ProposalLink id={place.id} className={className}>
        {children}
      </ProposalLink>
    );
  if (place?.to === "run")
    return (
      <RunLink run={place.id} className={className}>
        {children}
      </RunLink>
    );
  if (place?.to === "agent")
    return (
      <AgentLink slug={place.id} className={className}>
        {children}
      </AgentLink>
    );
  if (place?.to === "runs")
    return (
      <Link to="/runs" search={{ agent: place.agent }} className={className}>
        {children}
      </Link>
    );
  if (place)
    return (
      <Link to={place.to === "settings" ? "/settings" : "/proposals"} className={className}>
        {children}
      </Link>
    );
  return children;
}

const words = {
  title: { en: "Since your last visit", uk: "Після вашого останнього візиту" },
  seen: { en: "Mark as seen", uk: "Позначити переглянутим" },
  nothing: { en: "Nothing new.", uk: "Нічого нового." },
  more: { en: "{} more", uk: "Ще {}" },
  leftOut: {
    en: "Only the last {} records are told here. Older ones are in the audit log.",
    uk: "Тут лише останні {} [запис|записи|записів]. Давніші — у журналі.",
  },
} as const satisfies Record<string, Text>;
