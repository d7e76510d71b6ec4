import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Activity, Download } from "lucide-react";
import { useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { figuresQuery } from "../../components/agent-health.tsx";
import { Button } from "../../components/form.tsx";
import { AgentLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { Segments } from "../../components/segments.tsx";
import { TopBar } from "../../components/top-bar.tsx";
import { money } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { DayBars, SmallBars } from "./spending-bars.tsx";
import { ByModel, ByVersion, Limits } from "./spending-tables.tsx";
import { RunTabs } from "./tabs.tsx";
import "../../style/runs.css";
import "../../style/spending.css";

type Figures = AnswerOf<"GET /runs/figures">;
const SPANS = {
  "7": { en: "Week", uk: "Тиждень" },
  "30": { en: "Month", uk: "Місяць" },
  "365": { en: "Year", uk: "Рік" },
} as const satisfies Record<string, Text>;
type Span = keyof typeof SPANS;

/** The cost of runs by day, agent, logic version and model, and the limits of each agent; from the records of the runs. */
export function SpendingPage() {
  const t = useT();
  const [span, setSpan] = useState<Span>("30");
  const read = useQuery(figuresQuery(Number(span)));
  return (
    <>
      <TopBar icon={Activity} crumbs={[{ name: t(words.runs), to: "/runs" }]} title={t(words.title)}>
        {read.data && (
          <Button tone="ghost small" onClick={() => downloadTable(read.data)}>
            <Download size={14} aria-hidden="true" /> CSV
          </Button>
        )}
        <Segments
          label={t(words.span)}
          value={span}
          options={(Object.keys(SPANS) as Span[]).map((value) => ({ value, name: t(SPANS[value]) }))}
          onChoose={setSpan}
        />
      </TopBar>
      <div className="page runs-page">
        <RunTabs chosen="spending" />
        <h1 className="hidden-visually">{t(words.title)}</h1>
        <QueryResult of={read}>{(figures) => <Spending figures={figures} />}</QueryResult>
      </div>
    </>
  );
}

const totalOf = ({ agents }: Figures): number => agents.reduce((sum, { cost }) => sum + (cost ?? 0), 0);

function Spending({ figures }: { readonly figures: Figures }) {
  const t = useT();
  const { language } = usePreferences();
  const { agents, currency, days } = figures;
  const paid = (amount: number): string => money(amount, currency, language);
  const isPriced = agents.some(({ cost }) => cost !== null);
  const total = totalOf(figures);
  const spenders = agents.filter(({ runs }) => runs > 0).toSorted((a, b) => (b.cost ?? 0) - (a.cost ?? 0));
  const most = Math.max(0, ...spenders.flatMap((agent) => agent.days.map(({ cost }) => cost ?? 0)));
  return (
    <div className="spending">
      <div className="spending-head">
        <p className="lede">
          {isPriced ? (
            <>
              {t(words.spent)} <b>{paid(total)}</b> {t(words.inDays, days.length)}
              {total > 0 && ` ${t(words.pace, paid(pace(figures)))}`}
            </>
          ) : (
            t(words.noPrice)
          )}
        </p>
        {!isPriced && (
          <p className="small quiet">
            {t(words.setPrice)} <Link to="/settings">{t(words.settings)}</Link>
          </p>
        )}
      </div>
      <div className="spending-main">
        {isPriced && (
          <section aria-labelledby="by-day">
            <h2 id="by-day">{t(words.byDay)}</h2>
            <DayBars figures={figures} />
          </section>
        )}
        <Limits agents={agents.map(({ slug }) => slug)} />
        <ByModel figures={figures} />
      </div>
      <div className="spending-side">
        {spenders.length > 0 && (
          <section aria-labelledby="by-agent">
            <div className="section-head">
              <h2 id="by-agent">{t(words.byAgent)}</h2>
              <span className="meta">{t(words.oneScale)}</span>
            </div>
            <div className="multiples">
              {spenders.map((agent) => (
                <AgentLink key={agent.slug} slug={agent.slug} className="multiple plain-link">
                  <span className="row">
                    <AgentFlower slug={agent.slug} size={20} />
                    <b className="cut">{agent.slug}</b>
                    <span className="grow" />
                    <span className="number">{agent.cost === null ? "–" : paid(agent.cost)}</span>
                  </span>
                  <SmallBars costs={agent.days.map(({ cost }) => cost ?? 0)} most={most} />
                  <span className="meta">{t(words.runsCount, agent.runs)}</span>
                </AgentLink>
              ))}
            </div>
          </section>
        )}
        {figures.versions.length > 0 && <ByVersion figures={figures} />}
      </div>
    </div>
  );
}

/** The next thirty days, if they go on as the last fourteen did. */
function pace({ agents, days }: Figures): number {
  const count = Math.min(14, days.length);
  const recent = agents.reduce(
    (sum, agent) => sum + agent.days.slice(-count).reduce((one, { cost }) => one + (cost ?? 0), 0),
    0,
  );
  return (recent / count) * 30;
}

/** Saves the costs by day and agent as a table. */
function downloadTable({ days, agents, currency }: Figures): void {
  const head = ["day", ...agents.map(({ slug }) => `${slug} (${currency})`)].join(",");
  const lines = days.map((day, index) => [day, ...agents.map((agent) => agent.days[index]!.cost ?? "")].join(","));
  const url = URL.createObjectURL(new Blob([[head, ...lines, ""].join("\n")], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `spending-${days.at(-1)}.csv`;
  link.click();
  URL.revokeObjectURL(url);
}

const words = {
  runs: { en: "Runs", uk: "Запуски" },
  title: { en: "Spending", uk: "Витрати" },
  span: { en: "Time", uk: "Час" },
  spent: { en: "Runs cost", uk: "Запуски коштували" },
  inDays: { en: "in {} days;", uk: "за {} [день|дні|днів];" },
  pace: { en: "at this pace about {} in the next 30.", uk: "далі так само — близько {} за наступні 30." },
  noPrice: { en: "No run used a model with a price.", uk: "Жоден запуск не мав моделі з ціною." },
  setPrice: {
    en: "Set prices per million tokens, and runs tell what they cost:",
    uk: "Задайте ціни за мільйон токенів, і запуски казатимуть, скільки коштують:",
  },
  settings: { en: "Settings", uk: "Налаштування" },
  byDay: { en: "By day", uk: "За днями" },
  byAgent: { en: "By agent", uk: "За агентами" },
  oneScale: { en: "one scale", uk: "один масштаб" },
  runsCount: { en: "{} [run|runs]", uk: "{} [запуск|запуски|запусків]" },
} as const satisfies Record<string, Text>;
