import { Flower2 } from "lucide-react";
import type { ReactNode } from "react";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { RunNow } from "../../components/run-now.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { StateTag } from "../../components/tags.tsx";
import { TopBar } from "../../components/top-bar.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import type { ContractAnswer } from "./contract-answer.ts";

export const agentTabs = [
  "overview",
  "contract",
  "diagram",
  "logic",
  "memory",
  "runs",
  "artifacts",
  "settings",
] as const;
export type AgentTab = (typeof agentTabs)[number];

const HEAD_FLOWER_PX = 60;

/** The head of every page of an agent: bar with actions, face, name, state, purpose, the button that runs it, tabs. */
export function AgentHead(props: {
  readonly report: ContractAnswer;
  readonly tab: AgentTab;
  readonly actions?: ReactNode;
}) {
  const { report, tab, actions } = props;
  const { slug, status, contract } = report;
  const t = useT();
  const named = (field: string): string => (typeof contract?.[field] === "string" ? contract[field] : "");
  return (
    <>
      <TopBar icon={Flower2} crumbs={[{ name: t(words.agents), to: "/agents" }]} title={slug}>
        {actions}
      </TopBar>
      <header className="agent-head">
        <AgentFlower slug={slug} size={HEAD_FLOWER_PX} />
        <div className="grow">
          <h1>{named("name") || slug}</h1>
          <p className="agent-about">
            {status && <StateTag kind="agent" state={status} />}
            <span className="cut">{named("description")}</span>
          </p>
        </div>
        {status && <RunNow slug={slug} status={status} />}
      </header>
      <div className="agent-tabs">
        <Tabs
          name={t(words.parts)}
          chosen={tab}
          tabs={agentTabs.map((each) => ({
            id: each,
            name: t(words[each]),
            link:
              each === "logic"
                ? { to: "/agents/$slug/logic", params: { slug } }
                : { to: "/agents/$slug", params: { slug }, search: each === "overview" ? {} : { tab: each } },
          }))}
        />
      </div>
    </>
  );
}

const words = {
  agents: { en: "Agents", uk: "Агенти" },
  parts: { en: "Agent", uk: "Частини сторінки агента" },
  overview: { en: "Overview", uk: "Огляд" },
  contract: { en: "Contract", uk: "Контракт" },
  diagram: { en: "Diagram", uk: "Діаграма" },
  logic: { en: "Logic", uk: "Логіка" },
  memory: { en: "Memory", uk: "Пам’ять" },
  runs: { en: "Runs", uk: "Запуски" },
  artifacts: { en: "Files", uk: "Файли" },
  settings: { en: "Settings", uk: "Налаштування" },
} as const satisfies Record<string, Text>;
