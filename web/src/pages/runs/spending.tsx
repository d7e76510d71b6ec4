import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Activity, Download } from "lucide-react";
import { useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { figuresQuery } from "../../components/agent-health.tsx";
import { Button } from "../../components/form.tsx";
import { AgentLink } from "../../components/links.tsx";
import { QueryResult } from "../../components/query-result.tsx";
import { Segments } from "../../components/segments.tsx";
import { TopBar } from "../../components/top-bar.tsx";
import { money, number } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";
import { DayBars, SmallBars } from "./spending-bars.tsx";
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

/** What runs cost, by day, agent, logic version and model, and the limits of each agent; from the records of the runs. */
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

/** The limits that a contract sets for one run. A run that reaches one is stopped. */
function Limits({ agents }: { readonly agents: readonly string[] }) {
  const t = useT();
  const { language } = usePreferences();
  const read = useQueries({ queries: agents.map((slug) => query("GET /agents/:slug", { params: { slug } })) });
  const rows = read.flatMap(({ data }) => (data ? [data] : []));
  if (rows.length === 0) return null;
  const shown = (value: unknown): string => (typeof value === "number" ? number(value, language) : "–");
  return (
    <section aria-labelledby="limits">
      <div className="section-head">
        <h2 id="limits">{t(words.limits)}</h2>
        <span className="meta">{t(words.limitsWhy)}</span>
      </div>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t(words.agent)}</th>
              {(["turns", "tokens", "calls", "proposals"] as const).map((each) => (
                <th key={each} scope="col" className="end">
                  {t(words[each])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ slug, contract }) => {
              const budget = (contract["budget"] ?? {}) as Readonly<Record<string, unknown>>;
              return (
                <tr key={slug}>
                  <td>
                    <AgentLink slug={slug} className="plain-link">
                      {slug}
                    </AgentLink>
                  </td>
                  <td className="end">{shown(contract["max_steps"])}</td>
                  <td className="end">{shown(budget["tokens"])}</td>
                  <td className="end">{shown(budget["calls"])}</td>
                  <td className="end">{shown(budget["proposals"])}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function ByModel({ figures: { models, currency } }: { readonly figures: Figures }) {
  const t = useT();
  const { language } = usePreferences();
  const most = Math.max(1, ...models.map(({ tokens }) => tokens));
  if (models.length === 0) return null;
  return (
    <section aria-labelledby="by-model">
      <h2 id="by-model">{t(words.byModel)}</h2>
      <ul className="run-list">
        {models.map(({ model, tokens, cost, runs }) => (
          <li key={model} className="model-row">
            <span className="mono cut">{model}</span>
            <span className="meter" aria-hidden="true">
              <i style={{ width: `${(tokens / most) * 100}%` }} />
            </span>
            <span className="meta number">
              {t(words.runsCount, runs)}, {t(words.tokensCount, number(tokens, language))}
            </span>
            <span className="number end">{cost === null ? "–" : money(cost, currency, language)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function ByVersion({ figures: { versions, currency } }: { readonly figures: Figures }) {
  const t = useT();
  const { language } = usePreferences();
  const paid = (amount: number): string => money(amount, currency, language);
  return (
    <section aria-labelledby="by-version">
      <div className="section-head">
        <h2 id="by-version">{t(words.byVersion)}</h2>
        <span className="meta">{t(words.nextRun)}</span>
      </div>
      <div className="scroll-x">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{t(words.version)}</th>
              {(["aRun", "nine", "all"] as const).map((each) => (
                <th key={each} scope="col" className="end">
                  {t(words[each])}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {versions
              .toSorted((a, b) => b.total - a.total)
              .map(({ slug, version, median, low, high, total }) => (
                <tr key={`${slug} ${version}`}>
                  <td>
                    <Link to="/runs" search={{ agent: slug, version }} className="plain-link">
                      {slug} {version}
                    </Link>
                  </td>
                  <td className="end">
                    <b>{paid(median)}</b>
                  </td>
                  <td className="end">{t(words.fromTo, paid(low), paid(high))}</td>
                  <td className="end">{paid(total)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </div>
    </section>
  );
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
  tokensCount: { en: "{} [token|tokens]", uk: "{} [токен|токени|токенів]" },
  limits: { en: "Limits", uk: "Межі" },
  limitsWhy: {
    en: "of one run; a run that reaches one is stopped",
    uk: "одного запуску; хто дійшов до межі, того зупинено",
  },
  agent: { en: "Agent", uk: "Агент" },
  turns: { en: "Model turns", uk: "Ходів моделі" },
  tokens: { en: "Tokens", uk: "Токенів" },
  calls: { en: "Calls", uk: "Викликів" },
  proposals: { en: "Proposals", uk: "Пропозицій" },
  byModel: { en: "By model", uk: "За моделями" },
  byVersion: { en: "By version", uk: "За версіями" },
  nextRun: { en: "what the next run will cost", uk: "скільки коштуватиме наступний запуск" },
  version: { en: "Version", uk: "Версія" },
  aRun: { en: "A run", uk: "Запуск" },
  nine: { en: "Nine of ten", uk: "Дев’ять з десяти" },
  all: { en: "Spent", uk: "Витрачено" },
  fromTo: { en: "{} to {}", uk: "від {} до {}" },
} as const satisfies Record<string, Text>;
