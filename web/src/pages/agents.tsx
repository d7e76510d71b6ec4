import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { query } from "../api/queries.ts";
import { AgentLink } from "../components/links.tsx";
import { Empty, QueryResult } from "../components/query-result.tsx";
import { RunNow } from "../components/run-now.tsx";
import { StateTag, When } from "../components/tags.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { NewAgent } from "./agents/new-agent.tsx";
import "../style/agents.css";

/** All agents, with their last run and pending proposals. */
export function AgentsPage() {
  const t = useT();
  const agents = useQuery(query("GET /agents", {}));
  return (
    <div className="stack">
      <div className="row between">
        <h1>{t(words.title)}</h1>
        <NewAgent />
      </div>
      <QueryResult of={agents}>
        {({ agents: list }) =>
          list.length === 0 ? (
            <Empty>{t(words.none)}</Empty>
          ) : (
            <ul className="agents">
              {list.map(({ slug, name, status, version, last_run, last_run_status, pending_proposals }) => (
                <li key={slug} className="card stack tight">
                  <div className="row between">
                    <h2>
                      <AgentLink slug={slug}>{name}</AgentLink>
                    </h2>
                    <StateTag kind="agent" state={status} />
                  </div>
                  <p className="quiet small">
                    <code>{slug}</code> {version}
                  </p>
                  <p className="row small">
                    {last_run === null ? (
                      <span className="quiet">{t(words.neverRan)}</span>
                    ) : (
                      <>
                        {last_run_status !== null && <StateTag kind="run" state={last_run_status} />}
                        <When at={last_run} />
                      </>
                    )}
                    {pending_proposals > 0 && (
                      <Link to="/proposals" className="tag wait">
                        {t(words.pending, pending_proposals)}
                      </Link>
                    )}
                  </p>
                  <RunNow slug={slug} status={status} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryResult>
    </div>
  );
}

const words = {
  title: { en: "Agents", uk: "Агенти" },
  none: { en: "No agents yet", uk: "Агентів ще немає" },
  neverRan: { en: "No runs yet", uk: "ще не запускався" },
  pending: { en: "{} pending", uk: "чекає: {}" },
} as const satisfies Record<string, Text>;
