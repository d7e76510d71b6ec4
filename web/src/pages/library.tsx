import { useQuery } from "@tanstack/react-query";
import { Link, useSearch } from "@tanstack/react-router";
import { Flower2, Library, Megaphone, Rss } from "lucide-react";
import { useState } from "react";
import type { BehaviourSuggestion, LibraryRow } from "../api/endpoints.gen.ts";
import { query } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { Button } from "../components/form.tsx";
import { Empty, QueryResult } from "../components/query-result.tsx";
import { Segments } from "../components/segments.tsx";
import { TopBar } from "../components/top-bar.tsx";
import { type Text, useT } from "../i18n/use-t.ts";
import { AgentTabs } from "./agents/agent-tabs.tsx";
import { BehaviourDetail } from "./library/behaviour-detail.tsx";
import { TakeBehaviourFile } from "./library/behaviour-file.tsx";
import { BehaviourRow } from "./library/behaviour-row.tsx";
import { PublishBehaviour } from "./library/publish-behaviour.tsx";
import { SuggestionList, suggestionsQuery } from "./library/suggestion-list.tsx";
import "../style/agents.css";
import "../style/agent-health.css";
import "../style/library.css";

const shares = ["all", "ours", "followed"] as const;
type Share = (typeof shares)[number];
const isOurs = ({ source }: LibraryRow): boolean => source === "own" || source === "kept";

/** S-9b: behaviours of this garden and of those that it follows, with their figures and their evidence. */
export function LibraryPage() {
  const t = useT();
  const read = useQuery(query("GET /library", {}));
  const [isPublishing, setIsPublishing] = useState(false);
  const { id, agent } = useSearch({ strict: false }) as { id?: string; agent?: string };
  return (
    <>
      <TopBar icon={Flower2} crumbs={[{ name: t(words.agents), to: "/agents" }]} title={t(words.title)}>
        <Button tone="small ghost" onClick={() => setIsPublishing(true)}>
          <Megaphone size={14} aria-hidden="true" />
          {t(words.publish)}
        </Button>
        <TakeBehaviourFile />
        <Link to="/other-gardens" className="button small">
          <Rss size={14} aria-hidden="true" />
          {t(words.follow)}
        </Link>
      </TopBar>
      <AgentTabs chosen="library" />
      <QueryResult of={read}>
        {({ behaviours }) =>
          behaviours.length === 0 ? <EmptyLibrary /> : <Behaviours rows={behaviours} id={id} agent={agent} />
        }
      </QueryResult>
      {isPublishing && <PublishBehaviour onClose={() => setIsPublishing(false)} />}
    </>
  );
}

function Behaviours(props: {
  readonly rows: readonly LibraryRow[];
  readonly id: string | undefined;
  readonly agent: string | undefined;
}) {
  const { rows, id, agent } = props;
  const t = useT();
  const [share, setShare] = useState<Share>("all");
  const [ours, theirs] = [rows.filter(isOurs), rows.filter((row) => !isOurs(row))];
  const counts = { all: rows.length, ours: ours.length, followed: theirs.length };
  const [suggested] = useQuery(suggestionsQuery()).data?.open ?? [];
  const chosen =
    rows.find((row) => row.id === id) ?? rows.find((row) => row.id === suggested?.entry) ?? theirs[0] ?? ours[0];
  const groups = [
    { name: words.theirs, rows: share === "ours" ? [] : theirs },
    { name: words.ours, rows: share === "followed" ? [] : ours },
  ];
  return (
    <div className={`library ${id === undefined ? "" : "one-chosen"}`}>
      <div className="library-list">
        <h1 className="hidden-visually">{t(words.title)}</h1>
        <div className="library-bar">
          <Segments
            label={t(words.show)}
            value={share}
            options={shares.map((value) => ({ value, name: `${t(words[`${value}Share`])} ${counts[value]}` }))}
            onChoose={setShare}
          />
          <span className="meta wide-only">{t(words.legend)}</span>
        </div>
        <SuggestionList />
        {groups
          .filter((group) => group.rows.length > 0)
          .map((group) => (
            <section key={group.name.en} aria-label={t(group.name)}>
              <h2>{t(group.name)}</h2>
              <ul className="plain-list">
                {group.rows.map((row) => (
                  <BehaviourRow key={row.id} row={row} isChosen={row === chosen} />
                ))}
              </ul>
            </section>
          ))}
        {counts[share] === 0 && <Empty>{t(share === "ours" ? words.noneOurs : words.noneTheirs)}</Empty>}
      </div>
      {chosen && (
        <aside className="library-detail" aria-label={t(words.evidence)}>
          <BehaviourDetail id={chosen.id} agent={agent ?? agentFor(chosen, suggested)} />
        </aside>
      )}
    </div>
  );
}

/** The agent to compare with: the one that it is suggested for, or that follows it. */
const agentFor = (row: LibraryRow, suggested: BehaviourSuggestion | undefined): string | undefined =>
  suggested?.entry === row.id ? suggested.agent : row.agents[0]?.agent;

function EmptyLibrary() {
  const t = useT();
  return (
    <div className="page">
      <h1 className="hidden-visually">{t(words.title)}</h1>
      <EmptyState
        picture={<Library size={40} strokeWidth={1.5} aria-hidden="true" />}
        title={t(words.none)}
        action={
          <Link to="/other-gardens" className="button primary">
            {t(words.follow)}
          </Link>
        }
      >
        {t(words.noneAbout)}
      </EmptyState>
    </div>
  );
}

const words = {
  agents: { en: "Agents", uk: "Агенти" },
  title: { en: "Library", uk: "Бібліотека" },
  follow: { en: "Follow a garden…", uk: "Стежити за садом…" },
  publish: { en: "Publish one of ours…", uk: "Оприлюднити нашу…" },
  show: { en: "Which behaviours", uk: "Які поведінки" },
  allShare: { en: "All", uk: "Усі" },
  oursShare: { en: "Ours", uk: "Наші" },
  followedShare: { en: "Followed", uk: "Чужі" },
  legend: {
    en: "Good runs, 95% interval · hollow = replayed on our runs",
    uk: "Добрі запуски, 95% інтервал · порожній кружок = відтворено на наших запусках",
  },
  theirs: { en: "From gardens you follow", uk: "Із садів, за якими ви стежите" },
  ours: { en: "Ours", uk: "Наші" },
  evidence: { en: "Evidence", uk: "Докази" },
  noneOurs: {
    en: "None of our behaviours has a name yet.",
    uk: "Жодна наша поведінка ще не має назви.",
  },
  noneTheirs: {
    en: "The gardens that you follow have published no behaviour.",
    uk: "Сади, за якими ви стежите, ще не оприлюднили жодної поведінки.",
  },
  none: { en: "No behaviours yet", uk: "Поведінок ще немає" },
  noneAbout: {
    en: "A behaviour is the logic that an agent follows. It travels with its figures and its evidence, which are replayed here before anything is adopted.",
    uk: "Поведінка — це логіка, за якою діє агент. Вона подорожує зі своїми числами й доказами; їх відтворюють тут, перш ніж щось прийняти.",
  },
} as const satisfies Record<string, Text>;
