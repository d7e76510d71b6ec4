import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Run } from "../../api/endpoints.ts";
import { useLastStep } from "../../api/live.ts";
import { reading } from "../../api/queries.ts";
import { Empty, Shown } from "../../parts/state.tsx";
import { StateTag, When } from "../../parts/tags.tsx";
import { type Text, useSay } from "../../words/say.ts";

/** What runs now, step by step as it goes, and what is next in the queue. */
export function Running() {
  const say = useSay();
  const running = useQuery(reading("GET /runs", { query: { state: "running", limit: "20" } }));
  const queued = useQuery(reading("GET /runs", { query: { state: "queued", limit: "20" } })).data?.runs ?? [];
  return (
    <Shown of={running}>
      {({ runs }) =>
        runs.length + queued.length === 0 ? (
          <Empty>{say(words.nothing)}</Empty>
        ) : (
          <ul className="stack tight happened" aria-live="polite">
            {[...runs, ...queued].map((run) => (
              <One key={run.run_id} run={run} />
            ))}
          </ul>
        )
      }
    </Shown>
  );
}

function One({ run }: { readonly run: Run }) {
  const say = useSay();
  const { position, name } = useLastStep(run.run_id) ?? run.step ?? {};
  return (
    <li>
      <StateTag kind="run" state={run.state} />
      <span className="break">
        <Link to="/runs/$run" params={{ run: run.run_id }}>
          {run.agent_slug}
        </Link>{" "}
        <span className="quiet small">
          {position !== undefined && `${say(words.step, position, name ?? "")} · `}
          <When at={run.started_at ?? run.requested_at} />
        </span>
      </span>
    </li>
  );
}

const words = {
  nothing: {
    en: "Nothing runs. What runs is shown here step by step.",
    uk: "Нічого не працює. Тут видно кожен крок того, що працює.",
  },
  step: { en: "step {}: {}", uk: "крок {}: {}" },
} as const satisfies Record<string, Text>;
