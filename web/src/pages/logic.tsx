import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { query } from "../api/queries.ts";
import { AgentLink, ProposalLink } from "../components/links.tsx";
import { Empty, Loading, QueryResult } from "../components/query-result.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { Compare } from "./logic/compare.tsx";
import { HeatMap } from "./logic/heat.tsx";
import type { Performance } from "./logic/rate.tsx";
import { PerformanceTrend } from "./logic/trend.tsx";
import { Versions } from "./logic/versions.tsx";
import "../style/page-parts.css";
import "../style/run.css";
import "../style/logic.css";

/** The logic of an agent, version by version: performance, heat map, comparison and rollback (source 000 §7.4). */
export function LogicPage() {
  const t = useT();
  const { slug } = useParams({ from: "/agents/$slug/logic" });
  const asked = useSearch({ strict: false }) as { from?: string; to?: string };
  const versions = useQuery(query("GET /logic/:agentId/versions", { params: { agentId: slug } }));
  const performance = useQuery(query("GET /logic/:agentId/performance", { params: { agentId: slug } }));
  return (
    <article className="stack" key={slug}>
      <div className="row between">
        <h1>
          <AgentLink slug={slug}>{slug}</AgentLink> · {t(words.title)}
        </h1>
        <Link className="button" to="/agents/$slug/diagram" params={{ slug }}>
          {t(words.editor)}
        </Link>
      </div>
      <Waiting slug={slug} />
      <QueryResult of={versions}>
        {({ versions: rows }) => {
          // Waits for both, so that the page does not shift.
          if (performance.isPending) return <Loading />;
          const names = rows.map(({ version }) => version);
          if (names.length === 0) return <Empty>{t(words.none)}</Empty>;
          const current = rows.find((row) => row.current)?.version ?? names[0]!;
          const known = (version: string | undefined): version is string =>
            version !== undefined && names.includes(version);
          const to = known(asked.to) ? asked.to : current;
          const from = known(asked.from) ? asked.from : (names.find((version) => version < to) ?? to);
          return (
            <>
              <QueryResult of={performance}>
                {(found) => <PerformanceTrend performance={found as Performance} />}
              </QueryResult>
              <Versions slug={slug} versions={rows} performance={performance.data as Performance | undefined} />
              <HeatMap slug={slug} versions={names} />
              {names.length > 1 && <Compare slug={slug} versions={names} from={from} to={to} />}
            </>
          );
        }}
      </QueryResult>
    </article>
  );
}

/** Pending changes of this logic. */
function Waiting({ slug }: { readonly slug: string }) {
  const t = useT();
  const here = useQuery(query("GET /proposals/pending", { query: { target: `logic/${slug}` } })).data?.proposals ?? [];
  if (here.length === 0) return null;
  return (
    <section className="warning stack tight" aria-labelledby="waiting">
      <h2 id="waiting">{t(words.waiting)}</h2>
      <ul className="stack tight">
        {here.map(({ id, summary, source }) => (
          <li key={id}>
            <ProposalLink id={id}>{summary}</ProposalLink> <span className="quiet small">{source.identity}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const words = {
  title: { en: "Logic", uk: "Логіка" },
  editor: { en: "Edit diagram", uk: "Редагувати діаграму" },
  none: { en: "No logic versions yet", uk: "Цей агент ще не має жодної версії логіки." },
  waiting: { en: "Needs your decision", uk: "Чекає вашого рішення" },
} as const satisfies Record<string, Text>;
