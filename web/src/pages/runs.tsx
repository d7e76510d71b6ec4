import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { call } from "../api/client.ts";
import type { Run } from "../api/endpoints.gen.ts";
import { runStateLabels } from "../components/labels.ts";
import { AgentLink } from "../components/links.tsx";
import { LongList } from "../components/long-list.tsx";
import { Empty, Failed, Loading } from "../components/query-result.tsx";
import { isInProgress, RunLine } from "../components/run-table.tsx";
import { type LongSource, useLongList } from "../components/use-long-list.ts";
import { type Text, useT } from "../i18n/use-t.ts";

type State = "running" | "waiting" | "failed";

/** Runs of all agents or of one, newest first. */
export function RunsPage() {
  const t = useT();
  const navigate = useNavigate();
  const { state, agent } = useSearch({ strict: false }) as { state?: string; agent?: string };
  const list = useLongList(useMemo(() => sourceOf(state, agent), [state, agent]));
  const runs = list.items;
  return (
    <div className="stack">
      <div className="row between">
        <h1>{t(words.title)}</h1>
        <label className="row">
          <span className="quiet small">{t(words.state)}</span>
          <select
            className="field narrow"
            value={state ?? ""}
            onChange={({ target }) =>
              void navigate({
                to: "/runs",
                search: { ...(agent !== undefined && { agent }), ...(target.value && { state: target.value }) },
              })
            }
          >
            <option value="">{t(words.all)}</option>
            {Object.entries(runStateLabels).map(([each, name]) => (
              <option key={each} value={each}>
                {t(name)}
              </option>
            ))}
          </select>
        </label>
      </div>
      {agent !== undefined && (
        <p className="row">
          <AgentLink slug={agent}>{agent}</AgentLink>
          <Link to="/runs" className="quiet small">
            {t(words.everyAgent)}
          </Link>
        </p>
      )}
      {list.error && runs.length === 0 && <Failed error={list.error} again={list.again} />}
      {list.isPending && <Loading />}
      {list.isWhole && runs.length === 0 && <Empty>{t(state === undefined ? words.none : words.noneInState)}</Empty>}
      {runs.length > 0 && (
        <LongList of={list} label={t(words.title)} height={57}>
          {(run) => <RunLine run={run} />}
        </LongList>
      )}
    </div>
  );
}

const sourceOf = (state: string | undefined, agent: string | undefined): LongSource<Run> => ({
  endpoint: "GET /runs",
  of: JSON.stringify([state, agent]),
  order: "falling",
  idOf: ({ run_id }) => run_id,
  isPolled: isInProgress,
  async read(after, signal) {
    const query = {
      limit: "50",
      ...(after && { after }),
      ...(state !== undefined && { state: state as State }),
      ...(agent !== undefined && { agent }),
    };
    const { runs: items, next } = await call("GET /runs", { query, signal });
    return { items, next };
  },
});

const words = {
  title: { en: "Runs", uk: "Запуски" },
  state: { en: "State", uk: "Стан" },
  all: { en: "all", uk: "усі" },
  everyAgent: { en: "All agents", uk: "усіх агентів" },
  none: { en: "No runs yet", uk: "Запусків ще немає." },
  noneInState: { en: "No runs in this state", uk: "Таких запусків немає." },
} as const satisfies Record<string, Text>;
