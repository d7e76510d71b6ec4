import { ChevronRight, ChevronUp, NotebookText, PanelRight } from "lucide-react";
import type { Review, Proposal as Whole } from "../../api/endpoints.gen.ts";
import { AgentFlower } from "../../components/agent-flower.tsx";
import { FLOWER_PX } from "../../components/flower.tsx";
import { actorName } from "../../components/labels.ts";
import { AgentLink, NotePageLink } from "../../components/links.tsx";
import { Segments } from "../../components/segments.tsx";
import { StateTag, When } from "../../components/tags.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { KindIcon } from "../proposals/kind-icon.tsx";
import { noteName, titleOf } from "../proposals/title.ts";
import type { ChangeView } from "./change-views.ts";
import type { ChangePlace } from "./neighbours.ts";
import { RiskBars, riskOf, riskWords } from "./risk.tsx";

/** The head of a change: where it is, its title, who proposes it and since when, how much it changes, and how to look at it. */
export function ChangeHead(props: {
  readonly proposal: Whole;
  readonly review: Review | undefined;
  readonly place: ChangePlace | undefined;
  readonly isPage: boolean;
  /** The ways in which the change can be looked at. */
  readonly views: readonly ChangeView[];
  readonly view: ChangeView;
  readonly onView: (view: ChangeView) => void;
  readonly isContextOpen: boolean;
  readonly onContext: () => void;
}) {
  const { proposal, review, place, isPage, views, view, onView, isContextOpen, onContext } = props;
  const t = useT();
  const Title = isPage ? "h1" : "h2";
  const { source, agent } = proposal;
  return (
    <header className="change-head">
      <div className="crumbs">
        <Where proposal={proposal} />
        <span className="grow" />
        {views.length > 0 && (
          <Segments
            label={t(words.view)}
            value={view}
            options={views.map((each) => ({ value: each, name: t(words[each]) }))}
            onChoose={onView}
          />
        )}
        {views.length > 0 && <kbd aria-hidden="true">s</kbd>}
        <button
          type="button"
          className="button icon small ghost context-toggle"
          aria-expanded={isContextOpen}
          aria-label={t(words.context)}
          title={`${t(words.context)} (i)`}
          onClick={onContext}
        >
          <PanelRight size={16} aria-hidden="true" />
        </button>
      </div>
      <Title id="change-title">{titleOf(proposal, t)}</Title>
      <p className="change-meta">
        {agent ? (
          <AgentLink slug={agent.slug} className="by">
            <AgentFlower slug={agent.slug} size={FLOWER_PX.line} /> {agent.slug}
          </AgentLink>
        ) : (
          <strong className="by">{actorName(source.identity, t)}</strong>
        )}
        <When at={proposal.created_at} />
        {proposal.status === "pending" ? (
          <span>
            {t(words.expires)} <When at={proposal.expires_at} />
          </span>
        ) : (
          <StateTag kind="proposal" state={proposal.status} />
        )}
        {proposal.priority === "high" && <span className="marked-high">{t(words.high)}</span>}
        {proposal.forked_from !== undefined && <span>{t(words.fork)}</span>}
        {review && <Counts review={review} />}
        {place && (
          <span className="phone-place">{t(words.place, place.at, place.isWhole ? place.of : `${place.of}+`)}</span>
        )}
      </p>
      {review && <ContextLine proposal={proposal} review={review} isOpen={isContextOpen} onOpen={onContext} />}
    </header>
  );
}

/** Where the change would be made: folder and note, or the agent whose memory or logic it is. */
function Where({ proposal: { action, target } }: { readonly proposal: Whole }) {
  const isNote = target.endsWith(".md") && !/^(?:memory|logic|agents)\//.test(target);
  const folders = target.split("/").slice(0, -1);
  return (
    <>
      {isNote ? <NotebookText size={15} aria-hidden="true" /> : <KindIcon action={action} size={15} />}
      {folders.slice(isNote && folders.length > 1 ? 1 : 0).map((folder) => (
        <span key={folder} className="crumb">
          {folder} <ChevronRight size={13} aria-hidden="true" />
        </span>
      ))}
      {isNote ? (
        <NotePageLink path={target} className="crumb last">
          {noteName(target)}
        </NotePageLink>
      ) : (
        <span className="crumb last">{noteName(target)}</span>
      )}
    </>
  );
}

/** `+2 −2`: added and removed lines. */
function Counts({ review }: { readonly review: Review }) {
  const t = useT();
  const { added, removed } = changedLineCounts(review);
  if (added + removed === 0) return null;
  return (
    <span className="counts">
      <span className="added" title={t(words.added, added)}>
        +{added}
      </span>{" "}
      <span className="removed" title={t(words.removed, removed)}>
        −{removed}
      </span>
    </span>
  );
}

/** The number of added and removed lines of a review. */
export function changedLineCounts({ files }: Pick<Review, "files">): {
  readonly added: number;
  readonly removed: number;
} {
  const lines = files.flatMap(({ patch }) => patch.split("\n"));
  return {
    added: lines.filter((line) => /^\+(?!\+\+ )/.test(line)).length,
    removed: lines.filter((line) => /^-(?!-- )/.test(line)).length,
  };
}

/** On a phone: the risk, the sources and the checks in one line, which opens the context. */
function ContextLine(props: {
  readonly proposal: Whole;
  readonly review: Review;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
}) {
  const { proposal, review, isOpen, onOpen } = props;
  const t = useT();
  const risk = riskOf(proposal, review, undefined);
  return (
    <button type="button" className="context-line" aria-expanded={isOpen} onClick={onOpen}>
      <RiskBars level={risk.level} />
      <span className="grow">
        {t(riskWords[risk.level])} · {t(words.sources, proposal.content.citations.length)}
      </span>
      {t(words.why)} <ChevronUp size={16} aria-hidden="true" className={isOpen ? "turned" : ""} />
    </button>
  );
}

const words = {
  place: { en: "{} of {}", uk: "{} з {}" },
  view: { en: "View", uk: "Вигляд" },
  words: { en: "Words", uk: "Слова" },
  split: { en: "Side by side", uk: "Поруч" },
  rendered: { en: "As rendered", uk: "Як читається" },
  diagram: { en: "Diagram", uk: "Діаграма" },
  pseudocode: { en: "Pseudocode", uk: "Псевдокод" },
  files: { en: "Files", uk: "Файли" },
  context: { en: "Context", uk: "Контекст" },
  expires: { en: "expires", uk: "спливає" },
  high: { en: "high priority", uk: "високий пріоритет" },
  fork: { en: "from a fork", uk: "з відгалуження" },
  added: { en: "{} [line|lines] added", uk: "додано {} [рядок|рядки|рядків]" },
  removed: { en: "{} [line|lines] removed", uk: "вилучено {} [рядок|рядки|рядків]" },

  sources: { en: "{} [source|sources]", uk: "{} [джерело|джерела|джерел]" },
  why: { en: "Why", uk: "Чому" },
} as const satisfies Record<string, Text>;
