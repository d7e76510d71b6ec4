import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useEffect, useMemo, useState } from "react";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { actorName } from "../../components/labels.ts";
import { AgentLink, ProposalLink, RunLink } from "../../components/links.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import {
  type ActivityLine,
  type ActivityTarget,
  type AuditEntry,
  activityLines,
  pendingByProposer,
} from "./activity.ts";
import { useLastVisit } from "./last-visit.ts";

/** Activity since the last visit, one line per subject; at first only the newest. */
export function RecentActivity() {
  const t = useT();
  const { from, markShown, markSeen } = useLastVisit();
  const read = useQuery(query("GET /audit", { query: { after: from, last: "true", limit: String(MOST) } }));
  const newest = read.data?.records.at(-1)?.key;
  useEffect(() => {
    if (newest !== undefined) markShown(newest);
  }, [newest, markShown]);
  return (
    <section className="card stack tight" aria-labelledby="happened">
      <div className="row between">
        <h2 id="happened">{t(words.title)}</h2>
        {markSeen && (
          <Button tone="quiet small" onClick={markSeen}>
            {t(words.seen)}
          </Button>
        )}
      </div>
      <QueryResult of={read}>
        {({ records, left_out }) => (
          <>
            <Lines records={records} />
            {left_out && <p className="quiet small">{t(words.leftOut, MOST)}</p>}
          </>
        )}
      </QueryResult>
    </section>
  );
}

/** Maximum number of audit records. Older ones are reached through the Why page. */
const MOST = 500;

const FIRST = 10;

function Lines({ records }: { readonly records: readonly AuditEntry[] }) {
  const t = useT();
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => activityLines(records), [records]);
  const proposed = useMemo(() => [...pendingByProposer(records)], [records]);
  if (lines.length === 0 && proposed.length === 0) return <Empty>{t(words.nothing)}</Empty>;
  const first = isWhole ? lines : lines.slice(0, FIRST);
  return (
    <>
      <ul className="stack tight happened">
        {proposed.map(([by, count]) => (
          <li key={by}>
            <span className="tag wait">{t(words.proposed)}</span>
            <span>{t(words.from, actorName(by, t), count)}</span>
          </li>
        ))}
        {first.map((line) => (
          <ActivityRow key={line.id} line={line} />
        ))}
      </ul>
      {lines.length > first.length && (
        <p>
          <Button tone="quiet" onClick={() => setIsWhole(true)}>
            {t(words.more, lines.length - first.length)}
          </Button>
        </p>
      )}
    </>
  );
}

function ActivityRow({ line: { state, tone, what, place, by, at } }: { readonly line: ActivityLine }) {
  const t = useT();
  return (
    <li>
      <span className={`tag ${tone}`}>{t(state)}</span>
      <span className="break">
        <TargetLink place={place}>{what}</TargetLink>{" "}
        <span className="quiet small">
          {by !== what && `${actorName(by, t)} · `}
          <When at={at} />
        </span>
      </span>
    </li>
  );
}

function TargetLink({ place, children }: { readonly place: ActivityTarget | undefined; readonly children: ReactNode }) {
  if (place?.to === "proposal") return <ProposalLink id={place.id}>{children}</ProposalLink>;
  if (place?.to === "run") return <RunLink run={place.id}>{children}</RunLink>;
  if (place?.to === "agent") return <AgentLink slug={place.id}>{children}</AgentLink>;
  if (place?.to === "settings") return <Link to="/settings">{children}</Link>;
  return children;
}

const words = {
  title: { en: "Since your last visit", uk: "Відколи ви дивилися востаннє" },
  seen: { en: "Mark as seen", uk: "Позначити переглянутим" },
  nothing: {
    en: "Nothing new. Activity of agents and people appears here.",
    uk: "Нічого нового. Тут буде видно, що роблять агенти й люди.",
  },
  proposed: { en: "proposed", uk: "запропоновано" },
  from: { en: "{} proposed {} [change|changes]", uk: "{}: {} [пропозиція|пропозиції|пропозицій], чекає рішення" },
  more: { en: "{} more", uk: "Ще {}" },
  leftOut: {
    en: "Only the last {} records are shown. To trace an older change, use the Why page.",
    uk: "Сталося більше, ніж в останніх {} записах. Давніше можна знайти, запитавши «чому».",
  },
} as const satisfies Record<string, Text>;
