import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import { Loading } from "../../components/query-result.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, useT } from "../../i18n/use-t.ts";
import { ChangeHead } from "./change-head.tsx";
import { ContextPane } from "./context-pane.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { DecisionOutcome } from "./decision-outcome.tsx";
import { DIFF_VIEWS, type DiffView, ProposalEffect } from "./effect.tsx";
import type { ChangePlace, Neighbours } from "./neighbours.ts";
import { useDecision } from "./use-decision.ts";
import { useThread } from "./use-thread.tsx";

/** Loaded on demand: drawing and comparing diagrams is large. */
const LogicReview = lazy(() => import("./logic-review.tsx").then((part) => ({ default: part.LogicReview })));

type ReadProposal = AnswerOf<"GET /proposals/:id">;

interface OpenChangeProps extends ReadProposal {
  readonly readAt: number;
  readonly neighbours: Neighbours;
  readonly place: ChangePlace | undefined;
  readonly isPage: boolean;
}

export function OpenChange(props: OpenChangeProps) {
  const { proposal, review, remarks = [], report, report_id: reportId, readAt, neighbours } = props;
  const t = useT();
  const [view, setView] = useState<DiffView>("words");
  const [isContextOpen, setIsContextOpen] = useState(false);
  const [hasSeenReport, setHasSeenReport] = useState(false);
  const changesLogic = proposal.action === "logic-update" || proposal.action === "logic-rollback";
  const navigate = useNavigate();
  const go = (id: string | undefined) =>
    id === undefined
      ? undefined
      : () => void navigate({ to: "/proposals/$id", params: { id }, search: (before: object) => before });
  const decision = useDecision(proposal, readAt, go(neighbours.next));
  const thread = useThread(proposal, review, remarks);
  const toggleContext = (): void => setIsContextOpen(!isContextOpen);
  useKeys({
    j: go(neighbours.next),
    k: go(neighbours.previous),
    s: () => setView(DIFF_VIEWS[(DIFF_VIEWS.indexOf(view) + 1) % DIFF_VIEWS.length]!),
    i: toggleContext,
    c: thread.begin,
    w: () => void navigate({ to: "/why", search: { subject: proposal.id } }),
    Escape: isContextOpen ? toggleContext : undefined,
  });
  return (
    <>
      <article className="change" aria-labelledby="change-title">
        <ChangeHead
          proposal={proposal}
          review={review}
          place={props.place}
          isPage={props.isPage}
          views={review?.files.some(({ patch, bytes }) => patch !== "" || bytes !== undefined) === true}
          view={view}
          onView={setView}
          isContextOpen={isContextOpen}
          onContext={toggleContext}
        />
        <div className="change-body">
          {changesLogic && (
            <Suspense fallback={<Loading />}>
              <LogicReview
                proposal={proposal}
                {...(report && { report })}
                onReportSeen={() => setHasSeenReport(true)}
              />
            </Suspense>
          )}
          {review && (
            <section aria-labelledby="would">
              <h2 id="would" className="hidden-visually">
                {t(proposal.status === "applied" ? words.did : words.would)}
              </h2>
              <ProposalEffect
                id={proposal.id}
                review={review}
                view={view}
                folded={changesLogic}
                remarksOf={thread.remarksOf}
                comment={commentOf(proposal)}
              />
              {thread.others}
            </section>
          )}
          <DecisionOutcome proposal={proposal} decision={decision} />
        </div>
        {review && proposal.status === "pending" && (
          <DecisionBar
            proposal={proposal}
            review={review}
            decision={decision}
            remarks={remarks}
            onNext={go(neighbours.next)}
            onPrevious={go(neighbours.previous)}
            {...(changesLogic && report && { report: reportId })}
            {...(changesLogic && !(report && hasSeenReport) && { cannot: report ? words.unseen : words.noReport })}
          />
        )}
      </article>
      <ContextPane
        proposal={proposal}
        review={review}
        sources={props.sources}
        report={report}
        isOpen={isContextOpen}
        onClose={toggleContext}
      />
    </>
  );
}

/** The words of a proposed comment. */
const commentOf = ({ operation, source }: ReadProposal["proposal"]) =>
  operation.action === "propose-comment" && operation.payload.text !== ""
    ? { by: source.identity, isAgent: source.type === "agent", text: operation.payload.text }
    : undefined;

const words = {
  noReport: {
    en: "Approval needs the report on recorded runs.",
    uk: "Для схвалення потрібен звіт, як повелися б записані запуски.",
  },
  unseen: {
    en: "Read the report on recorded runs first.",
    uk: "Спершу прочитайте звіт про записані запуски.",
  },
  would: { en: "Changes", uk: "Що зміниться" },
  did: { en: "Applied changes", uk: "Що змінилося" },
} as const satisfies Record<string, Text>;
