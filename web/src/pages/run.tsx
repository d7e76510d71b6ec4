import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { Activity } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from "react";
import type { AnswerOf } from "../api/client.ts";
import { useLastStep } from "../api/live.ts";
import { invalidate, query } from "../api/queries.ts";
import { AgentFlower } from "../components/agent-flower.tsx";
import { runStateLabels } from "../components/labels.ts";
import { AgentLink, ProposalLink, RunLink, WhyPageLink } from "../components/links.tsx";
import { QueryResult } from "../components/query-result.tsx";
import { DriftTag, isInProgress, RunOutcome, startedBy } from "../components/run-table.tsx";
import { StateTag } from "../components/tags.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { dateTime, duration, money, number } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { CancelRun, ForkRun, MoveRun, RunAgain } from "./run/actions.tsx";
import { Comparison } from "./run/comparison.tsx";
import { Steps } from "./run/steps.tsx";
import { timelineOf } from "./run/timeline.ts";
import "../style/run.css";

const PathTaken = lazy(() => import("./run/path-taken.tsx").then((part) => ({ default: part.PathTaken })));

type Read = AnswerOf<"GET /runs/:run">;

/** One run: its steps on a time axis, its questions and the path through its diagram; live while it is in progress. */
export function RunPage() {
  const { run } = useParams({ from: "/runs/$run" });
  const client = useQueryClient();
  const last = useLastStep(run);
  useEffect(() => {
    if (last) void invalidate(client, "/runs/:run");
  }, [client, last]);
  const read = useQuery({
    ...query("GET /runs/:run", { params: { run } }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isInProgress(data.run) && POLL_MS,
  });
  return <QueryResult of={read}>{(found) => <Page key={run} {...found} readAt={read.dataUpdatedAt} />}</QueryResult>;
}

/** Polling interval: a long step, and the time before the first one, send no events. */
const POLL_MS = 2000;
const OPEN = ["requested", "queued", "running", "waiting"];

function Page(props: Read & { readonly readAt: number }) {
  const { run, request, newer_version: newer, steps, requests, readAt } = props;
  const t = useT();
  const { language } = usePreferences();
  const [icon, setIcon] = useState<string>();
  const isOpen = OPEN.includes(run.state);
  const { run_id: id, agent_slug: slug } = run;
  return (
    <>
      <TopBar
        icon={Activity}
        crumbs={[
          { name: t(words.runs), to: "/runs" },
          { name: slug, to: `/agents/${slug}` },
        ]}
        title={dateTime(run.requested_at, language)}
      >
        {newer !== null && <MoveRun run={id} to={newer} />}
        {!isOpen && <ForkRun run={id} slug={slug} steps={steps} />}
        {!isOpen && <RunAgain slug={slug} input={request?.input} />}
        {isOpen && <CancelRun run={id} />}
      </TopBar>
      <div className="bleed run-page">
        <div className="run-steps">
          <Head {...props} />
          <Steps
            run={id}
            slug={slug}
            steps={steps}
            requests={requests}
            readAt={readAt}
            icon={icon}
            onIcon={setIcon}
            mayFork={!isOpen}
          />
          {run.experiment && run.forked_from && <Comparison origin={run.forked_from.run} run={id} />}
          {!run.experiment && run.outcome?.proposals && run.outcome.proposals.length > 0 && (
            <section className="run-proposals" aria-labelledby="proposed">
              <h2 id="proposed">{t(words.proposals)}</h2>
              <ul className="run-list">
                {run.outcome.proposals.map((each) => (
                  <ProposalLine key={each} id={each} />
                ))}
              </ul>
            </section>
          )}
          <p className="meta run-record">
            <code>{id}</code> · <WhyPageLink subject={id}>{t(words.why)}</WhyPageLink>
          </p>
        </div>
        <Suspense fallback={<aside className="run-diagram" />}>
          <PathTaken
            slug={slug}
            version={run.logic_version}
            steps={steps}
            isRunning={isOpen}
            asksAt={requests.find(({ answer }) => !answer)?.request.icon}
            icon={icon}
            onIcon={setIcon}
          />
        </Suspense>
      </div>
    </>
  );
}

/** The input as the title, and a line of facts. */
function Head({ run, request, steps, cost, sub_agents: below }: Read) {
  const t = useT();
  const { language } = usePreferences();
  const { total } = useMemo(() => timelineOf(steps), [steps]);
  const tokens = steps.reduce((sum, step) => sum + (step.tokens?.input ?? 0) + (step.tokens?.output ?? 0), 0);
  const by = request ? { by: request.by, ...(request.cause !== undefined && { cause: request.cause }) } : {};
  return (
    <header className="run-head">
      <AgentFlower slug={run.agent_slug} size={44} />
      <div>
        <h1>{titleOf(request?.input) ?? t(words.title, run.agent_slug)}</h1>
        <Facts>
          <StateTag kind="run" state={run.state} />
          <AgentLink slug={run.agent_slug} className="plain-link">
            {run.agent_slug} {run.logic_version}
          </AgentLink>
          <span title={request?.cause}>{startedBy({ trigger: run.trigger, ...by }, t)}</span>
          <span>{t(words.active, duration(total, language))}</span>
          {tokens > 0 && (
            <span>
              {t(words.tokens, number(tokens, language))}
              {cost && `, ${money(cost.amount, cost.currency, language)}`}
            </span>
          )}
          {run.waits_until !== undefined && <span>{t(words.waits)}</span>}
          {run.experiment && <span>{t(words.experiment)}</span>}
          {run.forked_from && (
            <span>
              <RunLink run={run.forked_from.run}>{t(words.forkOf, run.forked_from.step)}</RunLink>
            </span>
          )}
          {run.moved_from && <RunLink run={run.moved_from.run}>{t(words.movedFrom, run.moved_from.step)}</RunLink>}
          {run.asked_by && <RunLink run={run.asked_by.run}>{t(words.askedBy, run.asked_by.agent)}</RunLink>}
          {below.map((each) => (
            <RunLink key={each.run_id} run={each.run_id}>
              {t(words.subAgent, each.agent_slug, t(runStateLabels[each.state]!))}
            </RunLink>
          ))}
          {run.drift !== undefined && <DriftTag run={run} />}
        </Facts>
        <p className={`run-verdict is-${run.state}`} aria-live="polite">
          <RunOutcome run={run} />
        </p>
      </div>
    </header>
  );
}

/** Facts in a line, separated by dots. */
const Facts = ({ children }: { readonly children: ReactNode }) => <div className="run-facts">{children}</div>;

/** The first text of the input, if it has one. */
function titleOf(input: unknown): string | undefined {
  if (typeof input !== "object" || input === null) return undefined;
  const text = Object.values(input).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof text === "string" ? text.split("\n", 1)[0]!.slice(0, 160) : undefined;
}

function ProposalLine({ id }: { readonly id: string }) {
  const read = useQuery(query("GET /proposals/:id", { params: { id } })).data?.proposal;
  return (
    <li className="row">
      {read && <StateTag kind="proposal" state={read.status} />}
      <ProposalLink id={id}>{read?.summary ?? id}</ProposalLink>
    </li>
  );
}

const words = {
  runs: { en: "Runs", uk: "Запуски" },
  title: { en: "Run of {}", uk: "Запуск {}" },
  active: { en: "{} active", uk: "{} роботи" },
  tokens: { en: "{} [token|tokens]", uk: "{} [токен|токени|токенів]" },
  waits: { en: "waits for the rate limit", uk: "чекає через обмеження частоти" },
  experiment: { en: "experiment", uk: "експеримент" },
  forkOf: { en: "fork at step {}", uk: "відгалуження з кроку {}" },
  askedBy: { en: "sub-agent of {}", uk: "субагент для {}" },
  subAgent: { en: "↳ {}: {}", uk: "↳ {}: {}" },
  movedFrom: { en: "moved, with steps up to {}", uk: "перенесено, з кроками до {}" },
  proposals: { en: "Proposed", uk: "Запропоновано" },
  why: { en: "why?", uk: "чому?" },
} as const satisfies Record<string, Text>;
