import { useQuery } from "@tanstack/react-query";
import { useParams, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { query } from "../api/queries.ts";
import { Loading, QueryResult } from "../components/query-result.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { AgentHead, type AgentTab, agentTabs } from "./agent/agent-head.tsx";
import { Artifacts } from "./agent/artifacts.tsx";
import type { ContractAnswer } from "./agent/contract-answer.ts";
import { Memory } from "./agent/memory.tsx";
import { Overview } from "./agent/overview.tsx";
import { AgentRuns } from "./agent/runs.tsx";
import { AgentSettings } from "./agent/settings.tsx";
import { TryAgent } from "./agent/try-agent.tsx";
import { SuggestionList } from "./library/suggestion-list.tsx";
import "../style/agents.css";
import "../style/agent.css";
import "../style/proposals.css";

const AgentDiagram = lazy(() => import("./agent/diagram.tsx").then((part) => ({ default: part.AgentDiagramTab })));
const ContractEditor = lazy(() =>
  import("./agent/contract-editor.tsx").then((part) => ({ default: part.ContractEditor })),
);

/** One agent: overview, contract, diagram, logic, memory, runs, files and settings. */
export function AgentPage() {
  const { slug = "" } = useParams({ strict: false });
  const asked = useSearch({ strict: false }) as { tab?: string };
  const tab = agentTabs.find((each) => each === asked.tab) ?? "overview";
  const report = useQuery(query("GET /agents/:slug/contract", { params: { slug } }));
  return (
    <QueryResult of={report}>
      {(seen) =>
        tab === "contract" ? (
          <Suspense fallback={<Loading />}>
            <ContractEditor key={slug} report={seen} />
          </Suspense>
        ) : (
          <>
            <AgentHead report={seen} tab={tab} actions={<TryAgent slug={slug} />} />
            <div className="page stack">
              <AgentPart report={seen} tab={tab} />
            </div>
          </>
        )
      }
    </QueryResult>
  );
}

function AgentPart({ report, tab }: { readonly report: ContractAnswer; readonly tab: AgentTab }) {
  const t = useT();
  const { slug, problems } = report;
  return (
    <>
      {problems.length > 0 && (
        <p className="warning" role="alert">
          {t(words.broken, problems.length)}
        </p>
      )}
      {tab === "overview" && <SuggestionList agent={slug} />}
      {tab === "overview" && <Overview report={report} />}
      {tab === "diagram" && (
        <Suspense fallback={<Loading />}>
          <AgentDiagram slug={slug} />
        </Suspense>
      )}
      {tab === "memory" && <Memory slug={slug} />}
      {tab === "runs" && <AgentRuns slug={slug} />}
      {tab === "artifacts" && <Artifacts slug={slug} />}
      {tab === "settings" && <AgentSettings report={report} />}
    </>
  );
}

const words = {
  broken: {
    en: "The contract has {} [problem|problems]. See the Contract tab.",
    uk: "У контракті є помилки: {}. Їх показано біля рядків на вкладці «Контракт».",
  },
} as const satisfies Record<string, Text>;
