import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { FileUp, Flower2, Plus, Search } from "lucide-react";
import { useRef, useState } from "react";
import { query } from "../api/queries.ts";
import { figuresQuery } from "../components/agent-health.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Button } from "../components/form.tsx";
import { Kbd } from "../components/kbd.tsx";
import { Empty, QueryResult } from "../components/query-result.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { AgentRow } from "./agents/agent-row.tsx";
import { type AgentStanding, type Group, standingsOf } from "./agents/agent-standing.ts";
import { AgentTabs } from "./agents/agent-tabs.tsx";
import { AgentsVerdict } from "./agents/agents-verdict.tsx";
import { NewAgentDialog } from "./agents/new-agent-dialog.tsx";
import "../style/agents.css";
import "../style/library.css";

const groups = ["needs", "work", "rest"] as const satisfies readonly Group[];

/** All agents, by who must act: those that need the owner, those at work, those at rest. */
export function AgentsPage() {
  const t = useT();
  const agents = useQuery(query("GET /agents", {}));
  const questions = useQuery(query("GET /requests", {})).data?.requests;
  const figures = useQuery(figuresQuery()).data;
  const [isImporting, setIsImporting] = useState(false);
  const [text, setText] = useState("");
  const filter = useRef<HTMLInputElement>(null);
  useKeys({ "/": () => filter.current?.focus() });
  return (
    <>
      <TopBar icon={Flower2} crumbs={[]} title={t(words.title)}>
        <label className="filter-field">
          <Search size={14} aria-hidden="true" />
          <input
            ref={filter}
            aria-label={t(words.filter)}
            placeholder={t(words.filter)}
            value={text}
            onChange={({ target }) => setText(target.value)}
          />
          <Kbd keys={["/"]} />
        </label>
        <Button onClick={() => setIsImporting(true)}>
          <FileUp size={15} aria-hidden="true" />
          {t(words.import)}
        </Button>
        <Link to="/new-agent" className="button primary">
          <Plus size={15} aria-hidden="true" />
          {t(words.create)}
        </Link>
      </TopBar>
      <AgentTabs chosen="agents" />
      <div className="page agents-page">
        <h1 className="hidden-visually">{t(words.title)}</h1>
        <QueryResult of={agents}>
          {(seen) => {
            const standings = standingsOf(seen, figures?.agents ?? [], questions ?? []);
            if (standings.length === 0) return <NoAgents />;
            const shown = standings.filter(({ agent }) => matches(agent, text));
            return (
              <>
                <AgentsVerdict standings={standings} />
                {shown.length === 0 && <Empty>{t(words.noMatch)}</Empty>}
                {groups.map((group) => (
                  <AgentGroup
                    key={group}
                    group={group}
                    standings={shown.filter((each) => each.group === group)}
                    currency={figures?.currency ?? ""}
                  />
                ))}
              </>
            );
          }}
        </QueryResult>
      </div>
      {isImporting && <NewAgentDialog way={{ kind: "file" }} onClose={() => setIsImporting(false)} />}
    </>
  );
}

const matches = ({ slug, name, description }: AgentStanding["agent"], text: string): boolean =>
  `${slug} ${name} ${description}`.toLowerCase().includes(text.trim().toLowerCase());

function AgentGroup(props: {
  readonly group: Group;
  readonly standings: readonly AgentStanding[];
  readonly currency: string;
}) {
  const { group, standings, currency } = props;
  const t = useT();
  if (standings.length === 0) return null;
  return (
    <section className="agent-group" aria-labelledby={`group-${group}`}>
      <h2 id={`group-${group}`}>{t(words[group])}</h2>
      <div className="agent-heads meta" aria-hidden="true">
        <span />
        <span>{t(words.agent)}</span>
        <span>{t(words.state)}</span>
        <span>{t(words.share)}</span>
        <span>{t(words.days)}</span>
        <span className="number">{t(words.cost)}</span>
      </div>
      <ul className="rows">
        {standings.map((standing) => (
          <AgentRow key={standing.agent.slug} standing={standing} currency={currency} />
        ))}
      </ul>
    </section>
  );
}

function NoAgents() {
  const t = useT();
  return (
    <EmptyState
      picture={<Flower2 size={40} aria-hidden="true" />}
      title={t(words.none)}
      action={
        <Link to="/new-agent" className="button primary">
          {t(words.first)}
        </Link>
      }
    >
      {t(words.noneAbout)}
    </EmptyState>
  );
}

const words = {
  title: { en: "Agents", uk: "Агенти" },
  filter: { en: "Filter", uk: "Фільтр" },
  import: { en: "Import…", uk: "Імпорт…" },
  create: { en: "New agent", uk: "Новий агент" },
  needs: { en: "Needs you", uk: "Потребує вас" },
  work: { en: "At work", uk: "У роботі" },
  rest: { en: "At rest", uk: "Відпочиває" },
  agent: { en: "Agent", uk: "Агент" },
  state: { en: "State and next run", uk: "Стан і наступний запуск" },
  share: { en: "Completed, 95% interval", uk: "Завершено, 95% інтервал" },
  days: { en: "14 days", uk: "14 днів" },
  cost: { en: "Cost", uk: "Ціна" },
  noMatch: { en: "No agent matches the filter.", uk: "Жоден агент не підходить під фільтр." },
  none: { en: "No agents yet", uk: "Агентів ще немає" },
  noneAbout: {
    en: "Eleven templates are ready to run; ten of them need no network.",
    uk: "Одинадцять шаблонів готові до запуску; десятьом із них мережа не потрібна.",
  },
  first: { en: "Create the first agent", uk: "Створити першого агента" },
} as const satisfies Record<string, Text>;
