import { useQueries } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Run } from "../../api/endpoints.gen.ts";
import { useLastStep } from "../../api/live.ts";
import { query } from "../../api/queries.ts";
import { RunLink } from "../../components/links.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { StateTag, When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

/** Runs in progress with their current step, and queued runs. */
export function Running() {
  const t = useT();
  const [isAny, setIsAny] = useState(false);
  // Events are sent for a run's request, its steps and its end only: in between it is polled.
  const refetchInterval = isAny && POLL_MS;
  const [running, queued, requested] = useQueries({
    queries: STATES.map((state) => ({ ...runsInState(state), refetchInterval })),
  });
  const open = [running, queued, requested].flatMap((each) => each?.data?.runs ?? []);
  useEffect(() => setIsAny(open.length > 0), [open.length]);
  const unique = [...new Map(open.map((run) => [run.run_id, run])).values()];
  return (
    <QueryResult of={running!}>
      {() =>
        open.length > 0 ? (
          <ul className="stack tight happened" aria-live="polite">
            {unique.map((run) => (
              <RunningRow key={run.run_id} run={run} />
            ))}
          </ul>
        ) : (
          <Empty>{t(words.nothing)}</Empty>
        )
      }
    </QueryResult>
  );
}

const POLL_MS = 2000;
const STATES = ["running", "queued", "requested"] as const;
const runsInState = (state: (typeof STATES)[number]) => query("GET /runs", { query: { state, limit: "20" } });

function RunningRow({ run }: { readonly run: Run }) {
  const t = useT();
  const { position, name } = useLastStep(run.run_id) ?? run.step ?? {};
  return (
    <li>
      <StateTag kind="run" state={run.state} />
      <span className="break">
        <RunLink run={run.run_id}>{run.agent_slug}</RunLink>{" "}
        <span className="quiet small">
          {position !== undefined && `${t(words.step, position, name ?? "")} · `}
          <When at={run.started_at ?? run.requested_at} />
        </span>
      </span>
    </li>
  );
}

const words = {
  nothing: { en: "Nothing is running.", uk: "Нічого не працює. Тут видно кожен крок того, що працює." },
  step: { en: "step {}: {}", uk: "крок {}: {}" },
} as const satisfies Record<string, Text>;
