import { useQuery } from "@tanstack/react-query";
import { Link2, Link2Off } from "lucide-react";
import { useState } from "react";
import { query } from "../../api/queries.ts";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { dateTime } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { TraceEntries } from "./trace-view.tsx";

/** Source 004, R11: every binding of traces to a commit, newest first, and the traces of each. */
export function TraceHistory({ commit }: { readonly commit: string }) {
  const t = useT();
  const { language } = usePreferences();
  const [open, setOpen] = useState<string>();
  const read = useQuery(query("GET /traces/:commit", { params: { commit } }));
  return (
    <QueryResult of={read}>
      {({ history }) => (
        <div className="commit-body">
          <p className="quiet">{t(words.about)}</p>
          {history.length === 0 && <Empty>{t(words.none)}</Empty>}
          <ol className="bindings">
            {history.map(({ id, at, by, why, notes }, index) => (
              <li key={notes}>
                {id === null ? <Link2Off size={16} aria-hidden="true" /> : <Link2 size={16} aria-hidden="true" />}
                <div>
                  <p>
                    <b>{why}</b> {index === 0 && id !== null && <span className="state good">{t(words.now)}</span>}
                    {id === null && <span className="state warn">{t(words.away)}</span>}
                  </p>
                  <p className="meta">
                    {dateTime(at, language)} · {by} · <code>{id === null ? notes.slice(0, 10) : id.slice(0, 10)}</code>
                  </p>
                  {id !== null && (
                    <details onToggle={({ currentTarget }) => currentTarget.open && setOpen(notes)}>
                      <summary className="small">{t(words.show)}</summary>
                      {open === notes && <Earlier commit={commit} notes={notes} />}
                    </details>
                  )}
                </div>
              </li>
            ))}
          </ol>
        </div>
      )}
    </QueryResult>
  );
}

/** The traces as a binding had them. */
function Earlier({ commit, notes }: { readonly commit: string; readonly notes: string }) {
  const t = useT();
  const read = useQuery({
    ...query("GET /traces/:commit", { params: { commit }, query: { notes } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryResult of={read}>
      {({ traces }) =>
        traces.map((trace, index) => {
          const recorded = trace.commit;
          return (
            // oxlint-disable-next-line react/no-array-index-key -- traces of one commit keep their order
            <div key={index}>
              {recorded !== undefined && recorded !== commit && (
                <p className="meta">
                  {t(words.recordedFor)} <code>{recorded.slice(0, 10)}</code>
                </p>
              )}
              <TraceEntries trace={trace} of={traces.length} />
            </div>
          );
        })
      }
    </QueryResult>
  );
}

const words = {
  about: {
    en: "A rebase, squash or cherry-pick makes new commits. Here is when traces were bound to this one, and from where.",
    uk: "Rebase, squash чи cherry-pick створюють нові коміти. Тут видно, коли до цього прив’язано сліди і звідки.",
  },
  none: { en: "No trace was ever bound to this commit.", uk: "До цього коміту ніколи не було прив’язано сліду." },
  now: { en: "bound now", uk: "прив’язано зараз" },
  away: { en: "taken away", uk: "забрано" },
  show: { en: "Show its traces", uk: "Показати її сліди" },
  recordedFor: { en: "recorded for", uk: "записано для" },
} as const satisfies Record<string, Text>;
