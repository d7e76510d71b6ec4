import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { ProposalCard, Review, Proposal as Whole } from "../api/endpoints.gen.ts";
import { reading } from "../api/queries.ts";
import { useKeys } from "../parts/keys.ts";
import { NotDone } from "../parts/not-done.tsx";
import { Loading, Shown } from "../parts/state.tsx";
import { StateTag } from "../parts/tags.tsx";
import type { ListPage } from "../parts/use-long-list.ts";
import { actionWords } from "../parts/words.ts";
import { type Text, useSay } from "../words/say.ts";
import { Decide } from "./proposal/decide.tsx";
import { Decided, Retry } from "./proposal/decided.tsx";
import { Effect } from "./proposal/effect.tsx";
import { Citations, Facts } from "./proposal/facts.tsx";
import type { Report } from "./proposal/report-shape.ts";
import { Unsent } from "./proposal/unsent.tsx";
import { useDecision } from "./proposal/use-decision.ts";
import "../style/proposals.css";

/** Drawing and comparing diagrams is fetched for those who need it. */
const LogicReview = lazy(() => import("./proposal/logic-review.tsx").then((part) => ({ default: part.LogicReview })));

/** One proposal: what it would do, made from the operation itself; then a decision on exactly that. */
export function Proposal() {
  const { id } = useParams({ from: "/proposals/$id" });
  const proposal = useQuery(reading("GET /proposals/:id", { params: { id } }));
  return <Shown of={proposal}>{(read) => <Page key={id} {...read} readAt={proposal.dataUpdatedAt} />}</Shown>;
}

interface Read {
  readonly proposal: Whole;
  readonly review?: Review;
  readonly report?: Report;
}

function Page({ proposal, review, report, readAt }: Read & { readonly readAt: number }) {
  const say = useSay();
  const [split, setSplit] = useState(() => matchMedia("(width >= 80rem)").matches);
  const { next, previous } = useNeighbours(proposal.id);
  const changesLogic = proposal.action === "logic-update" || proposal.action === "logic-rollback";
  const navigate = useNavigate();
  const go = (id: string | undefined) =>
    id === undefined ? undefined : () => void navigate({ to: "/proposals/$id", params: { id } });
  const decision = useDecision(proposal, readAt, go(next));
  useKeys({ j: go(next), k: go(previous), s: () => setSplit(!split) });
  return (
    <article className="stack">
      <div className="row between">
        <div className="row">
          <StateTag kind="proposal" state={proposal.status} />
          <span className="tag">{say(actionWords[proposal.action]!)}</span>
          {proposal.priority === "high" && <span className="tag bad">{say(words.high)}</span>}
          {proposal.forked_from !== undefined && <span className="tag info">{say(words.fork)}</span>}
        </div>
        <nav className="row" aria-label={say(words.neighbours)}>
          {previous !== undefined && (
            <Link className="button quiet" to="/proposals/$id" params={{ id: previous }}>
              ← <kbd>k</kbd>
            </Link>
          )}
          {next !== undefined && (
            <Link className="button quiet" to="/proposals/$id" params={{ id: next }}>
              {say(words.next)} <kbd>j</kbd> →
            </Link>
          )}
        </nav>
      </div>
      <h1>{proposal.summary}</h1>
      <Facts proposal={proposal} />
      {proposal.reasoning !== undefined && (
        <section className="stack tight">
          <h2>{say(words.reasoning)}</h2>
          <p className="said break">{proposal.reasoning}</p>
          <p className="quiet small">{say(words.proposersWords)}</p>
        </section>
      )}
      <Citations proposal={proposal} />
      {changesLogic && (
        <Suspense fallback={<Loading />}>
          <LogicReview proposal={proposal} {...(report && { report })} />
        </Suspense>
      )}
      {review && (
        <section className="stack tight" aria-labelledby="would">
          <div className="row between">
            <h2 id="would">{say(proposal.status === "applied" ? words.did : words.would)}</h2>
            {review.files.some(({ patch }) => patch !== "") && (
              <button type="button" className="button quiet" aria-pressed={split} onClick={() => setSplit(!split)}>
                {say(split ? words.oneColumn : words.twoColumns)} <kbd>s</kbd>
              </button>
            )}
          </div>
          <Effect review={review} split={split} folded={changesLogic} />
        </section>
      )}
      {decision.hasCounted && (
        <p className="card" role="status">
          <strong>{say(words.counted)}</strong>
        </p>
      )}
      {decision.isLate && <Late error={decision.error!} />}
      {proposal.approval && decision.error && !decision.isLate && !decision.hasCounted && (
        <NotDone error={decision.error} fate={decision.fate} />
      )}
      {proposal.approval && <Decided proposal={proposal} />}
      {(decision.isLate || (proposal.approval && !decision.isPending && !decision.error)) && (
        <Unsent proposal={proposal} />
      )}
      {review && proposal.status === "pending" && (
        <Decide
          proposal={proposal}
          review={review}
          decision={decision}
          {...(changesLogic && !report && { cannot: words.noReport })}
        />
      )}
      {proposal.status === "failed" && <Retry proposal={proposal} />}
    </article>
  );
}

/** Somebody was first. */
function Late({ error }: { readonly error: Error }) {
  const say = useSay();
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{say(words.late)}</strong>
      </p>
      {error.message !== "" && <p className="quiet">{error.message}</p>}
    </div>
  );
}

/** The proposals before and behind this one among those that wait, of which there may be thousands. Behind the last comes the first. */
function useNeighbours(id: string): { readonly next: string | undefined; readonly previous: string | undefined } {
  const behind = useQuery(reading("GET /proposals/pending", { query: { after: id, limit: "1" } })).data?.proposals[0];
  const first = useQuery(reading("GET /proposals/pending", { query: { limit: "100" } })).data?.proposals ?? [];
  const client = useQueryClient();
  const pages = client.getQueriesData<ListPage<ProposalCard>>({ queryKey: ["GET /proposals/pending", "page"] });
  const read = [...first, ...pages.flatMap(([, page]) => page?.items ?? [])];
  const previous = read.reduce<string | undefined>(
    (last, card) => (card.id < id && (last === undefined || card.id > last) ? card.id : last),
    undefined,
  );
  return { next: behind?.id ?? first.find((card) => card.id !== id)?.id, previous };
}

const words = {
  noReport: {
    en: "Approval needs the report of what recorded runs would have done.",
    uk: "Для схвалення потрібен звіт, як повелися б записані запуски.",
  },
  counted: {
    en: "The answer was lost on the way, but your decision counted. Here is what was decided.",
    uk: "Відповідь загубилася дорогою, але ваше рішення враховано. Ось що вирішено.",
  },
  late: {
    en: "Your decision did not count: this was decided before it came.",
    uk: "Ваше рішення не враховано: це вирішили раніше, ніж воно надійшло.",
  },
  high: { en: "high priority", uk: "високий пріоритет" },
  fork: { en: "from a fork", uk: "з відгалуження" },
  neighbours: { en: "Other proposals", uk: "Інші пропозиції" },
  next: { en: "Next", uk: "Наступна" },
  reasoning: { en: "Why, in the proposer's words", uk: "Чому, словами автора" },
  proposersWords: {
    en: "These words are the proposer's. What would happen stands below, made from the change itself.",
    uk: "Це слова автора. Що станеться насправді — нижче, зроблено із самої зміни.",
  },
  would: { en: "What would change", uk: "Що зміниться" },
  did: { en: "What changed", uk: "Що змінилося" },
  oneColumn: { en: "One column", uk: "Одна колонка" },
  twoColumns: { en: "Side by side", uk: "Поруч" },
} as const satisfies Record<string, Text>;
