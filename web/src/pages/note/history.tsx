import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { reading } from "../../api/queries.ts";
import { Empty, Shown } from "../../parts/state.tsx";
import { When } from "../../parts/tags.tsx";
import { type Text, useSay } from "../../words/say.ts";

/** Every change of a note: who, when, by which proposal. */
export function History({ path }: { readonly path: string }) {
  const say = useSay();
  const [most, setMost] = useState(20);
  const note = useQuery(reading("GET /notes/:path", { params: { path }, query: { history: String(most) } }));
  return (
    <Shown of={note}>
      {({ history = [] }) =>
        history.length === 0 ? (
          <Empty>{say(words.none)}</Empty>
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
                      {say(words.asItWas)} <code>{commit.slice(0, 10)}</code>
                    </Link>
                    {proposal !== undefined && (
                      <Link to="/proposals/$id" params={{ id: proposal }}>
                        {say(words.proposal)}
                      </Link>
                    )}
                    <Link to="/why" search={{ subject: commit }}>
                      {say(words.why)}
                    </Link>
                  </p>
                </li>
              ))}
            </ol>
            {history.length >= most && most < MOST && (
              <p>
                <button type="button" className="button" onClick={() => setMost(MOST)}>
                  {say(words.more)}
                </button>
              </p>
            )}
          </div>
        )
      }
    </Shown>
  );
}

const MOST = 200;

const words = {
  none: { en: "No commit has it yet.", uk: "Її ще немає в жодному коміті." },
  asItWas: { en: "as it was at", uk: "якою була в" },
  proposal: { en: "proposal", uk: "пропозиція" },
  why: { en: "why?", uk: "чому?" },
  more: { en: "Earlier changes", uk: "Раніші зміни" },
} as const satisfies Record<string, Text>;
