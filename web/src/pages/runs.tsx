import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { Activity, Play } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { call, type RequestOf } from "../api/client.ts";
import type { Run } from "../api/endpoints.gen.ts";
import { query } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { LongList } from "../components/long-list.tsx";
import { Failed, Loading } from "../components/query-result.tsx";
import { RunDialog } from "../components/run-now.tsx";
import { isInProgress, RunRow } from "../components/run-table.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type LongSource, useLongList } from "../components/use-long-list.ts";
import { dayHeading } from "../i18n/day.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { RunFilters, type RunSearch } from "./runs/filters.tsx";
import { RunsLede } from "./runs/lede.tsx";
import { Sandbox } from "./runs/sandbox.tsx";
import { RunTabs } from "./runs/tabs.tsx";
import "../style/runs.css";

/** Runs, newest first, by day; filtered in the server. */
export function RunsPage() {
  const t = useT();
  const { language } = usePreferences();
  const search = useSearch({ strict: false }) as RunSearch;
  const key = JSON.stringify(search);
  const list = useLongList(useMemo(() => sourceOf(JSON.parse(key) as RunSearch), [key]));
  const { items, isWhole, isPending, error, again, more } = list;
  // A page of a rare kind may be empty and still have a next one.
  useEffect(() => {
    if (items.length < FEW) more?.();
  }, [items.length, more]);
  const headings = useMemo(() => dayHeadings(items, language), [items, language]);
  const isFiltered = key !== "{}";
  return (
    <>
      <TopBar icon={Activity} crumbs={[]} title={t(words.title)}>
        <StartRun />
      </TopBar>
      <div className="page runs-page">
        <RunTabs chosen="runs" />
        <h1 className="hidden-visually">{t(words.title)}</h1>
        <RunsLede />
        <Sandbox />
        <RunFilters search={search} seen={items} />
        {error && items.length === 0 && <Failed error={error} again={again} />}
        {isPending && <Loading />}
        {isWhole && items.length === 0 && (
          <EmptyState
            picture={<Activity size={40} strokeWidth={1.5} aria-hidden="true" />}
            title={t(isFiltered ? words.noneLike : words.none)}
          >
            {t(isFiltered ? words.noneLikeWhy : words.noneWhy)}
          </EmptyState>
        )}
        {items.length > 0 && (
          <LongList of={list} label={t(words.title)} height={42}>
            {(run) => (
              <>
                {headings.has(run.run_id) && <h2 className="run-day">{headings.get(run.run_id)}</h2>}
                <RunRow run={run} hasDay={false} />
              </>
            )}
          </LongList>
        )}
      </div>
    </>
  );
}

/** Below this number of rows, the next page is read at once. */
const FEW = 30;

/** The heading of each day, by its first run. Only those are formatted: a list may have thousands of runs. */
function dayHeadings(runs: readonly Run[], language: "en" | "uk"): ReadonlyMap<string, string> {
  const headings = new Map<string, string>();
  let last: number | undefined;
  for (const { run_id, requested_at } of runs) {
    const day = new Date(requested_at).setHours(0, 0, 0, 0);
    if (day !== last) headings.set(run_id, dayHeading(requested_at, language));
    last = day;
  }
  return headings;
}

/** "Run…": an active agent, then its inputs. */
function StartRun() {
  const t = useT();
  const agents = useQuery(query("GET /agents", {})).data?.agents.filter(({ status }) => status === "active") ?? [];
  const [slug, setSlug] = useState<string>();
  if (agents.length === 0) return null;
  return (
    <>
      <label className="button small pick">
        <Play size={14} aria-hidden="true" />
        {t(words.run)}
        <select aria-label={t(words.whichAgent)} value="" onChange={({ target }) => setSlug(target.value)}>
          <option value="" disabled>
            {t(words.whichAgent)}
          </option>
          {agents.map((agent) => (
            <option key={agent.slug} value={agent.slug}>
              {agent.slug}
            </option>
          ))}
        </select>
      </label>
      {slug !== undefined && <RunDialog slug={slug} onClose={() => setSlug(undefined)} />}
    </>
  );
}

/** The filter "outcome" names states and outcomes alike, as people do. */
function outcomeQuery(outcome: string): RequestOf<"GET /runs">["query"] {
  return outcome === "effects" || outcome === "noop" ? { outcome } : { state: outcome as "running" };
}

const sourceOf = ({ agent, version, outcome, trigger, text }: RunSearch): LongSource<Run> => ({
  endpoint: "GET /runs",
  of: JSON.stringify([agent, version, outcome, trigger, text]),
  order: "falling",
  idOf: ({ run_id }) => run_id,
  isPolled: isInProgress,
  async read(after, signal) {
    const wanted = {
      limit: "50",
      ...(after && { after }),
      ...(outcome !== undefined && outcomeQuery(outcome)),
      ...(agent !== undefined && { agent }),
      ...(version !== undefined && { version }),
      ...(trigger !== undefined && { trigger }),
      ...(text !== undefined && { text }),
    };
    const { runs: items, next } = await call("GET /runs", { query: wanted, signal });
    return { items, next };
  },
});

const words = {
  title: { en: "Runs", uk: "Запуски" },
  run: { en: "Run…", uk: "Запустити…" },
  whichAgent: { en: "Run an agent", uk: "Запустити агента" },
  none: { en: "No runs yet", uk: "Запусків ще немає" },
  noneWhy: {
    en: "A run appears here when an agent works: by hand, on its schedule or after an event.",
    uk: "Запуск з’явиться тут, коли агент попрацює: вручну, за розкладом чи після події.",
  },
  noneLike: { en: "No such runs", uk: "Таких запусків немає" },
  noneLikeWhy: { en: "No run matches every filter.", uk: "Жоден запуск не відповідає всім фільтрам." },
} as const satisfies Record<string, Text>;
