import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import type { AnswerOf } from "../../api/client.ts";
import type { Review } from "../../api/endpoints.gen.ts";
import { Loading } from "../../components/query-result.tsx";
import { useKeys } from "../../components/use-keys.ts";
import { type Text, type Translate, useT } from "../../i18n/use-t.ts";
import { ChangeHead } from "./change-head.tsx";
import { type ChangeView, DIFF_VIEWS, type DiffView, LOGIC_VIEWS } from "./change-views.ts";
import { ContextPane } from "./context-pane.tsx";
import { DecisionBar } from "./decision-bar.tsx";
import { DecisionOutcome } from "./decision-outcome.tsx";
import { ProposalEffect } from "./effect.tsx";
import { runsToOpen } from "./logic-outcome.ts";
import type { LogicReport } from "./logic-report.ts";
import { useMergeReview } from "./merge/merge-review.tsx";
import type { ChangePlace, Neighbours } from "./neighbours.ts";
import { loadedLogicParts, loadLogicParts } from "./read-ahead.ts";
import { useDecision } from "./use-decision.ts";
import { useIconThread } from "./use-icon-thread.tsx";
import { useOpenedRuns } from "./use-opened-runs.ts";
import { useThread } from "./use-thread.tsx";

/** Loaded on demand: drawing and comparing diagrams is large. */
const LazyReview = lazy(() => loadLogicParts().then((parts) => ({ default: parts.LogicReview })));
const LazyContext = lazy(() => loadLogicParts().then((parts) => ({ default: parts.LogicContext })));

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
  const changesLogic = proposal.action === "logic-update" || proposal.action === "logic-rollback";
  const views = changesLogic ? LOGIC_VIEWS : DIFF_VIEWS;
  const [view, setView] = useState<ChangeView>(views[0]);
  const [isContextOpen, setIsContextOpen] = useState(false);
  const [hasSeenReport, setHasSeenReport] = useState(false);
  const { LogicReview, LogicContext } = useLogicParts();
  const { opened, open } = useOpenedRuns(reportId);
  const navigate = useNavigate();
  const go = (id: string | undefined) =>
    id === undefined
      ? undefined
      : () => void navigate({ to: "/proposals/$id", params: { id }, search: (before: object) => before });
  const decision = useDecision(proposal, readAt, go(neighbours.next));
  const thread = useThread(proposal, review, remarks, view === "diagram");
  const icons = useIconThread(proposal, remarks);
  const merge = useMergeReview(proposal, review, remarks);
  const toggleContext = (): void => setIsContextOpen(!isContextOpen);
  useKeys({
    j: merge?.next ?? go(neighbours.next),
    k: merge?.previous ?? go(neighbours.previous),
    s: () => setView(views[(views.indexOf(view as never) + 1) % views.length]!),
    i: toggleContext,
    c: thread.begin,
    w: () => void navigate({ to: "/why", search: { subject: proposal.id } }),
    Escape: isContextOpen ? toggleContext : undefined,
  });
  return (
    <>
      {merge?.tree}
      <article className="change" aria-labelledby="change-title">
        <ChangeHead
          proposal={proposal}
          review={review}
          place={props.place}
          isPage={props.isPage}
          views={hasFiles(review) ? views : []}
          view={view}
          onView={setView}
          isContextOpen={isContextOpen}
          onContext={toggleContext}
        />
        <div className="change-body">
          {changesLogic && (
            <Suspense fallback={<Loading />}>
              <LogicReview
                {...{ proposal, report, opened, icons }}
                onReportSeen={() => setHasSeenReport(true)}
                onOpened={open}
                isShort={view !== "diagram"}
              />
            </Suspense>
          )}
          {(!review || view === "diagram") && thread.others}
          {review && view !== "diagram" && <ShownEffect {...{ proposal, review, view, thread, merge }} />}
          <DecisionOutcome proposal={proposal} decision={decision} />
        </div>
        {review && proposal.status === "pending" && (
          <DecisionBar
            proposal={proposal}
            review={review}
            decision={decision}
            remarks={remarks}
            onNext={merge?.next ?? go(neighbours.next)}
            onPrevious={merge?.previous ?? go(neighbours.previous)}
            {...merge?.bar}
            {...(changesLogic && report && { report: reportId })}
            {...(changesLogic && lockOf(report, hasSeenReport, opened, t))}
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
      >
        <Suspense fallback={null}>{changesLogic && <LogicContext proposal={proposal} />}</Suspense>
        {icons.list}
        {merge?.context}
      </ContextPane>
    </>
  );
}

/** The change as it would be applied: of a merge file by file, else as a whole. */
function ShownEffect(props: {
  readonly proposal: ReadProposal["proposal"];
  readonly review: Review;
  readonly view: ChangeView;
  readonly thread: ReturnType<typeof useThread>;
  readonly merge: ReturnType<typeof useMergeReview>;
}) {
  const { proposal, review, view, thread, merge } = props;
  const t = useT();
  return (
    <section aria-labelledby="would">
      <h2 id="would" className="hidden-visually">
        {t(proposal.status === "applied" ? words.did : words.would)}
      </h2>
      {merge ? (
        merge.body(diffView(view), thread.remarksOf)
      ) : (
        <ProposalEffect
          id={proposal.id}
          review={view === "pseudocode" ? pseudocodeOnly(review) : review}
          view={diffView(view)}
          folded={false}
          remarksOf={thread.remarksOf}
          comment={commentOf(proposal)}
        />
      )}
      {thread.others}
    </section>
  );
}

const diffView = (view: ChangeView): DiffView =>
  view === "words" || view === "split" || view === "rendered" ? view : "words";

/** Chosen once: another component would be mounted anew and forget what was seen. */
function useLogicParts() {
  const [parts] = useState(loadedLogicParts);
  return parts ?? { LogicReview: LazyReview, LogicContext: LazyContext };
}

/** The words of a proposed comment. */
const commentOf = ({ operation, source }: ReadProposal["proposal"]) =>
  operation.action === "propose-comment" && operation.payload.text !== ""
    ? { by: source.identity, isAgent: source.type === "agent", text: operation.payload.text }
    : undefined;

const hasFiles = (review: Review | undefined): boolean =>
  review?.files.some(({ patch, bytes }) => patch !== "" || bytes !== undefined) === true;

/** The procedure in words, without the drawing and the figures. */
const pseudocodeOnly = (review: Review): Review => {
  const files = review.files.filter(({ path }) => path.endsWith("pseudo.md"));
  return files.length === 0 ? review : { ...review, files: files.slice(0, 1) };
};

/** L-8: why a change of logic cannot be approved yet: no report, a verdict that was not seen, runs that were not opened. */
function lockOf(
  report: LogicReport | undefined,
  hasSeenReport: boolean,
  opened: ReadonlySet<string>,
  t: Translate,
): { readonly cannot?: string } {
  if (!report) return { cannot: t(words.noReport) };
  if (!hasSeenReport) return { cannot: t(words.unseen) };
  const left = runsToOpen(report).filter((run) => !opened.has(run)).length;
  return left > 0 ? { cannot: t(words.unopened, left) } : {};
}

const words = {
  unopened: { en: "{} [run|runs] to open first", uk: "Спершу відкрийте {} [запуск|запуски|запусків]" },
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
