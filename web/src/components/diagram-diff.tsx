import { useMemo } from "react";
import { compareDiagrams } from "../../../src/drakon/compare/compare.ts";
import type { RiskLevel } from "../../../src/drakon/compare/fact.ts";
import { type Diagram, readDiagram } from "../../../src/drakon/diagram/diagram.ts";
import type { ChangeMark, Overlays } from "../../../src/drakon/draw/paint/overlay.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { DiagramPair, MovedDrawing, type PairMove } from "./diagram-pair.tsx";
import { useDrawing } from "./diagram-picture.tsx";

export interface DiagramSide {
  readonly name: string;
  /** The file's content. */
  readonly text: string;
}

/**
 * Two versions of a diagram side by side, moved and zoomed together, with changed icons marked and, unless `isPlain`, the risk in words.
 * `lit` is a path through the second one.
 */
export function DiagramDiff(props: {
  readonly before: DiagramSide;
  readonly after: DiagramSide;
  readonly lit?: readonly string[];
  readonly isPlain?: boolean;
}) {
  const { before, after, lit, isPlain = false } = props;
  const t = useT();
  const { old, now, comparison } = useMemo(() => {
    const [one, other] = [readDiagram(before.text).diagram, readDiagram(after.text).diagram];
    return { old: one, now: other, comparison: compareDiagrams(one, other) };
  }, [before.text, after.text]);
  const { marks, facts, summary, riskLevel, sameMeaning } = comparison;
  return (
    <div className="stack tight">
      {!isPlain && (
        <RiskSummary
          level={sameMeaning ? undefined : riskLevel}
          summary={summary}
          facts={facts.map(({ text }) => text)}
        />
      )}
      <DiagramPair>
        {(move) => (
          <>
            <Drawn name={before.name} diagram={old} marks={marks.before} move={move} />
            <Drawn name={after.name} diagram={now} marks={marks.after} lit={lit} move={move} />
          </>
        )}
      </DiagramPair>
      <p className="meta">{t(words.legend)}</p>
    </div>
  );
}

function Drawn(props: {
  readonly name: string;
  readonly diagram: Diagram;
  readonly marks: ReadonlyMap<string, ChangeMark>;
  readonly lit?: readonly string[] | undefined;
  readonly move: PairMove;
}) {
  const { name, diagram, marks, lit, move } = props;
  const overlays = useMemo<Overlays>(() => new Map([...marks].map(([icon, mark]) => [icon, { mark }])), [marks]);
  const svg = useDrawing({ diagram, name, overlays, ...(lit && { highlight: lit }) });
  return <MovedDrawing name={name} svg={svg} move={move} />;
}

/** The risk of a change: level, summary, and the facts that the summary does not mention. */
export function RiskSummary(props: {
  readonly level: RiskLevel | undefined;
  readonly summary: Text;
  readonly facts: readonly Text[];
}) {
  const { level, summary, facts } = props;
  const t = useT();
  const more = facts.filter(({ en }) => !summary.en.includes(en));
  return (
    <>
      <p className="row">
        {level && (
          <span className={`tag ${{ low: "good", medium: "wait", high: "bad" }[level]}`}>{t(risks[level])}</span>
        )}
        <span className="break">{t(summary)}</span>
      </p>
      {more.length > 0 && (
        <ul className="fact-list">
          {more.map((fact) => (
            <li key={fact.en}>{t(fact)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

const risks = {
  low: { en: "low risk", uk: "низький ризик" },
  medium: { en: "medium risk", uk: "середній ризик" },
  high: { en: "high risk", uk: "високий ризик" },
} as const satisfies Record<RiskLevel, Text>;

const words = {
  legend: {
    en: "+ added, − removed, ~ changed, ↕ moved, ↪ leads elsewhere, ≈ reached on other conditions",
    uk: "+ додано, − вилучено, ~ змінено, ↕ переставлено, ↪ веде деінде, ≈ досягається за інших умов",
  },
} as const satisfies Record<string, Text>;
