import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { AnswerOf } from "../../api/client.ts";
import type { AgentFigures } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { AgentCost, FIGURE_DAYS, figuresQuery, RunStrip, SuccessShare } from "../../components/agent-health.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Flower } from "../../components/flower.tsx";
import { agentStateLabels } from "../../components/labels.ts";
import { AgentLink } from "../../components/links.tsx";
import { dayAndTime } from "../../i18n/day.ts";
import { ago } from "../../i18n/format.ts";
import { type Language, type Text, type Translate, usePreferences, useT } from "../../i18n/use-t.ts";

type Agent = AnswerOf<"GET /agents">["agents"][number];

/** Each agent's health: its state, the share of completed runs with its interval, its days, its last run and its cost. */
export function AgentsGlance() {
  const t = useT();
  const agents = useQuery(query("GET /agents", {})).data?.agents.filter(({ status }) => status !== "archived");
  const figures = useQuery(figuresQuery()).data;
  if (!agents) return null;
  if (agents.length === 0)
    return (
      <EmptyState
        picture={<Flower of="new" size={120} hasStem look="draft" />}
        title={t(words.none)}
        action={
          <Link to="/agents" className="button primary">
            <Plus size={16} aria-hidden="true" /> {t(words.create)}
          </Link>
        }
      >
        {t(words.noneWhy)}
      </EmptyState>
    );
  return (
    <section aria-labelledby="agents">
      <div className="section-head">
        <h2 id="agents">{t(words.title)}</h2>
        <span className="meta">{t(words.days, FIGURE_DAYS)}</span>
      </div>
      <ul className="rows glance">
        {agents.map((agent) => (
          <Row
            key={agent.slug}
            agent={agent}
            figures={figures?.agents.find(({ slug }) => slug === agent.slug)}
            currency={figures?.currency ?? "USD"}
          />
        ))}
      </ul>
    </section>
  );
}

function Row(props: { readonly agent: Agent; readonly figures: AgentFigures | undefined; readonly currency: string }) {
  const { agent, figures, currency } = props;
  const t = useT();
  const { language } = usePreferences();
  const { text, tone } = stateOf(agent, figures, t, language);
  return (
    <li>
      <AgentLink slug={agent.slug} className="glance-row plain-link">
        <AgentFlower slug={agent.slug} size={28} />
        <span className="cut">
          <span className="title">{agent.slug}</span>
          <span className={`meta cut second ${tone}`}>{text}</span>
        </span>
        {figures && (
          <span className="glance-figures">
            <RunStrip days={figures.days} />
            <span className="meta">
              <AgentCost cost={figures.cost || null} currency={currency} />
            </span>
          </span>
        )}
        {figures?.success && <SuccessShare figures={figures} />}
      </AgentLink>
    </li>
  );
}

/** The present run of the agent, or else its next or last one. */
function stateOf(
  { status, last_run }: Agent,
  figures: AgentFigures | undefined,
  t: Translate,
  language: Language,
): { readonly text: string; readonly tone: string } {
  if (status === "error") return { text: t(words.stopped), tone: "is-bad" };
  if (status !== "active") return { text: t(agentStateLabels[status] ?? words.title), tone: "" };
  if (figures?.last?.state === "waiting") return { text: t(words.waits), tone: "is-wait" };
  if (figures?.last?.state === "running") return { text: t(words.runs), tone: "is-running" };
  if (figures?.last?.state === "failed")
    return { text: t(words.failed, ago(figures.last.at, language)), tone: "is-bad" };
  if (figures?.next) return { text: t(words.next, dayAndTime(figures.next, language)), tone: "" };
  return { text: last_run === null ? t(words.never) : t(words.last, ago(last_run, language)), tone: "" };
}

const words = {
  title: { en: "Agents", uk: "Агенти" },
  days: { en: "{} days", uk: "{} [день|дні|днів]" },
  stopped: { en: "Stopped", uk: "Зупинено" },
  waits: { en: "Waiting for you", uk: "Чекає на вас" },
  runs: { en: "Running", uk: "Працює" },
  failed: { en: "Failed {}", uk: "Невдача {}" },
  next: { en: "Next {}", uk: "Далі: {}" },
  last: { en: "Ran {}", uk: "Працював {}" },
  never: { en: "Has not run yet", uk: "Ще не працював" },
  none: { en: "No agents yet", uk: "Агентів ще немає" },
  noneWhy: {
    en: "An agent reads your notes and proposes changes. Nothing happens without you.",
    uk: "Агент читає ваші нотатки й пропонує зміни. Без вас нічого не станеться.",
  },
  create: { en: "New agent", uk: "Новий агент" },
} as const satisfies Record<string, Text>;
