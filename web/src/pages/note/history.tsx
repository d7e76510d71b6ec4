import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { query } from "../../api/queries.ts";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Every commit of a note, with its author, time and proposal. */
export function NoteHistory({ path }: { readonly path: string }) {
  const t = useT();
  const [most, setMost] = useState(20);
  const note = useQuery(query("GET /notes/:path", { params: { path }, query: { history: String(most) } }));
  return (
    <QueryResult of={note}>
      {({ history = [] }) =>
        history.length === 0 ? (
          <Empty>{t(words.none)}</Empty>
        ) : (
          <div className="stack">
            <ol className="stack tight">
              {history.map(({ commit, at, author, subject, proposal }) => (
                <li key={commit} className="card stack tight">
                  <p className="break">{subject}</p>
                  <p className="row small quiet">
                    <span>{author}</span>
                    <When at={at} />
                    <Link to="/notes/$" params={{ _splat: path }} search={{ at: commit }}>
                      {t(words.asItWas)} <code>{commit.slice(0, 10)}</code>
                    </Link>
                    {proposal !== undefined && (
                      <Link to="/proposals/$id" params={{ id: proposal }}>
                        {t(words.proposal)}
                      </Link>
                    )}
                    <Link to="/why" search={{ subject: commit }}>
                      {t(words.why)}
                    </Link>
                  </p>
                </li>
              ))}
            </ol>
            {history.length >= most && most < MOST && (
              <p>
                <button type="button" className="button" onClick={() => setMost(MOST)}>
                  {t(words.more)}
                </button>
              </p>
            )}
          </div>
        )
      }
    </QueryResult>
  );
}

const MOST = 200;

const words = {
  none: { en: "No commits yet", uk: "Її ще немає в жодному коміті." },
  asItWas: { en: "View at", uk: "якою була в" },
  proposal: { en: "proposal", uk: "пропозиція" },
  why: { en: "why?", uk: "чому?" },
  more: { en: "Earlier changes", uk: "Раніші зміни" },
} as const satisfies Record<string, Text>;
