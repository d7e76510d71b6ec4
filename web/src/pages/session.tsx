import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { Activity, GitBranch } from "lucide-react";
import { Fragment, useMemo } from "react";
import type { AnswerOf } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { AgentFlower } from "../components/agent-flower.tsx";
import { RunLink, SessionLink } from "../components/links.tsx";
import { QueryResult } from "../components/query-result.tsx";
import { StateTag } from "../components/tags.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { span } from "../i18n/day.ts";
import { dateTime } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { RequestForm } from "./run/request-form.tsx";
import { SessionActions } from "./session/actions.tsx";
import { CommitList, NOT_COMMITTED } from "./session/commit-list.tsx";
import { CommitPane, OWN_VIEWS, PendingPane } from "./session/commit-pane.tsx";
import { ReviewList } from "./session/reviews.tsx";
import { useCommitChoice } from "./session/use-commit-choice.ts";
import { WholeGoal } from "./session/whole-goal.tsx";
import { BranchGraph } from "./sessions/branch-graph.tsx";
import { KindLegend } from "./sessions/commit-kind.tsx";
import { laneRows, proposedIn, sessionFamily } from "./sessions/family.ts";
import "../style/run.css";
import "../style/sessions.css";

type Read = AnswerOf<"GET /sessions/:name">;

/** Polling interval: other processes commit too, and no event says so. */
const POLL_MS = 3000;

/** One session: its branch among the others over time, its commits, and of the chosen one the trace and the files. */
export function SessionPage() {
  const { name } = useParams({ from: "/sessions/$name" });
  const read = useQuery({ ...query("GET /sessions/:name", { params: { name } }), refetchInterval: POLL_MS });
  return <QueryResult of={read}>{(found) => <Page key={name} {...found} />}</QueryResult>;
}

function Page(session: Read) {
  const { name, commits, pendingEntries, run } = session;
  const t = useT();
  const navigate = useNavigate();
  const choices = [...(pendingEntries > 0 ? [NOT_COMMITTED] : []), ...commits.map((each) => each.commit)];
  const { chosen, view, choose } = useCommitChoice({
    choices,
    usual: commits[0]?.commit ?? choices[0],
    views: OWN_VIEWS,
    onChange: (search) => void navigate({ to: "/sessions/$name", params: { name }, search, replace: true }),
  });
  return (
    <>
      <TopBar
        icon={Activity}
        crumbs={[
          { name: t(words.runs), to: "/runs" },
          { name: t(words.sessions), to: "/sessions" },
        ]}
        title={name}
      >
        <SessionActions session={session} />
      </TopBar>
      <div className="bleed session-page">
        <Head {...session} />
        {run !== undefined && <Questions name={name} />}
        <Family name={name} chosen={chosen} />
        <div className="session-work">
          <CommitList session={session} chosen={chosen} onChoose={(now) => choose({ commit: now })} />
          {chosen === NOT_COMMITTED ? (
            <PendingPane name={name} />
          ) : (
            chosen !== undefined && (
              <CommitPane
                key={chosen}
                name={name}
                commit={commits.find((each) => each.commit === chosen)!}
                view={view}
                onView={(now) => choose({ view: now })}
              />
            )
          )}
        </div>
      </div>
    </>
  );
}

/** The goal as the title, and a line of facts. */
function Head({ name, goal, parent, subAgents, commits, isMoved, run, reviews }: Read) {
  const t = useT();
  const { language } = usePreferences();
  const list = useQuery(query("GET /sessions", {})).data;
  const state = list?.sessions.find((each) => each.name === name)?.state;
  const ofRun = useQuery({
    ...query("GET /runs/:run", { params: { run: run ?? "" } }),
    enabled: run !== undefined,
    retry: false,
  }).data?.run;
  const [last, first] = [commits[0], commits.at(-1)];
  return (
    <header className="run-head session-head">
      {ofRun ? (
        <AgentFlower slug={ofRun.agent_slug} size={44} />
      ) : (
        <GitBranch size={36} strokeWidth={1.5} aria-hidden="true" />
      )}
      <div className="grow">
        <h1 lang="">{goal?.split("\n", 1)[0] ?? name}</h1>
        <div className="run-facts">
          {state !== undefined && <StateTag kind="session" state={state} />}
          {parent !== null && (
            <span>
              {t(words.subAgentOf)} <SessionLink name={parent}>{parent}</SessionLink>
            </span>
          )}
          {first && <span>{t(words.began, dateTime(first.at, language))}</span>}
          {first && last && (
            <span>{t(words.size, span(Date.parse(last.at) - Date.parse(first.at), language), commits.length)}</span>
          )}
          {run !== undefined && (
            <span>
              <RunLink run={run}>{t(words.run)}</RunLink>
            </span>
          )}
          {subAgents.length > 0 && (
            <span>
              {t(words.subAgents, subAgents.length)}{" "}
              {subAgents.map((each, index) => (
                <Fragment key={each}>
                  {index > 0 && ", "}
                  <SessionLink name={each}>{each}</SessionLink>
                </Fragment>
              ))}
            </span>
          )}
        </div>
        <WholeGoal goal={goal} />
        <ReviewList reviews={reviews} />
        {isMoved && <p className="warning">{t(words.moved)}</p>}
      </div>
      <KindLegend />
    </header>
  );
}

/** O-6: what the run of this session asks, with the form of the answer. */
function Questions({ name }: { readonly name: string }) {
  const read = useQuery({ ...query("GET /session-requests", {}), refetchInterval: POLL_MS });
  const asked = read.data?.requests.filter(({ session }) => session === name) ?? [];
  if (asked.length === 0) return null;
  return (
    <div className="session-questions stack">
      {asked.map(({ request }, index) => (
        <div key={request.id} className="card raised">
          <RequestForm
            request={request}
            answer={undefined}
            readAt={read.dataUpdatedAt}
            hasKeys={index === 0}
            isElsewhere
            session={name}
          />
        </div>
      ))}
    </div>
  );
}

/** The branches of the session's relatives. */
function Family({ name, chosen }: { readonly name: string; readonly chosen: string | undefined }) {
  const t = useT();
  const { data } = useQuery(query("GET /sessions", {}));
  const edges = data?.edges;
  const key = useMemo(() => (edges ? sessionFamily(name, edges).slice(0, MOST_LANES).join(",") : name), [name, edges]);
  const rows = useMemo(() => laneRows(key.split(","), edges ?? []), [key, edges]);
  const proposed = useMemo(() => proposedIn(data?.sessions ?? []), [data]);
  const graph = useQuery({
    ...query("GET /session-graph", { query: { names: key } }),
    refetchInterval: POLL_MS,
    placeholderData: (before) => before,
  }).data;
  if (!graph) return <div className="branches" style={{ minHeight: 28 + rows.length * 62 }} />;
  const counts = new Map(graph.lanes.map((lane) => [lane.name, lane.commits.length + lane.left_out]));
  return (
    <BranchGraph
      graph={graph}
      rows={rows}
      here={name}
      chosen={chosen}
      proposed={proposed}
      about={({ name: of, tone }) =>
        tone === "main"
          ? t(words.yours)
          : `${t(of === name ? words.this : tone === "sub" ? words.subAgent : words.session)} · ${t(words.commits, counts.get(of) ?? 0)}`
      }
    />
  );
}

/** Branches in the picture of one session. */
const MOST_LANES = 12;

const words = {
  runs: { en: "Runs", uk: "Запуски" },
  sessions: { en: "Sessions", uk: "Сесії" },
  subAgentOf: { en: "sub-agent of", uk: "підагент" },
  subAgents: { en: "[sub-agent|sub-agents]:", uk: "[підагент|підагенти|підагенти]:" },
  began: { en: "began {}", uk: "почалася {}" },
  size: { en: "{}, {} [commit|commits]", uk: "{}, {} [коміт|коміти|комітів]" },
  run: { en: "its run", uk: "її запуск" },
  moved: {
    en: "The branch was moved by hand and no longer contains its first commit. Only typed commits that name this session are shown.",
    uk: "Гілку пересунули вручну, і вона більше не містить першого коміту. Показано лише типізовані коміти, що називають цю сесію.",
  },
  yours: { en: "yours", uk: "ваша" },
  this: { en: "this session", uk: "ця сесія" },
  session: { en: "session", uk: "сесія" },
  subAgent: { en: "sub-agent", uk: "підагент" },
  commits: { en: "{} [commit|commits]", uk: "{} [коміт|коміти|комітів]" },
} as const satisfies Record<string, Text>;
