import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { ProposalCard, Review, Proposal as Whole } from "../api/endpoints.gen.ts";
import { query } from "../api/queries.ts";
import { Button } from "../components/form.tsx";
import { actionLabels, actorName } from "../components/labels.ts";
import { ProposalLink } from "../components/links.tsx";
import { MutationError } from "../components/mutation-error.tsx";
import { Loading, QueryResult } from "../components/query-result.tsx";
import { StateTag } from "../components/tags.tsx";
import { useKeys } from "../components/use-keys.ts";
import type { ListPage } from "../components/use-long-list.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { DecisionBar } from "./proposal/decision-bar.tsx";
import { DecisionSummary, RetryApply } from "./proposal/decision-summary.tsx";
import { ProposalEffect } from "./proposal/effect.tsx";
import { Citations, ProposalFacts } from "./proposal/facts.tsx";
import type { LogicReport } from "./proposal/logic-report.ts";
import { UndoChange } from "./proposal/undo-change.tsx";
import { UnsentDraft } from "./proposal/unsent-draft.tsx";
import { useDecision } from "./proposal/use-decision.ts";
import "../style/proposals.css";

/** Loaded on demand: drawing and comparing diagrams is large. */
const LogicReview = lazy(() => import("./proposal/logic-review.tsx").then((part) => ({ default: part.LogicReview })));

/** One proposal: its effect, computed from the operation itself, and the decision on exactly that. */
export function ProposalPage() {
  const { id } = useParams({ from: "/proposals/$id" });
  const proposal = useQuery(query("GET /proposals/:id", { params: { id } }));
  return (
    <QueryResult of={proposal}>{(read) => <Page key={id} {...read} readAt={proposal.dataUpdatedAt} />}</QueryResult>
  );
}

interface Read {
  readonly proposal: Whole;
  readonly review?: Review;
  readonly report?: LogicReport;
  readonly report_id?: string;
}

function Page({ proposal, review, report, report_id: reportId, readAt }: Read & { readonly readAt: number }) {
  const t = useT();
  const [split, setSplit] = useState(() => matchMedia("(width >= 80rem)").matches);
  const [hasSeenReport, setHasSeenReport] = useState(false);
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
          <span className="tag">{t(actionLabels[proposal.action]!)}</span>
          {proposal.priority === "high" && <span className="tag bad">{t(words.high)}</span>}
          {proposal.forked_from !== undefined && <span className="tag info">{t(words.fork)}</span>}
        </div>
        <nav className="row" aria-label={t(words.neighbours)}>
          {previous !== undefined && (
            <ProposalLink className="button quiet" id={previous}>
              ← <kbd>k</kbd>
            </ProposalLink>
          )}
          {next !== undefined && (
            <ProposalLink className="button quiet" id={next}>
              {t(words.next)} <kbd>j</kbd> →
            </ProposalLink>
          )}
        </nav>
      </div>
      <h1>{proposal.summary}</h1>
      <ProposalFacts proposal={proposal} />
      {proposal.reasoning !== undefined && (
        <section className="stack tight">
          <h2>{t(words.reasoning, actorName(proposal.source.identity, t))}</h2>
          <p className="said break">{proposal.reasoning}</p>
          <p className="quiet small">{t(words.proposersWords)}</p>
        </section>
      )}
      <Citations proposal={proposal} />
      {changesLogic && (
        <Suspense fallback={<Loading />}>
          <LogicReview proposal={proposal} {...(report && { report })} onReportSeen={() => setHasSeenReport(true)} />
        </Suspense>
      )}
      {review && (
        <section className="stack tight" aria-labelledby="would">
          <div className="row between">
            <h2 id="would">{t(proposal.status === "applied" ? words.did : words.would)}</h2>
            {review.files.some(({ patch }) => patch !== "") && (
              <Button tone="quiet" aria-pressed={split} onClick={() => setSplit(!split)}>
                {t(split ? words.oneColumn : words.twoColumns)} <kbd>s</kbd>
              </Button>
            )}
          </div>
          <ProposalEffect review={review} split={split} folded={changesLogic} />
        </section>
      )}
      {decision.hasCounted && (
        <p className="card" role="status">
          <strong>{t(words.counted)}</strong>
        </p>
      )}
      {decision.isLate && <Late error={decision.error!} />}
      {proposal.approval && decision.error && !decision.isLate && !decision.hasCounted && (
        <MutationError error={decision.error} fate={decision.fate} />
      )}
      {proposal.status === "pending" && proposal.returned && (
        <p className="warning" role="status">
          {t(words.returned)} {t(proposal.returned.why)}
        </p>
      )}
      {proposal.approval && <DecisionSummary proposal={proposal} />}
      {(decision.isLate || (proposal.approval && !decision.isPending && !decision.error)) && (
        <UnsentDraft proposal={proposal} />
      )}
      {review && proposal.status === "pending" && (
        <DecisionBar
          proposal={proposal}
          review={review}
          decision={decision}
          {...(changesLogic && report && { report: reportId })}
          {...(changesLogic && !(report && hasSeenReport) && { cannot: report ? words.unseen : words.noReport })}
        />
      )}
      {proposal.approval && <UndoChange proposal={proposal} />}
      {proposal.status === "failed" && <RetryApply proposal={proposal} />}
    </article>
  );
}

/** Another decision came first. */
function Late({ error }: { readonly error: Error }) {
  const t = useT();
  return (
    <div className="card stack tight" role="alert">
      <p>
        <strong>{t(words.late)}</strong>
      </p>
      {error.message !== "" && <p className="quiet">{error.message}</p>}
    </div>
  );
}

/** The previous and next pending proposal. There may be thousands, so only cached pages are searched. After the last comes the first. */
function useNeighbours(id: string): { readonly next: string | undefined; readonly previous: string | undefined } {
  const behind = useQuery(query("GET /proposals/pending", { query: { after: id, limit: "1" } })).data?.proposals[0];
  const first = useQuery(query("GET /proposals/pending", { query: { limit: "100" } })).data?.proposals ?? [];
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
  returned: { en: "The last approval was not applied:", uk: "Попереднє схвалення не застосовано:" },
  noReport: {
    en: "Approval needs the report on recorded runs.",
    uk: "Для схвалення потрібен звіт, як повелися б записані запуски.",
  },
  unseen: {
    en: "Read the report on recorded runs first.",
    uk: "Спершу прочитайте звіт про записані запуски.",
  },
  counted: {
    en: "The answer was lost, but your decision was recorded. The result is below.",
    uk: "Відповідь загубилася дорогою, але ваше рішення враховано. Ось що вирішено.",
  },
  late: {
    en: "Your decision was not recorded: another one came first.",
    uk: "Ваше рішення не враховано: це вирішили раніше, ніж воно надійшло.",
  },
  high: { en: "high priority", uk: "високий пріоритет" },
  fork: { en: "from a fork", uk: "з відгалуження" },
  neighbours: { en: "Other proposals", uk: "Інші пропозиції" },
  next: { en: "Next", uk: "Наступна" },
  reasoning: { en: "Reason given by {}, not verified", uk: "Чому, словами {}" },
  proposersWords: {
    en: "The effect below is computed from the change itself.",
    uk: "Це слова автора. Що станеться насправді — нижче, зроблено із самої зміни.",
  },
  would: { en: "Changes", uk: "Що зміниться" },
  did: { en: "Applied changes", uk: "Що змінилося" },
  oneColumn: { en: "One column", uk: "Одна колонка" },
  twoColumns: { en: "Side by side", uk: "Поруч" },
} as const satisfies Record<string, Text>;
