import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { Activity, Fence, GitBranch } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { query } from "../api/queries.ts";
import { AgentFlower } from "../components/agent-flower.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { Button } from "../components/form.tsx";
import { sessionStateLabels } from "../components/labels.ts";
import { SessionLink } from "../components/links.tsx";
import { QueryResult } from "../components/query-result.tsx";
import { SearchField } from "../components/search-field.tsx";
import { Segments } from "../components/segments.tsx";
import { StateTag, When } from "../components/tags.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { useKeys } from "../components/use-keys.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { RequestForm } from "./run/request-form.tsx";
import { RunTabs } from "./runs/tabs.tsx";
import { ArchivedSessions } from "./sessions/archived-sessions.tsx";
import { BranchGraph } from "./sessions/branch-graph.tsx";
import { KindGlyph, KindLegend, useKindName } from "./sessions/commit-kind.tsx";
import { type ListedSession, laneRows, proposedIn, type SessionEdges } from "./sessions/family.ts";
import { SessionKinds } from "./sessions/session-kinds.tsx";
import { StartSession } from "./sessions/start-session.tsx";
import "../style/runs.css";
import "../style/today.css";
import "../style/page-parts.css";
import "../style/sessions.css";

type StateFilter = "all" | ListedSession["state"];
interface SessionSearch {
  readonly state?: StateFilter;
  readonly text?: string;
}

/** Sessions: questions that hold some of them, their branches over time, and the list, newest first. */
export function SessionsPage() {
  const t = useT();
  const read = useQuery({ ...query("GET /sessions", {}), refetchInterval: POLL_MS });
  return (
    <>
      <TopBar icon={Activity} crumbs={[{ name: t(words.runs), to: "/runs" }]} title={t(words.title)}>
        <Link to="/other-gardens" className="button ghost small">
          <Fence size={14} aria-hidden="true" /> {t(words.otherGardens)}
        </Link>
        <StartSession />
      </TopBar>
      <div className="page runs-page sessions-page">
        <RunTabs chosen="sessions" />
        <h1 className="hidden-visually">{t(words.title)}</h1>
        <QueryResult of={read}>
          {({ sessions, edges }) =>
            sessions.length === 0 ? (
              <EmptyState
                picture={<GitBranch size={40} strokeWidth={1.5} aria-hidden="true" />}
                title={t(words.none)}
                action={<StartSession />}
              >
                {t(words.noneWhy)}
              </EmptyState>
            ) : (
              <Sessions sessions={sessions} edges={edges} />
            )
          }
        </QueryResult>
        <ArchivedSessions />
        <SessionKinds />
      </div>
    </>
  );
}

/** Commits of sessions send no events: other processes make them too. */
const POLL_MS = 5000;
/** Branches in the picture, and rows of the list at first. */
const MOST_LANES = 12;
const MOST_ROWS = 100;

function Sessions({ sessions, edges }: { readonly sessions: readonly ListedSession[]; readonly edges: SessionEdges }) {
  const t = useT();
  const navigate = useNavigate();
  const { state = "all", text = "" } = useSearch({ strict: false }) as SessionSearch;
  const [most, setMost] = useState(MOST_ROWS);
  const field = useRef<HTMLInputElement>(null);
  const newest = useMemo(() => sessions.toSorted((a, b) => b.head.at.localeCompare(a.head.at)), [sessions]);
  const shown = newest.filter(
    (each) =>
      (state === "all" || each.state === state) &&
      `${each.name} ${each.head.message}`.toLocaleLowerCase().includes(text.toLocaleLowerCase()),
  );
  const search = (now: SessionSearch): void =>
    void navigate({
      to: "/sessions",
      search: {
        ...(now.state !== undefined && now.state !== "all" && { state: now.state }),
        ...(now.text !== undefined && now.text !== "" && { text: now.text }),
      },
      replace: true,
    });
  useListKeys(() => field.current?.focus());
  const count = (of: StateFilter): number => newest.filter((each) => of === "all" || each.state === of).length;
  return (
    <>
      <Waiting />
      <div className="session-filters">
        <Segments
          label={t(words.state)}
          value={state}
          options={STATES.map((value) => ({ value, name: `${t(words[value])} ${count(value)}` }))}
          onChoose={(value) => search({ state: value, text })}
        />
        <SearchField
          field={field}
          label={t(words.find)}
          hint={t(words.find)}
          text={text}
          maxLength={200}
          onText={(now) => search({ state, text: now })}
        />
      </div>
      {shown.length === 0 ? (
        <p className="quiet">{t(words.noneLike)}</p>
      ) : (
        <>
          <Graph shown={shown} edges={edges} sessions={sessions} />
          <ul className="rows session-rows" aria-label={t(words.title)}>
            {shown.slice(0, most).map((session) => (
              <SessionRow key={session.name} session={session} edges={edges} />
            ))}
          </ul>
          {shown.length > most && (
            <Button onClick={() => setMost(most * 4)}>{t(words.more, shown.length - most)}</Button>
          )}
        </>
      )}
    </>
  );
}

const STATES = ["all", "waiting", "running", "open", "merged"] as const;

/** O-6: the questions that hold sessions, each with its form. */
function Waiting() {
  const t = useT();
  const read = useQuery({ ...query("GET /session-requests", {}), refetchInterval: POLL_MS });
  const requests = read.data?.requests ?? [];
  if (requests.length === 0) return null;
  return (
    <section aria-labelledby="waiting">
      <h2 id="waiting">{t(words.waits, requests.length)}</h2>
      <div className="stack needs">
        {requests.map(({ session, request }, index) => (
          <div key={request.id} className="card raised question">
            <AgentFlower slug={request.agent_slug} />
            <div className="stack tight">
              <SessionLink name={session} className="meta">
                {session}
              </SessionLink>
              <RequestForm
                request={request}
                answer={undefined}
                readAt={read.dataUpdatedAt}
                hasKeys={index === 0}
                isElsewhere
                session={session}
              />
            </div>
          </div>
        ))}
      </div>
    </section>
  );
}

function Graph(props: {
  readonly shown: readonly ListedSession[];
  readonly sessions: readonly ListedSession[];
  readonly edges: SessionEdges;
}) {
  const { shown, sessions, edges } = props;
  const t = useT();
  const names = shown.slice(0, MOST_LANES).map(({ name }) => name);
  const key = names.join(",");
  const read = useQuery({
    ...query("GET /session-graph", { query: { names: key } }),
    refetchInterval: POLL_MS,
    placeholderData: (before) => before,
  });
  const rows = useMemo(() => laneRows(key.split(","), edges), [key, edges]);
  const proposed = useMemo(() => proposedIn(sessions), [sessions]);
  const states = new Map(sessions.map((each) => [each.name, each.state]));
  const counts = new Map(read.data?.lanes.map((lane) => [lane.name, lane.commits.length + lane.left_out]));
  return (
    <div className="branches-card">
      <div className="branches-head">
        <span className="meta">{shown.length > MOST_LANES ? t(words.newest, MOST_LANES, shown.length) : ""}</span>
        <KindLegend />
      </div>
      <QueryResult of={read}>
        {(graph) => (
          <BranchGraph
            graph={graph}
            rows={rows}
            proposed={proposed}
            about={({ name, tone }) =>
              tone === "main"
                ? t(words.yours)
                : `${t(sessionStateLabels[states.get(name) ?? "open"]!)} · ${t(words.commits, counts.get(name) ?? 0)}`
            }
          />
        )}
      </QueryResult>
    </div>
  );
}

function SessionRow({ session, edges }: { readonly session: ListedSession; readonly edges: SessionEdges }) {
  const t = useT();
  const kindName = useKindName();
  const { name, head, state } = session;
  const parent = edges.find(({ kind, from }) => kind === "sub-agent-of" && from === name)?.to;
  const by = edges.find(({ kind, to }) => kind === "merges" && to === name)?.from;
  const relation =
    state === "merged" && by !== undefined
      ? t(words.mergedInto, by)
      : parent !== undefined
        ? t(words.subAgentOf, parent)
        : undefined;
  return (
    <li>
      <SessionLink name={name} className="list-row">
        <KindGlyph kind={head.kind} />
        <span className="session-title">
          <span className="title cut">{name}</span>
          <span className="meta cut">
            {kindName(head.kind)}: {head.message}
            {relation !== undefined && ` · ${relation}`}
          </span>
        </span>
        <span className="session-end">
          <StateTag kind="session" state={state} />
          <span className="meta">
            <When at={head.at} />
          </span>
        </span>
      </SessionLink>
    </li>
  );
}

/** `j` and `k` move along the rows, `/` goes to the filter. Enter opens the focused row, as a link does. */
function useListKeys(find: () => void): void {
  const move = (step: number): void => {
    const rows = [...document.querySelectorAll<HTMLElement>(".session-rows a")];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    rows[Math.min(rows.length - 1, Math.max(0, at + step))]?.focus();
  };
  useKeys({ j: () => move(1), k: () => move(-1), "/": find });
}

const words = {
  runs: { en: "Runs", uk: "Запуски" },
  title: { en: "Sessions", uk: "Сесії" },
  otherGardens: { en: "Other gardens", uk: "Інші сади" },
  none: { en: "No sessions yet", uk: "Сесій ще немає" },
  noneWhy: {
    en: "A session is an agent at work on a branch of its own: it changes many notes there, and you merge the whole work after one review. It starts when an agent whose contract says “workspace: session” runs, or by hand.",
    uk: "Сесія — це агент за роботою на власній гілці: там він змінює багато нотаток, а ви зливаєте всю роботу після одного перегляду. Вона починається, коли запускається агент, у контракті якого є «workspace: session», або вручну.",
  },
  waits: { en: "{} [session asks|sessions ask] you", uk: "{} [сесія питає|сесії питають|сесій питають] вас" },
  state: { en: "State", uk: "Стан" },
  all: { en: "All", uk: "Усі" },
  waiting: { en: "Needs you", uk: "Чекають на вас" },
  running: { en: "At work", uk: "Працюють" },
  open: { en: "Open", uk: "Відкриті" },
  merged: { en: "Merged", uk: "Злиті" },
  find: { en: "Name or newest commit", uk: "Назва чи останній коміт" },
  noneLike: { en: "No session matches the filter.", uk: "Жодна сесія не відповідає фільтру." },
  newest: { en: "The newest {} of {}", uk: "Найновіші {} із {}" },
  yours: { en: "yours", uk: "ваша" },
  commits: { en: "{} [commit|commits]", uk: "{} [коміт|коміти|комітів]" },
  more: { en: "{} more [session|sessions]", uk: "Ще {} [сесія|сесії|сесій]" },
  mergedInto: { en: "merged into {}", uk: "злита в {}" },
  subAgentOf: { en: "sub-agent of {}", uk: "підагент {}" },
} as const satisfies Record<string, Text>;
