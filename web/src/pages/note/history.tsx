import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { query } from "../../api/queries.ts";
import { Button } from "../../components/form.tsx";
import { NotePageLink, ProposalLink, WhyPageLink } from "../../components/links.tsx";
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
                    <NotePageLink path={path} search={{ at: commit }}>
                      {t(words.asItWas)} <code>{commit.slice(0, 10)}</code>
                    </NotePageLink>
                    {proposal !== undefined && <ProposalLink id={proposal}>{t(words.proposal)}</ProposalLink>}
                    <WhyPageLink subject={commit}>{t(words.why)}</WhyPageLink>
                  </p>
                </li>
              ))}
            </ol>
            {history.length >= most && most < MOST && (
              <p>
                <Button onClick={() => setMost(MOST)}>{t(words.more)}</Button>
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
