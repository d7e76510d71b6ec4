import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { query } from "../../api/queries.ts";
import { FactRow } from "../../components/fact-row.tsx";
import { ProposalLink, RunLink, WhyPageLink } from "../../components/links.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Empty, QueryResult } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { EditMemory, RestoreMemory } from "./change-memory.tsx";
import { MemoryChangeDetails } from "./memory-change.tsx";
import { MemorySearchField } from "./memory-search.tsx";
import { MemorySnapshots } from "./memory-snapshots.tsx";

/** Files of layer 1 that are one text. */
const EDITABLE = new Set(["snapshot", "facts", "open_loops"]);

const parts = ["now", "facts", "history", "snapshots"] as const;

/** An agent's memory: what its runs read, every fact with its origin, and every change. */
export function Memory({ slug }: { readonly slug: string }) {
  const t = useT();
  const asked = useSearch({ strict: false }) as { part?: string };
  const part = parts.find((each) => each === asked.part) ?? "now";
  return (
    <div className="stack">
      <div className="row" role="group" aria-label={t(words.parts)}>
        {parts.map((each) => (
          <Link
            key={each}
            to="/agents/$slug"
            params={{ slug }}
            search={{ tab: "memory", ...(each !== "now" && { part: each }) }}
            className={`button ${each === part ? "primary" : ""}`}
            aria-current={each === part ? "true" : undefined}
          >
            {t(words[each])}
          </Link>
        ))}
      </div>
      {part === "now" && <Now slug={slug} />}
      {part === "facts" && <Facts slug={slug} />}
      {part === "history" && <Changes slug={slug} />}
      {part === "snapshots" && <MemorySnapshots slug={slug} />}
    </div>
  );
}

function Now({ slug }: { readonly slug: string }) {
  const t = useT();
  const memory = useQuery(query("GET /memory/:agentId/read", { params: { agentId: slug }, query: { mode: "wide" } }));
  return (
    <QueryResult of={memory}>
      {({ parts: files, values, version, tokens, limit, cut }) => {
        const written = Object.entries(files).filter(([, text]) => text.trim() !== "");
        const named = Object.entries(values);
        return (
          <div className="stack">
            <p className="quiet">{t(words.size, version, tokens, limit)}</p>
            <MemorySearchField slug={slug} />
            {cut.length > 0 && <p className="warning">{t(words.cut, cut.join(", "))}</p>}
            {written.length === 0 && named.length === 0 && <Empty>{t(words.nothing)}</Empty>}
            {written.map(([name, text]) => (
              <section key={name} className="card stack tight" aria-label={name}>
                <div className="row between">
                  <h2>{t(fileWords[name] ?? { en: name, uk: name })}</h2>
                  {EDITABLE.has(name) && <EditMemory slug={slug} name={name} text={text} version={version} />}
                </div>
                <Markdown text={text.replace(/^# .*\n+/, "")} />
              </section>
            ))}
            {named.length > 0 && (
              <section className="card stack tight" aria-labelledby="values">
                <h2 id="values">{t(words.values)}</h2>
                <dl className="facts">
                  {named.map(([name, value]) => (
                    <FactRow key={name} name={<code>{name}</code>}>
                      <code>{JSON.stringify(value)}</code>
                    </FactRow>
                  ))}
                </dl>
              </section>
            )}
          </div>
        );
      }}
    </QueryResult>
  );
}

function Facts({ slug }: { readonly slug: string }) {
  const t = useT();
  const facts = useQuery(query("GET /memory/:agentId/facts", { params: { agentId: slug } }));
  return (
    <QueryResult of={facts}>
      {({ facts: list }) =>
        list.length === 0 ? (
          <Empty>{t(words.noFacts)}</Empty>
        ) : (
          <ul className="stack tight">
            {list.map(({ id, text, section, since, commit, author, byHand, proposal, lastUsed, stale }) => (
              <li key={id} className="card stack tight">
                <p className="break">{text}</p>
                <p className="row small quiet">
                  {section !== null && <span className="tag">{section}</span>}
                  {stale && <span className="state wait">{t(words.stale)}</span>}
                  <span>{byHand ? t(words.byHand, author) : author}</span>
                  <span>
                    {t(words.since)} <When at={since} />
                  </span>
                  {lastUsed !== null && (
                    <span>
                      {t(words.used)} <When at={lastUsed} />
                    </span>
                  )}
                  {proposal !== null && <ProposalLink id={proposal}>{t(words.proposal)}</ProposalLink>}
                  <WhyPageLink subject={commit}>{t(words.why)}</WhyPageLink>
                </p>
              </li>
            ))}
          </ul>
        )
      }
    </QueryResult>
  );
}

function Changes({ slug }: { readonly slug: string }) {
  const t = useT();
  const history = useQuery(
    query("GET /memory/:agentId/history", { params: { agentId: slug }, query: { limit: "100" } }),
  );
  return (
    <QueryResult of={history}>
      {({ changes }) =>
        changes.length === 0 ? (
          <Empty>{t(words.noChanges)}</Empty>
        ) : (
          <ol className="stack tight">
            {changes.map(({ commit, at, by, author, subject, version, proposal, run, files }, index) => (
              <li key={commit} className="card stack tight">
                <p className="break">{subject}</p>
                <p className="row small quiet">
                  <span className="tag">{t(words[by])}</span>
                  <span>{author}</span>
                  <When at={at} />
                  <span>{t(words.version, version)}</span>
                  {files.map(({ file, added, removed }) => (
                    <span key={file}>
                      <code>{file}</code> +{added} −{removed}
                    </span>
                  ))}
                  {proposal !== null && <ProposalLink id={proposal}>{t(words.proposal)}</ProposalLink>}
                  {run !== null && <RunLink run={run}>{t(words.run)}</RunLink>}
                  <WhyPageLink subject={commit}>{t(words.why)}</WhyPageLink>
                  <RestoreMemory slug={slug} from={commit} />
                </p>
                <MemoryChangeDetails slug={slug} commit={commit} before={changes[index + 1]?.commit} run={run} />
              </li>
            ))}
          </ol>
        )
      }
    </QueryResult>
  );
}

const fileWords: Readonly<Record<string, Text>> = {
  snapshot: { en: "Current state", uk: "На чому зараз" },
  facts: { en: "Facts", uk: "Факти" },
  open_loops: { en: "Open questions", uk: "Незакриті питання" },
  decisions: { en: "Decisions", uk: "Рішення" },
};

const words = {
  parts: { en: "Memory", uk: "Частини пам’яті" },
  now: { en: "Current", uk: "Що він знає" },
  facts: { en: "Facts", uk: "Факти та їхнє минуле" },
  history: { en: "Changes", uk: "Зміни" },
  snapshots: { en: "Snapshots", uk: "Знімки" },
  size: { en: "Version {}; {} of {} tokens", uk: "Версія {}; токенів: {} із {}" },
  cut: { en: "Left out because of the token limit: {}", uk: "Не вмістилося: {}" },
  nothing: { en: "Memory is empty", uk: "Він ще нічого не пам’ятає." },
  values: { en: "Values", uk: "Значення" },
  noFacts: { en: "No facts yet", uk: "Фактів ще немає." },
  stale: { en: "stale", uk: "давно не вживано" },
  byHand: { en: "by hand: {}", uk: "від руки: {}" },
  since: { en: "since", uk: "відколи:" },
  used: { en: "last used", uk: "востаннє вжито" },
  proposal: { en: "proposal", uk: "пропозиція" },
  run: { en: "run", uk: "запуск" },
  why: { en: "why?", uk: "чому?" },
  noChanges: { en: "No changes yet", uk: "Змін ще не було." },
  version: { en: "version {}", uk: "версія {}" },
  hand: { en: "by hand", uk: "від руки" },
  bookkeeping: { en: "bookkeeping", uk: "облік" },
} as const satisfies Record<string, Text>;
