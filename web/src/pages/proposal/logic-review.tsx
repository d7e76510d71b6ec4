import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { readDiagram } from "../../../../src/drakon/diagram/diagram.ts";
import type { Proposal as Whole } from "../../api/endpoints.gen.ts";
import { diagramQuery, query } from "../../api/queries.ts";
import { DiagramDiff, type DiagramSide } from "../../components/diagram-diff.tsx";
import { DiagramPicture } from "../../components/diagram-picture.tsx";
import { Loading } from "../../components/query-result.tsx";
import { type Text, useT } from "../../i18n/use-t.ts";
import { Counterfactual } from "./counterfactual.tsx";
import type { ReplayOutcome } from "./logic-outcome.ts";
import type { LogicReport, ReplayPlace } from "./logic-report.ts";
import { MissingReport } from "./missing-report.tsx";
import { ReportVerdict } from "./report-verdict.tsx";
import type { IconThread } from "./use-icon-thread.tsx";
import "../../style/logic.css";

type LogicOperation = Extract<Whole["operation"], { action: "logic-update" | "logic-rollback" }>;

/** The review of a change of logic: the verdict, both diagrams, and the replay of recorded runs (L-8). */
export function LogicReview(props: {
  readonly proposal: Whole;
  readonly report: LogicReport | undefined;
  /** Called when the verdict of the report has been on the screen. */
  readonly onReportSeen: () => void;
  /** The runs that were opened. */
  readonly opened: ReadonlySet<string>;
  readonly onOpened: (run: string) => void;
  readonly icons: IconThread;
  /** Shows the verdict only: the files are shown below. */
  readonly isShort: boolean;
}) {
  const { proposal, report, onReportSeen, opened, onOpened, icons, isShort } = props;
  const t = useT();
  const [place, setPlace] = useState<ReplayPlace>();
  const [outcome, setOutcome] = useState<ReplayOutcome>();
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
    if (!place) return [];
    if (place.diagram !== mainFile) return [place.icon];
    const way = report?.counterfactual?.icons.find(
      (each) => each.icon === place.icon && each.diagram === mainFile,
    )?.way;
    return way?.includes(place.icon) ? way : [place.icon];
  }, [place, mainFile, report]);
  return (
    <>
      {report && <ReportVerdict report={report} onSeen={onReportSeen} chosen={outcome} onChoose={setOutcome} />}
      {!isShort && (after || isLoading) && (
        <section ref={pictures} className="logic-pictures" aria-label={t(words.pictures)}>
          {isLoading || !after ? (
            <Loading />
          ) : before ? (
            <DiagramDiff
              before={before}
              after={after}
              lit={lit}
              litIn={place && place.diagram !== mainFile ? place.diagram : undefined}
              isPlain
              icons={icons}
            />
          ) : (
            <First side={after} lit={lit} icons={icons} />
          )}
          {icons.panel}
        </section>
      )}
      {report
        ? !isShort && (
            <Counterfactual
              report={report}
              chosen={outcome}
              place={place}
              onPlace={choose}
              mainFile={mainFile}
              opened={opened}
              onOpened={onOpened}
            />
          )
        : (proposal.status === "pending" || proposal.status === "failed") && <MissingReport id={proposal.id} />}
    </>
  );
}

function First(props: { readonly side: DiagramSide; readonly lit: readonly string[]; readonly icons: IconThread }) {
  const { side, lit, icons } = props;
  const diagram = useMemo(() => readDiagram(side.text).diagram, [side.text]);
  return (
    <DiagramPicture
      diagram={diagram}
      name={side.name}
      highlight={lit}
      chosen={icons.chosen?.icon}
      onIcon={(icon) => icons.choose({ part: "", icon, text: diagram.icons.get(icon)?.text ?? "" })}
    />
  );
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
  pictures: { en: "Before and after", uk: "До і після" },
  proposed: { en: "proposed", uk: "як запропоновано" },
} as const satisfies Record<string, Text>;
