import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Run } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { RunLink } from "../../components/links.tsx";
import { RunOutcome } from "../../components/run-table.tsx";
import { span } from "../../i18n/day.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

/** Runs in progress with their current step, and queued runs. */
export function Running() {
  const t = useT();
  const [isAny, setIsAny] = useState(false);
  // Events are sent for a run's request, its steps and its end only: in between it is polled.
  const refetchInterval = isAny && POLL_MS;
  const found = useQueries({ queries: STATES.map((state) => ({ ...runsInState(state), refetchInterval })) });
  const open = found.flatMap((each) => each.data?.runs ?? []);
  useEffect(() => setIsAny(open.length > 0), [open.length]);
  const unique = [...new Map(open.map((run) => [run.run_id, run])).values()];
  if (found.some(({ data }) => data === undefined)) return null;
  return (
    <section aria-labelledby="running">
      <h2 id="running">{t(words.title)}</h2>
      {unique.length === 0 ? (
        <p className="faint small">{t(words.nothing)}</p>
      ) : (
        <ul className="rows" aria-live="polite">
          {unique.map((run) => (
            <RunningRow key={run.run_id} run={run} />
          ))}
        </ul>
      )}
    </section>
  );
}

const POLL_MS = 2000;
const STATES = ["running", "queued", "requested"] as const;
const runsInState = (state: (typeof STATES)[number]) => query("GET /runs", { query: { state, limit: "20" } });

function RunningRow({ run }: { readonly run: Run }) {
  const { language } = usePreferences();
  return (
    <li>
      <RunLink run={run.run_id} className="list-row">
        <AgentFlower slug={run.agent_slug} />
        <span className="cut">
          <span className="title">{run.agent_slug}</span>
          {run.about !== undefined && <span className="faint"> {run.about}</span>}
          <span className="meta cut second running-step">
            <RunOutcome run={run} />
          </span>
        </span>
        <time className="meta" dateTime={run.started_at ?? run.requested_at}>
          {span(Date.now() - Date.parse(run.started_at ?? run.requested_at), language)}
        </time>
      </RunLink>
    </li>
  );
}

const words = {
  title: { en: "Running now", uk: "Працює зараз" },
  nothing: { en: "Nothing is running.", uk: "Нічого не працює." },
} as const satisfies Record<string, Text>;
