import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { diagramQuery, query } from "../../api/queries.ts";
import { DiagramDiff, type DiagramSide } from "../../components/diagram-diff.tsx";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { Loading } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { RationaleFacts } from "../logic/rationale.tsx";
import { Counterfactual } from "./counterfactual.tsx";
import type { LogicReport, ReplayPlace } from "./logic-report.ts";
import { MissingReport } from "./missing-report.tsx";
import { ReportVerdict } from "./report-verdict.tsx";
import { StaticCheckTable } from "./static-check.tsx";
import "../../style/logic.css";
import "../../style/run.css";

type LogicOperation = Extract<Whole["operation"], { action: "logic-update" | "logic-rollback" }>;

/** The review of a change of logic: rationale, both diagrams, static check and replay of recorded runs (L-8). */
export function LogicReview({
  proposal,
  report,
  onReportSeen,
}: {
  readonly proposal: Whole;
  readonly report?: LogicReport;
  /** Called when the verdict of the report has been on the screen. */
  readonly onReportSeen: () => void;
}) {
  const t = useT();
  const { payload } = proposal.operation as LogicOperation;
  const [place, setPlace] = useState<ReplayPlace>();
  const pictures = useRef<HTMLElement>(null);
  const choose = (now: ReplayPlace | undefined): void => {
    setPlace(now);
    // The table may be far below the diagram.
    if (now) pictures.current?.scrollIntoView({ block: "nearest" });
  };
  const { before, after, isLoading } = useSides(proposal);
  const mainFile = useQuery({
    ...query("GET /proposals/:id/report", { params: { id: proposal.id } }),
    enabled: report !== undefined,
    retry: false,
  }).data?.mainFile;
  const lit = useMemo(() => {
    if (!place || place.diagram !== mainFile) return [];
    const way = report?.counterfactual?.icons.find(
      (each) => each.icon === place.icon && each.diagram === mainFile,
    )?.way;
    return way?.includes(place.icon) ? way : [place.icon];
  }, [place, mainFile, report]);
  return (
    <>
      {report && <ReportVerdict report={report} onSeen={onReportSeen} />}
      <section className="stack tight" aria-labelledby="for">
        <h2 id="for">{t(words.rationale)}</h2>
        <RationaleFacts rationale={payload.rationale} without={[proposal.reasoning?.trim() ?? ""]} />
      </section>
      {(after || isLoading) && (
        <section ref={pictures} className="stack tight" aria-labelledby="pictures">
          <h2 id="pictures">{t(words.pictures)}</h2>
          {isLoading || !after ? (
            <Loading />
          ) : before ? (
            <DiagramDiff before={before} after={after} lit={lit} />
          ) : (
            <First side={after} lit={lit} />
          )}
        </section>
      )}
      {report ? (
        <>
          <StaticCheckTable report={report.static} />
          <Counterfactual report={report} place={place} onPlace={choose} mainFile={mainFile} />
        </>
      ) : (
        (proposal.status === "pending" || proposal.status === "failed") && <MissingReport id={proposal.id} />
      )}
    </>
  );
}

function First({ side, lit }: { readonly side: DiagramSide; readonly lit: readonly string[] }) {
  const diagram = useMemo(() => readDiagram(side.text).diagram, [side.text]);
  return <DiagramPicture diagram={diagram} name={side.name} highlight={lit} />;
}

/** Both sides as they were when it was proposed, so that a decided proposal still shows the decided change. */
function useSides({ id, status, operation }: Whole): {
  readonly before?: DiagramSide;
  readonly after?: DiagramSide;
  readonly isLoading: boolean;
} {
  const t = useT();
  const { action, payload } = operation as LogicOperation;
  const given = action === "logic-update" ? payload.diagram : undefined;
  const before = useDiagram(payload.agent, payload.currentVersion);
  const named = action === "logic-rollback" ? payload.toVersion : status === "pending" ? id : undefined;
  const read = useDiagram(payload.agent, given === undefined ? named : undefined);
  const after = given ?? read.text;
  return {
    isLoading: before.isLoading || read.isLoading,
    ...(before.text !== undefined && { before: { name: payload.currentVersion ?? "", text: before.text } }),
    ...(after !== undefined && {
      after: { name: action === "logic-rollback" ? payload.toVersion : t(words.proposed), text: after },
    }),
  };
}

/** A text version has no diagram; then only the files below show the change. */
function useDiagram(agentId: string, version: string | undefined) {
  const { data, isLoading } = useQuery({
    ...diagramQuery(agentId, version),
    enabled: version !== undefined,
    retry: false,
  });
  return { text: data?.content, isLoading };
}

const words = {
  rationale: { en: "Purpose", uk: "Навіщо це" },
  pictures: { en: "Before and after", uk: "До і після" },
  proposed: { en: "proposed", uk: "як запропоновано" },
} as const satisfies Record<string, Text>;
