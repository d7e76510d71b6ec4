import { useQueries } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AnswerOf } from "../../api/client.ts";
import { query } from "../../api/queries.ts";
import { AgentLink } from "../../components/links.tsx";
import { money, number } from "../../i18n/format.ts";
import { type Text, usePreferences, useT } from "../../i18n/use-t.ts";

type Figures = AnswerOf<"GET /runs/figures">;

/** The limits that a contract sets for one run. A run that reaches one is stopped. */
export function Limits({ agents }: { readonly agents: readonly string[] }) {
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

export function ByModel({ figures: { models, currency } }: { readonly figures: Figures }) {
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

export function ByVersion({ figures: { versions, currency } }: { readonly figures: Figures }) {
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

const words = {
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
