import { useQueries, useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ProposalCard } from "../../api/endpoints.gen.ts";
import { query } from "../../api/queries.ts";
import { actionLabels, actorName } from "../../components/labels.ts";
import { ProposalLink, RunLink } from "../../components/links.tsx";
import { Empty, Failed, Loading } from "../../components/query-result.tsx";
import { When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";

const FIRST = 8;

/** Everything that needs the owner. Questions first: a run is held by each of them. */
export function NeedsYou() {
  const t = useT();
  const asked = useQuery(query("GET /requests", {}));
  const pending = useQuery(query("GET /proposals/pending", { query: { limit: "100" } }));
  const unapplied = useQuery(query("GET /proposals/history", { query: { status: "failed", limit: "5" } }));
  const agents = useQuery(query("GET /agents", {}));
  // A failed run is listed until a later run of the same agent succeeds.
  const failing = agents.data?.agents.filter(({ last_run_status }) => last_run_status === "failed") ?? [];
  const failures = useQueries({
    queries: failing.map(({ slug }) => query("GET /runs", { query: { agent: slug, state: "failed", limit: "1" } })),
  });
  const queries = [asked, pending, unapplied, agents, ...failures];
  const broken = queries.find(({ error, data }) => error && data === undefined);
  if (broken?.error) {
    const again = (): void => queries.forEach((one) => void (one.error && one.refetch()));
    return <Failed error={broken.error} again={again} />;
  }
  if (queries.some(({ data }) => data === undefined)) return <Loading />;
  const proposals = pending.data?.proposals.toSorted(byUrgency) ?? [];
  const failed = failures.flatMap(({ data }) => data?.runs ?? []);
  const rows: readonly ReactNode[] = [
    ...(asked.data?.requests ?? []).map(({ id, ask, agent_slug, run_id, asked_at }) => (
      <Row key={id} tag={words.asks} tone="wait" by={agent_slug} at={asked_at}>
        <RunLink run={run_id}>{ask.question.split("\n", 1)[0]}</RunLink>
      </Row>
    )),
    ...(agents.data?.troubles ?? []).map(({ slug, why, since }) => (
      <Row key={`agent ${slug}`} tag={words.stopped} tone="bad" by={t(why).split("\n", 1)[0]} at={since}>
        <Link to="/agents/$slug" params={{ slug }}>
          {t(words.stoppedAgent, slug)}
        </Link>
      </Row>
    )),
    ...failed.map(({ run_id, agent_slug, finished_at, requested_at, outcome }) => (
      <Row key={run_id} tag={words.failed} tone="bad" by={outcome?.reason} at={finished_at ?? requested_at}>
        <RunLink run={run_id}>{t(words.runOf, agent_slug)}</RunLink>
      </Row>
    )),
    ...(unapplied.data?.proposals ?? []).map((card) => (
      <Proposed key={card.id} card={card} tag={words.unapplied} tone="bad" />
    )),
    ...proposals
      .slice(0, FIRST)
      .map((card) => (
        <Proposed
          key={card.id}
          card={card}
          tag={isDrift(card) ? words.drift : actionLabels[card.action]!}
          tone={isDrift(card) || card.priority === "high" ? "bad" : ""}
        />
      )),
  ];
  if (rows.length === 0)
    return (
      <Empty>
        {t(words.nothing)}{" "}
        <Link to="/agents" className="nowrap">
          {t(words.runOne)}
        </Link>
      </Empty>
    );
  const more = pending.data?.next === undefined ? `${proposals.length}` : `${proposals.length}+`;
  return (
    <>
      <ul className="stack tight waiting">{rows}</ul>
      {proposals.length > 0 && (
        <p className="row">
          <ProposalLink id={proposals[0]!.id} className="button primary">
            {t(words.begin)}
          </ProposalLink>
          {proposals.length > FIRST && (
            <Link to="/proposals" className="button quiet">
              {t(words.all, more)}
            </Link>
          )}
        </p>
      )}
    </>
  );
}

/** D-6a: the gateway proposes to export a contract again that differs from its diagram. */
const isDrift = ({ source, action }: ProposalCard): boolean => source.type === "gateway" && action === "logic-update";

const urgency = (card: ProposalCard): number => (isDrift(card) ? 0 : card.priority === "high" ? 1 : 2);
const byUrgency = (one: ProposalCard, other: ProposalCard): number => urgency(one) - urgency(other);

const Proposed = (props: { readonly card: ProposalCard; readonly tag: Text; readonly tone: string }) => {
  const { card, tag, tone } = props;
  return (
    <Row tag={tag} tone={tone} by={card.source.identity} about={card.target} at={card.created_at}>
      <ProposalLink id={card.id}>{card.summary}</ProposalLink>
    </Row>
  );
};

function Row(props: {
  readonly tag: Text;
  readonly tone: string;
  readonly by: string | undefined;
  readonly about?: string;
  readonly at: string | undefined;
  readonly children: ReactNode;
}) {
  const t = useT();
  const { tag, tone, by, about, at, children } = props;
  return (
    <li>
      <span className={`tag ${tone}`}>{t(tag)}</span>
      <div className="break">
        {children}
        <p className="quiet small">
          {by !== undefined && `${actorName(by, t)}${at === undefined ? "" : " · "}`}
          {about !== undefined && (
            <>
              <code>{about}</code> ·{" "}
            </>
          )}
          {at !== undefined && <When at={at} />}
        </p>
      </div>
    </li>
  );
}

const words = {
  asks: { en: "question", uk: "питання" },
  stopped: { en: "stopped", uk: "зупинено" },
  stoppedAgent: { en: "{} is in error and does not run", uk: "{} має стан error і не запускається" },
  failed: { en: "failed", uk: "невдача" },
  runOf: { en: "The last run of {} failed", uk: "Останній запуск {} був невдалим" },
  unapplied: { en: "not applied", uk: "не вдалося застосувати" },
  drift: { en: "drift", uk: "розбіжність" },
  nothing: {
    en: "Nothing needs you. Agents propose changes when they run:",
    uk: "Ніщо на вас не чекає. Агенти щось принесуть, коли попрацюють:",
  },
  runOne: { en: "run one", uk: "запустіть якогось" },
  begin: { en: "Start review", uk: "Почати вирішувати" },
  all: { en: "All {}", uk: "Усі {}" },
} as const satisfies Record<string, Text>;
