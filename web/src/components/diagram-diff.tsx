import { useMemo } from "react";
import { compareDiagrams } from "../../../src/drakon/compare/compare.ts";
import type { RiskLevel } from "../../../src/drakon/compare/fact.ts";
import { type Diagram, readDiagram } from "../../../src/drakon/diagram/diagram.ts";
import type { ChangeMark, Overlays } from "../../../src/drakon/draw/paint/overlay.ts";
import { type Text, useT } from "../i18n/use-t.ts";
import { DiagramPicture } from "./diagram-picture.tsx";

export interface DiagramSide {
  readonly name: string;
  /** The file's content. */
  readonly text: string;
}

/** Two versions of a diagram side by side, with changed icons marked and the risk in words. `lit` is a path through the second one. */
export function DiagramDiff(props: {
  readonly before: DiagramSide;
  readonly after: DiagramSide;
  readonly lit?: readonly string[];
  readonly onIcon?: (icon: string) => void;
}) {
  const { before, after, lit, onIcon } = props;
  const t = useT();
  const { old, now, comparison } = useMemo(() => {
    const [one, other] = [readDiagram(before.text).diagram, readDiagram(after.text).diagram];
    return { old: one, now: other, comparison: compareDiagrams(one, other) };
  }, [before.text, after.text]);
  const { marks, facts, summary, riskLevel, sameMeaning } = comparison;
  return (
    <div className="stack tight">
      <RiskSummary
        level={sameMeaning ? undefined : riskLevel}
        summary={summary}
        facts={facts.map(({ text }) => text)}
      />
      <div className="beside">
        <Drawn name={before.name} diagram={old} marks={marks.before} />
        <Drawn name={after.name} diagram={now} marks={marks.after} lit={lit} onIcon={onIcon} />
      </div>
      <p className="quiet small">{t(words.legend)}</p>
    </div>
  );
}

function Drawn(props: {
  readonly name: string;
  readonly diagram: Diagram;
  readonly marks: ReadonlyMap<string, ChangeMark>;
  readonly lit?: readonly string[] | undefined;
  readonly onIcon?: ((icon: string) => void) | undefined;
}) {
  const { name, diagram, marks, lit, onIcon } = props;
  const overlays = useMemo<Overlays>(() => new Map([...marks].map(([icon, mark]) => [icon, { mark }])), [marks]);
  return (
    <figure className="drawn stack tight">
      <figcaption>
        <strong>{name}</strong>
      </figcaption>
      <DiagramPicture
        diagram={diagram}
        name={name}
        overlays={overlays}
        {...(lit && { highlight: lit })}
        {...(onIcon && { onIcon })}
      />
    </figure>
  );
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
