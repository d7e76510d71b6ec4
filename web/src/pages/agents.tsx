import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { reading } from "../api/queries.ts";
import { RunNow } from "../parts/run-now.tsx";
import { Empty, Shown } from "../parts/state.tsx";
import { StateTag, When } from "../parts/tags.tsx";
import { type Text, useSay } from "../words/say.ts";
import "../style/agents.css";

/** Every agent of the garden: what it is, how it last did, what of it waits. */
export function Agents() {
  const say = useSay();
  const agents = useQuery(reading("GET /agents", {}));
  return (
    <div className="stack">
      <h1>{say(words.title)}</h1>
      <Shown of={agents}>
        {({ agents: list }) =>
          list.length === 0 ? (
            <Empty>
              {say(words.none)} <code>bloom agent new NAME</code>
            </Empty>
          ) : (
            <ul className="agents">
              {list.map(({ slug, name, status, version, last_run, last_run_status, pending_proposals }) => (
                <li key={slug} className="card stack tight">
                  <div className="row between">
                    <h2>
                      <Link to="/agents/$slug" params={{ slug }}>
                        {name}
                      </Link>
                    </h2>
                    <StateTag kind="agent" state={status} />
                  </div>
                  <p className="quiet small">
                    <code>{slug}</code> {version}
                  </p>
                  <p className="row small">
                    {last_run === null ? (
                      <span className="quiet">{say(words.neverRan)}</span>
                    ) : (
                      <>
                        {last_run_status !== null && <StateTag kind="run" state={last_run_status} />}
                        <When at={last_run} />
                      </>
                    )}
                    {pending_proposals > 0 && (
                      <Link to="/proposals" className="tag wait">
                        {say(words.pending, pending_proposals)}
                      </Link>
                    )}
                  </p>
                  <RunNow slug={slug} status={status} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </div>
  );
}

const words = {
  title: { en: "Agents", uk: "Агенти" },
  none: { en: "No agent yet. To make one:", uk: "Агентів ще немає. Щоб створити:" },
  neverRan: { en: "has not run yet", uk: "ще не запускався" },
  pending: { en: "waiting: {}", uk: "чекає: {}" },
} as const satisfies Record<string, Text>;
