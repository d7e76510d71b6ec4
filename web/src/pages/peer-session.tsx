import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { Activity, Fence } from "lucide-react";
import { Fragment } from "react";
import type { AnswerOf } from "../api/client.ts";
import { query } from "../api/queries.ts";
import { ProposalLink, SessionLink } from "../components/links.tsx";
import { QueryResult } from "../components/query-result.tsx";
import { StateTag } from "../components/tags.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { span } from "../i18n/day.ts";
import { dateTime } from "../i18n/format.ts";
import { type Text, usePreferences, useT } from "../i18n/use-t.ts";
import { MergeHere } from "./peer-session/merge-here.tsx";
import { CommitList } from "./session/commit-list.tsx";
import { CommitPane, PEER_VIEWS } from "./session/commit-pane.tsx";
import { ReviewList, ReviewSession } from "./session/reviews.tsx";
import { useCommitChoice } from "./session/use-commit-choice.ts";
import { WholeGoal } from "./session/whole-goal.tsx";
import { KindLegend } from "./sessions/commit-kind.tsx";
import { StartSession } from "./sessions/start-session.tsx";
import "../style/run.css";
import "../style/sessions.css";

type Read = AnswerOf<"GET /federation/gardens/:name/sessions/:session">;

/** S-10: a session of another garden as its accepted announcement has it: read-only, with what the owner here can do with it. */
export function PeerSessionPage() {
  const { garden, session } = useParams({ from: "/other-gardens/$garden/$session" });
  const read = useQuery(
    query("GET /federation/gardens/:name/sessions/:session", { params: { name: garden, session } }),
  );
  return <QueryResult of={read}>{(found) => <Page key={found.name} {...found} />}</QueryResult>;
}

function Page(shown: Read) {
  const { name, commits, state, proposal, head, origin } = shown;
  const t = useT();
  const navigate = useNavigate();
  const { chosen, view, choose } = useCommitChoice({
    choices: commits.map((each) => each.commit),
    usual: commits[0]?.commit,
    views: PEER_VIEWS,
    onChange: (search) =>
      void navigate({
        to: "/other-gardens/$garden/$session",
        params: { garden: origin.peer, session: origin.session },
        search,
        replace: true,
      }),
  });
  const commit = commits.find((each) => each.commit === chosen);
  return (
    <>
      <TopBar
        icon={Activity}
        crumbs={[
          { name: t(words.sessions), to: "/sessions" },
          { name: t(words.otherGardens), to: "/other-gardens" },
        ]}
        title={name}
      >
        <ReviewSession name={name} />
        <StartSession from={name} />
        {proposal !== undefined ? (
          <ProposalLink id={proposal} className="button primary small">
            {t(words.review)}
          </ProposalLink>
        ) : (
          state === "open" && head.kind !== "spawn" && <MergeHere name={name} head={head.commit} />
        )}
      </TopBar>
      <div className="bleed session-page">
        <Head {...shown} />
        <div className="session-work">
          <CommitList session={shown} chosen={chosen} onChoose={(now) => choose({ commit: now })} />
          {commit && (
            <CommitPane
              key={commit.commit}
              name={name}
              commit={commit}
              view={view}
              onView={(now) => choose({ view: now })}
            />
          )}
        </div>
      </div>
    </>
  );
}

/** The goal as the title, and where the session came from. */
function Head({ goal, commits, state, parent, subAgents, origin, reviews }: Read) {
  const t = useT();
  const { language } = usePreferences();
  const [last, first] = [commits[0], commits.at(-1)];
  return (
    <header className="run-head session-head">
      <Fence size={36} strokeWidth={1.5} aria-hidden="true" />
      <div className="grow">
        <h1 lang="">{goal?.split("\n", 1)[0] ?? origin.session}</h1>
        <div className="run-facts">
          <StateTag kind="session" state={state} />
          <span>
            {t(words.ofGarden)} <Link to="/other-gardens">{origin.peer}</Link>
          </span>
          <span>
            {t(words.announcement, origin.seq)} <code>{origin.announcement.slice(0, 10)}</code>
          </span>
          {parent !== null && (
            <span>
              {t(words.subAgentOf)} <SessionLink name={parent}>{parent}</SessionLink>
            </span>
          )}
          {first && <span>{t(words.began, dateTime(first.at, language))}</span>}
          {first && last && (
            <span>{t(words.size, span(Date.parse(last.at) - Date.parse(first.at), language), commits.length)}</span>
          )}
          {subAgents.length > 0 && (
            <span>
              {t(words.goesOn)}{" "}
              {subAgents.map((each, index) => (
                <Fragment key={each}>
                  {index > 0 && ", "}
                  <SessionLink name={each}>{each}</SessionLink>
                </Fragment>
              ))}
            </span>
          )}
        </div>
        <p className="meta">{t(words.readOnly)}</p>
        <WholeGoal goal={goal} />
        <ReviewList reviews={reviews} />
      </div>
      <KindLegend />
    </header>
  );
}

const words = {
  sessions: { en: "Sessions", uk: "Сесії" },
  otherGardens: { en: "Other gardens", uk: "Інші сади" },
  review: { en: "Review the merge", uk: "Переглянути злиття" },
  ofGarden: { en: "from the garden", uk: "із саду" },
  announcement: { en: "announcement {}", uk: "оголошення {}" },
  subAgentOf: { en: "sub-agent of", uk: "підагент" },
  began: { en: "began {}", uk: "почалася {}" },
  size: { en: "{}, {} [commit|commits]", uk: "{}, {} [коміт|коміти|комітів]" },
  goesOn: { en: "goes on here in", uk: "триває тут у" },
  readOnly: {
    en: "Read-only: its words and files are another garden’s. Nothing of it is part of this garden until you merge it.",
    uk: "Лише для читання: її слова й файли належать іншому саду. Нічого з неї немає в цьому саду, доки ви її не зіллєте.",
  },
} as const satisfies Record<string, Text>;
