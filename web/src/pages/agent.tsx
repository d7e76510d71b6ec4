import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { query } from "../api/queries.ts";
import { Loading, QueryResult } from "../components/query-result.tsx";
import { RunNow } from "../components/run-now.tsx";
import { Tabs } from "../components/tabs.tsx";
import { StateTag } from "../components/tags.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { Artifacts } from "./agent/artifacts.tsx";
import { ContractSource } from "./agent/contract-source.tsx";
import { Memory } from "./agent/memory.tsx";
import { Overview } from "./agent/overview.tsx";
import { AgentRuns } from "./agent/runs.tsx";
import { AgentSettings } from "./agent/settings.tsx";
import "../style/agents.css";
import "../style/page-parts.css";

const AgentDiagram = lazy(() => import("./agent/diagram.tsx").then((part) => ({ default: part.AgentDiagramTab })));

const tabs = ["overview", "contract", "diagram", "logic", "memory", "runs", "artifacts", "settings"] as const;

/** One agent: overview, contract, diagram, logic, memory, runs, files and settings. */
export function AgentPage() {
  const t = useT();
  const { slug = "" } = useParams({ strict: false });
  const asked = useSearch({ strict: false }) as { tab?: string };
  const tab = tabs.find((each) => each === asked.tab) ?? "overview";
  const report = useQuery(query("GET /agents/:slug/contract", { params: { slug } }));
  return (
    <div className="stack">
      <QueryResult of={report}>
        {(seen) => (
          <>
            <div className="row between">
              <h1>{typeof seen.contract?.["name"] === "string" ? seen.contract["name"] : slug}</h1>
              {seen.status && <StateTag kind="agent" state={seen.status} />}
            </div>
            <Tabs
              name={t(words.parts)}
              chosen={tab}
              tabs={tabs.map((each) => ({
                id: each,
                name: t(words[each]),
                link:
                  each === "logic"
                    ? { to: "/agents/$slug/logic", params: { slug } }
                    : { to: "/agents/$slug", params: { slug }, search: each === "overview" ? {} : { tab: each } },
              }))}
            />
            {seen.problems.length > 0 && tab !== "contract" && (
              <p className="warning" role="alert">
                {t(words.broken, seen.problems.length)}
              </p>
            )}
            {tab === "overview" && (
              <>
                {seen.status && <RunNow slug={slug} status={seen.status} />}
                <Overview report={seen} />
              </>
            )}
            {tab === "contract" && <ContractSource report={seen} />}
            {tab === "diagram" && (
              <Suspense fallback={<Loading />}>
                <AgentDiagram slug={slug} />
              </Suspense>
            )}
            {tab === "memory" && <Memory slug={slug} />}
            {tab === "runs" && <AgentRuns slug={slug} />}
            {tab === "artifacts" && <Artifacts slug={slug} />}
            {tab === "settings" && <AgentSettings report={seen} />}
          </>
        )}
      </QueryResult>
    </div>
  );
}

const words = {
  parts: { en: "Agent", uk: "Частини сторінки агента" },
  overview: { en: "Overview", uk: "Огляд" },
  contract: { en: "Contract", uk: "Контракт" },
  diagram: { en: "Diagram", uk: "Діаграма" },
  logic: { en: "Logic", uk: "Логіка" },
  memory: { en: "Memory", uk: "Пам’ять" },
  runs: { en: "Runs", uk: "Запуски" },
  artifacts: { en: "Files", uk: "Файли" },
  settings: { en: "Settings", uk: "Налаштування" },
  broken: {
    en: "The contract has {} [problem|problems]. See the Contract tab.",
    uk: "У контракті є помилки: {}. Їх показано біля рядків на вкладці «Контракт».",
  },
} as const satisfies Record<string, Text>;
